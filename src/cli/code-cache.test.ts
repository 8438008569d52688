// Hook calls that run the same functions share a code cache.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheKind } from "./code-cache.js";

test("the kind of a hook call is its event and the kind of its tool", () => {
  const rows: [string[], object, string][] = [
    [["hook", "claude-code", "--event", "Stop"], {}, "Stop"],
    [["hook", "claude-code", "--event", "PreToolUse"], { tool_name: "Bash" }, "PreToolUse-shell"],
    [["hook", "claude-code", "--event", "PreToolUse", "--home", "/h"], { tool_name: "Edit" }, "PreToolUse-file"],
    [["hook", "claude-code", "--event", "PreToolUse"], { tool_name: "Read" }, "PreToolUse"],
    [["hook", "claude-code", "--event", "PreToolUse"], { tool_name: "constructor" }, "PreToolUse"],
    [["hook", "claude-code", "--event", "../x"], {}, "other"],
    [["hook", "claude-code"], {}, "other"],
  ];
  for (const [argv, payload, kind] of rows)
    assert.equal(cacheKind(argv, Buffer.from(JSON.stringify({ cwd: "/", ...payload }))), kind, argv.join(" "));
  assert.equal(cacheKind(["hook", "claude-code", "--event", "Stop"], undefined), "Stop");
});
