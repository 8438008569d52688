// Calls that may change something are watched; what is found afterwards is tested in test/guard/observed.test.ts.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../model/json.js";
import { stage } from "../../testing/stage.js";
import guard from "./index.js";

const calls: readonly [watched: boolean, tool: string, input: JsonObject][] = [
  [true, "Bash", { command: "./build.sh" }],
  [true, "Bash", { command: "echo x > a.txt" }],
  [true, "PowerShell", { command: "./build.ps1" }],
  [true, "mcp__files__write_file", { path: "a.txt", content: "x" }],
  [true, "NewTool", { x: 1 }],
  [false, "Bash", { command: "ls -la" }],
  [false, "Bash", { command: "git status" }],
  [false, "Read", { file_path: "a.txt" }],
  [false, "Write", { file_path: "a.txt", content: "x" }],
];

for (const [watched, tool, input] of calls)
  test(`guard/observed: ${tool} ${JSON.stringify(input)} is ${watched ? "" : "not "}watched, and passes`, async (t) => {
    const s = stage(t, { packs: [guard], files: { "a.txt": "one" } });
    assert.equal((await s.call(tool, input)).outcome, "pass");
    await s.done(tool, input);
    const { observed } = [...s.store.records()].at(-1)!.body as JsonObject;
    assert.equal(observed !== undefined, watched);
  });
