// Interlock damaged or switched off: the real client must not run a protected call unnoticed.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { runClaude } from "../../src/live/claude.js";
import { callId } from "../../src/live/model.js";
import { type Installed, installed } from "./installed.js";
import { bash, binary, needsClient, toldOf } from "./workplace.js";

const RULES = "rules: [{ id: no-deploy, on: shell, match: deploy, message: deploys are for people }]\n";

const damages: Record<string, (place: Installed) => void> = {
  "is not JavaScript any more": (place) => writeFileSync(place.script, "\u0000\u0001 garbage {{{"),
  "is gone": (place) => rmSync(place.script),
  crashes: (place) => writeFileSync(place.script, "process.kill(process.pid, 'SIGSEGV')"),
  "answers malformed JSON": (place) => writeFileSync(place.script, "console.log('{bad}')"),
  "answers something else": (place) =>
    writeFileSync(place.script, `console.log('{"hookSpecificOutput":{"hookEventName":"Stop"}}')`),
  "lost the code of its gates": (place) => place.dropChunks(),
};

test(
  "a damaged program refuses what it cannot judge, reports it, and works again once repaired",
  needsClient,
  async (t) => {
    const place = installed(t, RULES);
    const cases = Object.entries(damages);
    const run = await runClaude({
      binary,
      ...place,
      mode: "bypassPermissions",
      scripts: [
        { marker: "main", steps: [...cases.map((_, n) => bash(`touch damaged-${n}`)), bash("touch repaired")] },
      ],
      between: ({ step }) => {
        place.repair();
        cases[step]?.[1](place);
      },
    });
    assert.equal(run.exitCode, 0, run.stderr);
    for (const [n, [name]] of cases.entries()) {
      const told = toldOf(run, callId("main", n));
      assert.equal(place.read(`damaged-${n}`), undefined, name);
      assert.ok(told.isError, name);
      assert.match(told.text, /blocking because onFailure is "block"|BLOCKED interlock\/fault/, name);
    }
    const before = run.hooks.filter((hook) => hook.event === "PreToolUse");
    const failed = before.filter((hook) => hook.outcome !== "success" || hook.stdout.includes("interlock/fault"));
    assert.equal(failed.length, cases.length);
    assert.equal(place.read("repaired"), "");
  },
);

const ours = (place: Installed) =>
  JSON.parse(place.read(".claude/settings.local.json")!) as { hooks: Record<string, unknown> };

// What appears in the settings behind our back in mid-session, and whether the hooks in force must stay in force.
const changes: Record<string, { change: (place: Installed) => void; kept: boolean }> = {
  "local settings that switch hooks off": {
    kept: true,
    change: (place) => place.put(".claude/settings.json", '{"disableAllHooks":true}'),
  },
  "project settings without Interlock": {
    kept: true,
    change: (place) => place.put(".claude/settings.local.json", "{}"),
  },
  "project settings with an entry that makes the client drop the file": {
    kept: true,
    change(place) {
      const { hooks } = ours(place);
      const bad = { hooks: [{ type: "command", command: "true", timeout: "5" }] };
      place.put(".claude/settings.local.json", JSON.stringify({ hooks: { ...hooks, Notification: [bad] } }));
    },
  },
  "local settings with one more permission rule": {
    kept: false,
    change: (place) => place.put(".claude/settings.json", '{"permissions":{"deny":["Bash(touch extra)"]}}'),
  },
};

test("settings that change in mid-session", needsClient, async (t) => {
  const rows = Object.entries(changes).map(([name, row]) => ({ name, ...row, place: installed(t, RULES) }));
  // Side by side: each spends its time waiting for the client to look at its settings again.
  const runs = await Promise.all(rows.map(({ place, change }) => playChange(place, change)));
  for (const [n, { name, kept, place }] of rows.entries()) {
    await t.test(`${name}: ${kept ? "not loaded" : "loaded"}, refusals hold`, () => {
      const run = runs[n]!;
      assert.equal(run.exitCode, 0, run.stderr);
      for (const step of [0, 1]) assert.match(toldOf(run, callId("main", step)).text, /BLOCKED rules\/user/);
      assert.equal(place.read("after"), undefined);
      assert.equal(place.read("extra"), kept ? "" : undefined);
    });
  }
});

const playChange = (place: Installed, change: (place: Installed) => void) =>
  runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    scripts: [
      {
        marker: "main",
        steps: [bash("touch before # deploy"), { afterMs: 4000, ...bash("touch after # deploy") }, bash("touch extra")],
      },
    ],
    between: ({ step }) => {
      if (step === 1) change(place);
    },
  });
