// Interlock's own entries in the settings, lost to ordinary commands: agent and user are told at once, and the entries
// are put back where git is not in the way.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Hooked } from "./hooked.js";

const settings = ".claude/settings.local.json";
const files = { "src/a.ts": "one\n", ".claude/commands/x.md": "x\n" };

/** `really`: what a script runs that the command does not show. */
const rows: [command: string, really?: string][] = [
  ["make", "git stash --all"],
  ["find . -name '*.json' -delete"],
  ["git ls-files -o -z | xargs -0 rm -f"],
  ["make", "rm -rf .claude"],
  ["make", `sed -i s/interlock/interlocked/g ${settings}`],
  ["make", `echo '{"model":"x"}' > ${settings}`],
  ["make", `sed -i '1s/{/{"disableAllHooks":true,/' ${settings}`],
  ["make", `echo not json > ${settings}`],
];
test("entries lost to a stash, a mass edit or a script are put back, and agent and user are told", (t) => {
  const h = new Hooked(t, files, ["--scope", "local"]);
  const installed = h.read(settings)!;
  for (const [command, really = command] of rows) {
    h.write(settings, installed);
    const { before, after } = h.bash(command, really);
    if (before.refused) {
      assert.equal(h.read(settings), installed, really);
      continue;
    }
    for (const told of [after!.context, after!.message]) {
      assert.match(told, /INTERLOCK WAS REMOVED[^]*settings\.local\.json[^]*put back/, really);
      assert.ok(told.split("\n").length <= 5, told);
    }
    const now = JSON.parse(h.read(settings)!) as { hooks: object; model?: string; disableAllHooks?: boolean };
    assert.deepEqual(now.hooks, (JSON.parse(installed) as { hooks: object }).hooks, really);
    assert.equal(now.disableAllHooks, undefined, really);
    if (really.includes("model")) assert.equal(now.model, "x", "what else was written there stays");
  }
});

test("a branch without the settings: told at once, with the next step, and git is not hindered", (t) => {
  const h = new Hooked(t, files, ["--scope", "project"]);
  h.sh("git branch old && git add -f .claude && git commit -qm settings");
  const { before, after } = h.bash("git switch old");
  assert.equal(before.refused, false);
  assert.equal(h.read(".claude/settings.json"), undefined);
  for (const told of [after!.context, after!.message])
    assert.match(told, /INTERLOCK WAS REMOVED[^]*not put back[^]*interlock init --scope local/);
  assert.match(h.bash("git switch main").before.context, /^$/);
  assert.notEqual(h.read(".claude/settings.json"), undefined);
});

test("nothing is put back after the user uninstalled, or when only the layout changed", (t) => {
  const h = new Hooked(t, files, ["--scope", "local"]);
  const compact =
    "const f=process.argv[1],s=require('fs');s.writeFileSync(f,JSON.stringify(JSON.parse(s.readFileSync(f))))";
  const laidOut = h.bash("make", `node -e "${compact}" ${settings}`);
  assert.deepEqual([laidOut.after!.context, laidOut.after!.message], ["", ""]);
  const input = { command: "make" };
  h.before("Bash", input);
  assert.equal(h.interlock("uninstall", "--yes").status, 0);
  rmSync(join(h.project, settings), { force: true });
  h.hook("PostToolUse", { tool_name: "Bash", tool_input: input, tool_use_id: "toolu_2", tool_response: {} });
  assert.equal(h.read(settings), undefined);
});
