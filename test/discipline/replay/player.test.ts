// The player itself: a small recording in the client's own format, played with everything enforced.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { passing, play } from "../agent.js";
import { playSteps } from "./player.js";
import { readRecording } from "./recording.js";

const was = "/home/somebody/project";
const base = { sessionId: "s", cwd: was, isSidechain: false };
const user = (content: unknown, more = {}) => ({ ...base, type: "user", message: { role: "user", content }, ...more });
const says = (text: string) => ({ ...base, type: "assistant", message: { content: [{ type: "text", text }] } });
let calls = 0;
function call(name: string, input: object, result: string, toolUseResult: unknown = { stdout: result, stderr: "" }) {
  const id = `toolu_${++calls}`;
  return [
    { ...base, type: "assistant", message: { content: [{ type: "tool_use", id, name, input }] } },
    user([{ type: "tool_result", tool_use_id: id, content: result }], { toolUseResult }),
  ];
}

test("a recording is read, moved to this machine and played; what a refusal names is done", async (t) => {
  const a = play(t, { files: { "CONTRIBUTING.md": "rules\n" } });
  const file = `${was}/src/a.ts`;
  const lines = [
    user("Fix the rounding of the totals in the cart"),
    ...call("Read", { file_path: file }, "1", {
      file: { filePath: file, content: "export const a = 1;\n", startLine: 1, numLines: 1, totalLines: 1 },
    }),
    ...call("Edit", { file_path: file, old_string: "1", new_string: "2" }, "ok", {
      filePath: file,
      originalFile: "export const a = 1;\n",
    }),
    ...call("Bash", { command: "mise run test" }, passing()),
    says("Rounded in src/a.ts; 5 tests pass."),
    user("<local-command-stdout>noise</local-command-stdout>"),
    user("and the other one too"),
    ...call("Edit", { file_path: file, old_string: "2", new_string: "3" }, "ok"),
    says("Done."),
  ];
  const path = join(a.home, "recorded.jsonl");
  writeFileSync(path, `${lines.map((l) => JSON.stringify(l)).join("\n")}\n{"cut`);
  const { steps } = readRecording(path, a.root, a.home);
  assert.deepEqual(
    steps.map((s) => s.kind),
    ["prompt", "call", "call", "call", "end", "prompt", "call", "end"],
  );
  const played = await playSteps(a, steps);
  assert.equal(played.calls, 4);
  assert.deepEqual(
    played.refusedCalls.map((r) => [r.gate, r.row]),
    [["documents", 1]],
    "one refusal names the document and the research",
  );
  assert.equal(played.steps, 4, "the document, two more places, and the tests of the second turn");
  assert.deepEqual(
    played.refusedEnds.map((r) => [r.gate, r.tested]),
    [["verification", false]],
  );
});
