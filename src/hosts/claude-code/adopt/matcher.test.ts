import assert from "node:assert/strict";
import { test } from "node:test";
import { decode } from "../protocol/decode.js";
import { matches, matchSubject } from "./matcher.js";

// Observed with 2.1.325 over these four tools.
const tools = ["Bash", "Write", "Agent", "mcp__my-srv__write_thing"];
const observed: [pattern: string | undefined, hits: string[]][] = [
  [undefined, tools],
  ["", tools],
  ["*", tools],
  ["Bash", ["Bash"]],
  ["bash", []],
  ["B", []],
  ["Bash|Write", ["Bash", "Write"]],
  ["Bash,Write", ["Bash", "Write"]],
  ["Bash, Write", ["Bash", "Write"]],
  ["Bash | Write", ["Bash", "Write"]],
  ["Ba.*", ["Bash"]],
  ["^Bash$", ["Bash"]],
  ["^(?!Bash)", ["Write", "Agent", "mcp__my-srv__write_thing"]],
  [".*", tools],
  ["as.$", ["Bash", "Agent"]],
  ["mcp__", []],
  ["mcp__my-srv", []],
  ["mcp__my-srv__", []],
  ["mcp__my-srv__write_thing", ["mcp__my-srv__write_thing"]],
  ["mcp__.*", ["mcp__my-srv__write_thing"]],
  ["mcp__my-srv__.*", ["mcp__my-srv__write_thing"]],
  ["mcp__*", ["mcp__my-srv__write_thing"]],
  ["mcp__my-srv__*", ["mcp__my-srv__write_thing"]],
  ["[", []],
  ["!Bash", []],
  ["Bash(touch *)", []],
  ["Task", ["Agent"]],
  ["Ta.*", ["Agent"]],
  ["Agent", ["Agent"]],
  ["constructor", []],
];

for (const [pattern, hits] of observed)
  test(`matcher ${JSON.stringify(pattern)}`, () => {
    assert.deepEqual(
      tools.filter((tool) => matches(pattern, tool)),
      hits,
    );
  });

test("other events are matched by their own field, or not at all", async (t) => {
  const rows: [object, string | undefined][] = [
    [{ hook_event_name: "SessionStart", source: "resume" }, "resume"],
    [{ hook_event_name: "SessionStart" }, ""],
    [{ hook_event_name: "PreCompact", trigger: "auto" }, "auto"],
    [{ hook_event_name: "Notification", notification_type: "idle" }, "idle"],
    [{ hook_event_name: "SubagentStop", agent_type: "Explore" }, "Explore"],
    [{ hook_event_name: "UserPromptSubmit", prompt: "x" }, undefined],
    [{ hook_event_name: "Stop" }, undefined],
    [{ hook_event_name: "PreToolUse", tool_name: "Bash" }, "Bash"],
  ];
  for (const [payload, subject] of rows)
    await t.test(JSON.stringify(payload), () => {
      assert.equal(matchSubject(decode({ ...payload }, {}, [])), subject);
    });
});
