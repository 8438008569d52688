import assert from "node:assert/strict";
import { test } from "node:test";
import { readStream, toldIn } from "./stream.js";

test("an interrupted stream is read as far as it goes", () => {
  const stream = readStream(
    [
      '{"type":"system","subtype":"init"}',
      "a line that is no JSON",
      '{"type":"system","subtype":"hook_response","hook_event":"PreToolUse","outcome":"error","exit_code":127}',
      '{"type":"system","subtype":"informational","tag":"hook_no_verdict","content":"A hook gave no usable answer"}',
      '{"type":"result","result":"half',
    ].join("\n"),
  );
  assert.equal(stream.events.length, 3);
  assert.deepEqual(stream.hooks, [{ event: "PreToolUse", outcome: "error", exitCode: 127, stdout: "", stderr: "" }]);
  assert.deepEqual(stream.notices, [{ tag: "hook_no_verdict", text: "A hook gave no usable answer" }]);
  assert.deepEqual(stream.denials, []);
  assert.equal(stream.result, undefined);
});

test("each tool result is reported once with its call, however often the conversation is repeated", () => {
  const first = [
    { role: "user", content: "main" },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "no" }], is_error: true }],
    },
    { role: "system", content: "a note" },
  ];
  const request = { marker: "main", system: "", tools: [] };
  const { told, context } = toldIn([
    { ...request, step: 1, messages: first },
    { ...request, step: 2, messages: [...first, { role: "assistant", content: "done" }] },
  ]);
  assert.deepEqual(told, [
    { marker: "main", tool: "Bash", id: "t1", input: { command: "ls" }, text: "no", isError: true },
  ]);
  assert.deepEqual(context, ["a note"]);
});
