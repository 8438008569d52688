// The ways Interlock can be installed, and taken off again, seen from the real client.
import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runClaude } from "../../src/live/claude.js";
import { callId } from "../../src/live/model.js";
import { type Installed, installed } from "./installed.js";
import { bash, binary, call, needsClient, root, toldOf } from "./workplace.js";

const SWITCH_OFF = '{"disableAllHooks":true}';

/** An ordinary command, then a write that only a hook stands against. */
const probe = (place: Installed, ...more: string[]) =>
  runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    scripts: [
      {
        marker: "main",
        steps: [
          bash("touch ordinary"),
          call("Write", { file_path: place.path(".claude/settings.json"), content: SWITCH_OFF }),
          ...more.map(bash),
        ],
      },
    ],
  });

test("a user installation also protects a project without settings of its own", needsClient, async (t) => {
  const place = installed(t, "", { args: ["--scope", "user"] });
  assert.equal(place.read(".claude/settings.local.json"), undefined);
  const run = await probe(place);
  assert.equal(place.read("ordinary"), "");
  assert.equal(place.read(".claude/settings.json"), undefined);
  assert.match(toldOf(run, callId("main", 1)).text, /BLOCKED guard\/self-protect/);
});

test(
  "entries a team can commit: the client runs them, refusals hold, and without Interlock it works on",
  needsClient,
  async (t) => {
    const place = installed(t, "", { args: ["--scope", "project"] });
    const committed = place.read(".claude/settings.json");
    const run = await probe(place);
    assert.equal(place.read("ordinary"), "");
    assert.equal(place.read(".claude/settings.json"), committed);
    assert.match(toldOf(run, callId("main", 1)).text, /BLOCKED guard\/self-protect/);
    const proved = place.interlock("doctor", "--live");
    assert.equal(proved.status, 0, proved.stdout + proved.stderr);
    rmSync(join(place.home, ".local/state/interlock"), { recursive: true });
    const alone = await probe(place);
    assert.equal(alone.exitCode, 0, alone.stderr);
    assert.equal(place.read(".claude/settings.json"), SWITCH_OFF, "nobody is locked out");
  },
);

test("installed for user and project, each call is judged and recorded once", needsClient, async (t) => {
  const place = installed(t);
  assert.equal(place.interlock("init", "--yes", "--scope", "user", "--door", "command").status, 0);
  const before = recorded(place);
  const run = await probe(place);
  assert.equal(place.read(".claude/settings.json"), undefined);
  const judged = run.hooks.filter((hook) => hook.event === "PreToolUse").length;
  assert.equal(judged, 2);
  assert.equal(recorded(place).calls - before.calls, 2);
});

test("uninstall restores the settings, and the client is free again", needsClient, async (t) => {
  const original = '{\n\t"permissions": { "deny": ["Bash(touch forbidden)"] }\n}';
  const place = installed(t, "", { prepare: (empty) => void empty.put(".claude/settings.local.json", original) });
  assert.notEqual(place.read(".claude/settings.local.json"), original);
  const governed = await probe(place, "touch forbidden");
  assert.equal(place.read(".claude/settings.json"), undefined);
  assert.equal(place.read("forbidden"), undefined);
  assert.equal(governed.exitCode, 0);
  assert.equal(place.interlock("uninstall", "--yes").status, 0);
  assert.equal(place.read(".claude/settings.local.json"), original);
  const free = await probe(place, "touch forbidden");
  assert.equal(place.read(".claude/settings.json"), SWITCH_OFF);
  assert.equal(place.read("forbidden"), undefined, "the user's own rule holds as before");
  assert.deepEqual(free.hooks, []);
});

test(
  "adopted hooks run once, in order, with the environment they expect, and their answers count",
  needsClient,
  async (t) => {
    const place = installed(t, "", {
      args: ["--adopt"],
      prepare(empty) {
        const log = empty.path("hooks.log");
        const first = `cat > /dev/null; echo "first $CLAUDE_TOOL_NAME" >> '${log}'`;
        const refusal = `case "$(cat)" in *harmful*) echo "second says no" >&2; exit 2 ;; esac`;
        const second = `${refusal}; echo "second" >> '${log}'`;
        const group = (command: string) => ({ matcher: "Bash", hooks: [{ type: "command", command }] });
        const settings = { hooks: { PreToolUse: [group(first), group(second)] } };
        empty.put(".claude/settings.local.json", JSON.stringify(settings));
      },
    });
    const run = await probe(place, "touch harmful");
    assert.equal(run.exitCode, 0, run.stderr);
    assert.equal(place.read("ordinary"), "");
    assert.equal(place.read("harmful"), undefined);
    assert.match(toldOf(run, callId("main", 2)).text, /second says no/);
    assert.equal(place.read("hooks.log"), "first Bash\nsecond\nfirst Bash\n");
  },
);

test(
  "the record of a real session is complete and verifies, with ours and the independent verifier",
  needsClient,
  async (t) => {
    const place = installed(t);
    const before = recorded(place);
    const run = await probe(place, "exit 3");
    assert.equal(run.exitCode, 0, run.stderr);
    const after = recorded(place);
    assert.deepEqual(
      [after.calls - before.calls, after.ended - before.ended, after.refused - before.refused, after.open.length],
      [3, 2, 1, 0],
    );
    const home = join(place.home, ".local/state/interlock");
    const [id] = readdirSync(join(home, "projects"));
    const independent = place.run(process.execPath, join(root, "scripts/verify-ledger.mjs"), home, id!, "--json");
    assert.equal(independent.status, 0, independent.stdout + independent.stderr);
    assert.equal(JSON.parse(independent.stdout).records, after.records);
  },
);

function recorded(place: Installed) {
  const verified = place.interlock("verify", "--json");
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  const { integrity, completeness } = JSON.parse(verified.stdout) as {
    integrity: { records: number };
    completeness: { calls: number; ended: number; refused: number; open: unknown[] };
  };
  return { ...completeness, records: integrity.records };
}
