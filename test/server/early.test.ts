// The answer leaves as soon as its record counts, and is the answer that would have come at the end.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answer } from "../../src/hook/answer.js";
import { open } from "../../src/hook/open-project.js";
import { openStore } from "../../src/store/index.js";
import { place } from "./server.js";

const calls: [event: string, payload: object, outcome: string][] = [
  ["PreToolUse", { tool_name: "Bash", tool_input: { command: "git status" } }, "pass"],
  ["PreToolUse", { tool_name: "Bash", tool_input: { command: "rm -rf ~/.claude" } }, "deny"],
  ["PreToolUse", { tool_name: "Write", tool_input: { file_path: "src/a.ts", content: "a" } }, "pass"],
  ["UserPromptSubmit", { prompt: "what is in this folder?" }, "pass"],
];

test("what is answered is in the ledger by then, and said only once", async (t) => {
  const at = place(t);
  const env = { HOME: at.base, PATH: process.env["PATH"], CLAUDE_PROJECT_DIR: at.project };
  const { folder, repository } = await open(at.project, { env, home: at.home });
  for (const [i, [name, payload, outcome]] of calls.entries()) {
    const said: string[] = [];
    const ids: string[] = [];
    const early = (text: string) => {
      said.push(text);
      const ledger = join(folder, "ledger");
      const lines = readdirSync(ledger).flatMap((file) => readFileSync(join(ledger, file), "utf8").trim().split("\n"));
      ids.push(...[...lines.at(-1)!.matchAll(/"v-\d+"/g)].map(String));
    };
    const asked = { hook_event_name: name, session_id: "s", cwd: at.project, tool_use_id: `c${i}`, ...payload };
    const given = await answer({ bytes: Buffer.from(JSON.stringify(asked)), env, home: at.home, early });
    assert.deepEqual(said, [given.text]);
    assert.equal(given.verdict!.outcome, outcome);
    assert.ok(ids.includes(`"${given.verdict!.id}"`), `${ids} of ${given.verdict!.id}`);
    assert.equal(openStore({ home: at.home, id: repository.id }).read().condition.ok, true);
  }
});
