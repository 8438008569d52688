// An Interlock that is damaged, or that somebody tries to switch off: the real client must not run a protected call unseen.
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

for (const [name, damage] of Object.entries(damages)) {
  test(`a program that ${name} refuses what it cannot judge, and it is seen`, needsClient, async (t) => {
    const place = installed(t, RULES);
    const run = await runClaude({
      binary,
      ...place,
      mode: "bypassPermissions",
      scripts: [{ marker: "main", steps: [bash("touch before"), bash("touch after")] }],
      between: ({ step }) => {
        if (step === 1) damage(place);
      },
    });
    assert.equal(run.exitCode, 0, run.stderr);
    assert.equal(place.read("before"), "");
    assert.equal(place.read("after"), undefined);
    const told = toldOf(run, callId("main", 1));
    assert.ok(told.isError);
    assert.match(told.text, /blocking because onFailure is "block"|BLOCKED interlock\/fault/);
    const failed = run.hooks.filter((hook) => hook.outcome !== "success" || /could not judge/.test(hook.stdout));
    assert.ok(failed.length > 0);
  });
}

const ours = (place: Installed) =>
  JSON.parse(place.read(".claude/settings.json")!) as { hooks: Record<string, unknown> };

// What appears in the settings behind our back in mid-session, and whether the hooks in force must stay in force.
const changes: Record<string, { change: (place: Installed) => void; kept: boolean }> = {
  "local settings that switch hooks off": {
    kept: true,
    change: (place) => place.put(".claude/settings.local.json", '{"disableAllHooks":true}'),
  },
  "project settings without Interlock": { kept: true, change: (place) => place.put(".claude/settings.json", "{}") },
  "project settings with an entry that makes the client drop the file": {
    kept: true,
    change(place) {
      const { hooks } = ours(place);
      const bad = { hooks: [{ type: "command", command: "true", timeout: "5" }] };
      place.put(".claude/settings.json", JSON.stringify({ hooks: { ...hooks, Notification: [bad] } }));
    },
  },
  "local settings with one more permission rule": {
    kept: false,
    change: (place) => place.put(".claude/settings.local.json", '{"permissions":{"deny":["Bash(touch extra)"]}}'),
  },
};

for (const [name, { change, kept }] of Object.entries(changes)) {
  test(`${name}: ${kept ? "not loaded, refusals hold" : "loaded, refusals hold"}`, needsClient, async (t) => {
    const place = installed(t, RULES);
    const run = await runClaude({
      binary,
      ...place,
      mode: "bypassPermissions",
      scripts: [
        {
          marker: "main",
          steps: [
            bash("touch before # deploy"),
            { afterMs: 3500, ...bash("touch after # deploy") },
            bash("touch extra"),
          ],
        },
      ],
      between: ({ step }) => {
        if (step === 1) change(place);
      },
    });
    assert.equal(run.exitCode, 0, run.stderr);
    for (const step of [0, 1]) assert.match(toldOf(run, callId("main", step)).text, /BLOCKED rules\/user/);
    assert.equal(place.read("after"), undefined);
    assert.equal(place.read("extra"), kept ? "" : undefined);
  });
}
