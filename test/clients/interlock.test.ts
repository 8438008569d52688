// Interlock as a user installs it, on the real Claude Code: its verdicts hold, and the agent reads the reason.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type ClaudeRun, runClaude } from "../../src/live/claude.js";
import { callId, type ModelStep } from "../../src/live/model.js";
import { installed } from "./installed.js";
import { agent, bash, binary, call, needsClient, notesServer, root, toldOf, type Workplace } from "./workplace.js";

const RULES = `
rules:
  - { id: no-deploy, on: shell, match: deploy, message: deploys are for people, next: ask the user to deploy }
  - { id: generated, on: write, where: "generated/**", message: the build makes these, next: change the source }
  - { id: no-secrets, on: mcp, match: secret, message: notes are public, next: leave the secret out }
  - { id: no-tourists, on: agent, match: sightseeing, message: agents work, next: give the agent a task }
`;

interface Row {
  step: ModelStep;
  /** The gate that refuses and words its refusal must hold; without them the call passes. */
  refused?: [gate: string, ...words: string[]];
  /** A file of the project and what it must hold at the end; undefined: it must not be there. */
  leaves?: [string, string | undefined];
}

const SWITCH_OFF = '{"disableAllHooks":true}';

/** Every kind of call, passing and refused, as one agent makes them. */
function rowsFor(who: string, place: Workplace): Row[] {
  const write = (path: string, content: string) => call("Write", { file_path: place.path(path), content });
  const edit = (path: string, from: string, to: string) =>
    call("Edit", { file_path: place.path(path), old_string: from, new_string: to });
  const selfProtect: Row["refused"] = ["guard/self-protect", ".claude/settings*.json is protected"];
  return [
    { step: bash(`touch ${who}-made`), leaves: [`${who}-made`, ""] },
    {
      step: bash(`touch ${who}-gone # deploy`),
      refused: ["rules/user", `touch ${who}-gone # deploy`, "deploys are for people", "next: ask the user to deploy"],
      leaves: [`${who}-gone`, undefined],
    },
    {
      step: write(".claude/settings.json", SWITCH_OFF),
      refused: selfProtect,
      leaves: [".claude/settings.json", undefined],
    },
    {
      step: bash(`echo '${SWITCH_OFF}' > .claude/settings.json`),
      refused: selfProtect,
    },
    { step: write(`${who}.txt`, "one\n") },
    { step: edit(`${who}.txt`, "one", "two"), leaves: [`${who}.txt`, "two\n"] },
    {
      step: write(`generated/${who}.ts`, "x"),
      refused: ["rules/user", `generated/${who}.ts`, "the build makes these", "next: change the source"],
      leaves: [`generated/${who}.ts`, undefined],
    },
    { step: call("Read", { file_path: place.path(".claude/settings.local.json") }) },
    {
      step: edit(".claude/settings.local.json", '{\n  "hooks"', '{\n  "disableAllHooks": true,\n  "hooks"'),
      refused: selfProtect,
      leaves: [".claude/settings.local.json", place.read(".claude/settings.local.json")],
    },
    { step: call("mcp__notes__write_note", { text: `${who} was here` }) },
    {
      step: call("mcp__notes__write_note", { text: `${who} secret` }),
      refused: ["rules/user", "notes/write_note", "notes are public", "next: leave the secret out"],
    },
    { step: call("mcp__notes__read_notes", {}) },
  ];
}

const tourist: Row = {
  step: agent("go sightseeing [sub]"),
  refused: ["rules/user", "general-purpose", "agents work", "next: give the agent a task"],
};

