import assert from "node:assert/strict";
import { test } from "node:test";
import { sortOf } from "./spool-client.js";
import { inputKey } from "./spool-protocol.js";

test("calls that run the same code are of one sort, whatever stands in them", () => {
  const given = globalThis as { [inputKey]?: Buffer };
  const rows: [string[], object, string][] = [
    [["hook", "claude-code", "--event", "Stop"], {}, "Stop"],
    [["hook", "claude-code", "--event", "PreToolUse"], { tool_name: "Bash" }, "PreToolUse.command"],
    [["hook", "claude-code", "--event", "PreToolUse", "--home", "/h"], { tool_name: "Edit" }, "PreToolUse.file"],
    [["hook", "claude-code", "--event", "PostToolUse"], { tool_name: "Grep" }, "PostToolUse.look"],
    [["hook", "claude-code", "--event", "PreToolUse"], { tool_name: "mcp__a__b" }, "PreToolUse.tool"],
    [["hook", "claude-code", "--event", "PreToolUse"], { tool_name: "constructor" }, "PreToolUse.tool"],
    [["hook", "claude-code", "--event", "PreToolUse"], {}, "PreToolUse.tool"],
    [["hook", "claude-code", "--event", "../x"], {}, "other"],
    [["status", "--json"], {}, "other"],
  ];
  for (const [argv, payload, sort] of rows) {
    given[inputKey] = Buffer.from(JSON.stringify({ cwd: "/", ...payload }));
    assert.equal(sortOf(argv), sort, argv.join(" "));
  }
  delete given[inputKey];
});