for (const mode of ["default", "bypassPermissions"] as const) {
  test(`${mode} mode: Interlock's decisions hold, also inside a sub-agent`, needsClient, async (t) => {
    const place = installed(t, RULES);
    const main = [...rowsFor("main", place), tourist];
    const sub = rowsFor("sub", place);
    const run = await runClaude({
      binary,
      ...place,
      mode,
      mcpServers: notesServer(place),
      allow: ["Bash", "Write", "Edit", "Agent", "mcp__notes__write_note", "mcp__notes__read_notes"],
      scripts: [
        { marker: "main", steps: [...main.map((row) => row.step), agent("[sub] work"), { text: "all done" }] },
        { marker: "[sub]", steps: [...sub.map((row) => row.step), { text: "part done" }] },
      ],
    });
    assert.equal(run.exitCode, 0, run.stderr);
    assert.equal(run.result, "all done");
    assert.deepEqual(
      run.hooks.filter((hook) => hook.outcome !== "success"),
      [],
    );
    for (const [marker, rows] of Object.entries({ main, "[sub]": sub })) {
      for (const [n, { refused, leaves }] of rows.entries()) {
        const told = toldOf(run, callId(marker, n));
        assert.equal(told.isError, refused !== undefined, `${told.id}: ${told.text.slice(0, 500)}`);
        if (refused)
          for (const words of refused)
            assert.ok(told.text.includes(words), `${words} is not in ${told.text.slice(0, 500)}`);
        if (leaves) assert.equal(place.read(leaves[0]), leaves[1], told.id);
      }
    }
    assert.equal(place.read("notes.txt"), "main was here\nsub was here\n");
    const refusals = run.told.filter((each) => each.isError);
    assert.deepEqual(
      refusals.map((each) => each.text),
      reasonsOf(run).map((reason, n) => `PreToolUse:${refusals[n]?.tool} hook error: ${reason}`),
    );
    for (const reason of reasonsOf(run)) assert.ok(reason.split("\n").length <= 5, reason);
    const ids = refusals.map((each) => verdictIn(each.text));
    assert.equal(new Set(ids).size, [...main, ...sub].filter((row) => row.refused).length);
    for (const id of [ids[0]!, ids.at(-1)!]) {
      const why = place.interlock("why", id);
      assert.equal(why.status, 0, why.stderr);
      assert.match(why.stdout, /rules\/user|guard\/self-protect/);
    }
  });
}

/** The reasons our hook gave, word for word, as the client reports the hook's own output. */
const reasonsOf = (run: ClaudeRun) =>
  run.hooks
    .filter((hook) => hook.event === "PreToolUse")
    .flatMap((hook) => JSON.parse(hook.stdout).hookSpecificOutput?.permissionDecisionReason ?? []) as string[];

const verdictIn = (text: string) => /\[(v-[\w-]+)\]/.exec(text)?.[1] ?? "no verdict";

test("concurrent calls are judged and recorded separately", needsClient, async (t) => {
  const place = installed(t, RULES);
  const calls = ["a", "b # deploy", "c", "d # deploy", "e", "f"].flatMap((name) => bash(`touch ${name}`).calls!);
  const run = await runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    scripts: [{ marker: "main", steps: [{ calls }, { text: "all done" }] }],
  });
  assert.equal(run.result, "all done", run.stderr);
  const made = ["a", "b", "c", "d", "e", "f"].filter((name) => place.read(name) !== undefined);
  assert.deepEqual(made, ["a", "c", "e", "f"]);
  const refused = run.told.filter((each) => each.isError).map((each) => verdictIn(each.text));
  assert.equal(new Set(refused).size, 2);
  for (const id of refused) assert.equal(place.interlock("why", id).status, 0);
});

test(
  "doctor --live proves refusals on the client, and reports a program that does not refuse",
  needsClient,
  async (t) => {
    const place = installed(t, RULES);
    const proved = place.interlock("doctor", "--live");
    assert.equal(proved.status, 0, proved.stdout + proved.stderr);
    assert.match(proved.stdout, /ok {3}live +a sub-agent's write that switches hooks off is refused/);
    assert.match(proved.stdout, /Claude Code 2\.1\.325 with the hooks of /);
    writeFileSync(place.script, "console.log('{}')");
    const toothless = place.run(process.execPath, join(root, "dist/interlock.cjs"), "doctor", "--live", "--json");
    assert.equal(toothless.status, 1, toothless.stderr);
    const red = (JSON.parse(toothless.stdout).lines as { area: string; ok: boolean; what: string }[])
      .filter((line) => line.area === "live" && !line.ok)
      .map((line) => line.what);
    assert.equal(red.length, 2);
    for (const what of red) assert.match(what, /switches hooks off is refused: not so/);
  },
);
