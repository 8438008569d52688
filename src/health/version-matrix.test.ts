// The version matrix: for each client version and kind of registration, what is enforced and what has to be repaired.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { version } from "../hook/folders.js";
import { type HookType, ourHandler } from "../hosts/claude-code/install/own-entries.js";
import { registeredEvents } from "../hosts/claude-code/protocol/events.js";
import { inspectScopes } from "../hosts/claude-code/settings/scopes.js";
import { type RunningVersions, versionMatrix } from "./version-matrix.js";
import { checkVersions } from "./versions.js";

const base = mkdtempSync(join(tmpdir(), "interlock-versions-"));
after(() => rmSync(base, { recursive: true, force: true }));

/** Programs that say a version. */
function program(name: string, says: string): string {
  const folder = join(base, name);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "interlock.cjs");
  writeFileSync(path, `console.log(${JSON.stringify(says)})`);
  return path;
}
const own = program("own", version);

interface Scene {
  client?: string;
  /** The client the entries were written for. */
  written?: string;
  door?: HookType;
  script?: string;
  running?: RunningVersions;
  others?: Record<string, string>;
  settings?: object;
}

let scenes = 0;
async function matrix({ client, written = client, door, script = own, running, others = {}, settings }: Scene) {
  const root = join(base, `project-${++scenes}`);
  mkdirSync(join(root, ".claude"), { recursive: true });
  const shim = join(root, "interlock.sh");
  writeFileSync(shim, `#!/bin/sh\nscript='${script}'\n`);
  const served =
    door === "command" || !door
      ? undefined
      : { shim, env: [], ...(door === "http" && { url: "http://127.0.0.1:23456", token: "t" }) };
  const request = { command: { node: process.execPath, script }, timeoutSeconds: 30, clientVersion: written, served };
  const hooks = Object.fromEntries(registeredEvents.map((e) => [e, [{ hooks: [ourHandler(e, request)] }]]));
  if (door) writeFileSync(join(root, ".claude/settings.json"), JSON.stringify({ hooks, ...settings }));
  const found = inspectScopes({ projectRoot: root, userHome: join(base, "nobody") }, {}, join(base, "no-managed.json"));
  const run = async (name: string) => {
    const says = name === "claude" ? client : others[name];
    if (says === undefined) throw Object.assign(new Error(), { code: "ENOENT" });
    return says;
  };
  const made = await versionMatrix(found, running, { PATH: process.env["PATH"] }, run);
  const context = { home: join(base, "home"), reopen: () => assert.fail("a check opens nothing") };
  return { ...made, lines: checkVersions(made, context) };
}

const same: RunningVersions = { worker: version, supervisor: version };
const rows: [string, Scene, "enforced" | "advisory" | "none", red: RegExp[]][] = [
  ["new client over http", { client: "2.1.325", door: "http", running: same }, "enforced", []],
  ["new client by the shim", { client: "2.1.295", door: "shim" }, "enforced", []],
  ["new client by commands", { client: "2.1.325", door: "command" }, "enforced", []],
  ["old client by the shim", { client: "2.1.197", door: "shim" }, "advisory", []],
  [
    "a client that went back, over http",
    { client: "2.1.197", written: "2.1.325", door: "http", running: same },
    "advisory",
    [/lets every call through.*; interlock init --scope project --door shim/],
  ],
  [
    "a client that was updated since",
    { client: "2.1.325", written: "2.1.197", door: "shim" },
    "advisory",
    [/registered for an older client.*; interlock init --scope project/],
  ],
  ["no client to be asked", { door: "shim" }, "advisory", []],
  ["not registered", { client: "2.1.325" }, "none", []],
  ["switched off", { client: "2.1.325", door: "shim", settings: { disableAllHooks: true } }, "none", []],
  [
    "another version is registered",
    { client: "2.1.325", door: "command", script: program("old", "0.0.9") },
    "enforced",
    [/starts version 0\.0\.9.*; interlock init --scope project/],
  ],
  [
    "the registered program is gone",
    { client: "2.1.325", door: "shim", script: join(base, "gone", "interlock.cjs") },
    "enforced",
    [/missing or does not run; interlock init --scope project/],
  ],
];
for (const [name, scene, enforcement, red] of rows)
  test(`${name}: ${enforcement}`, async () => {
    const { client, lines } = await matrix(scene);
    assert.equal(client.enforcement, enforcement, client.why);
    const bad = lines.filter((l) => !l.ok && !l.mild);
    assert.equal(bad.length, red.length, JSON.stringify(bad));
    for (const [i, pattern] of red.entries()) assert.match(`${bad[i]!.what}; ${bad[i]!.fix}`, pattern);
    for (const line of bad) assert.ok(line.repair, `--fix does it: ${line.what}`);
  });

test("an older server is renewed by interlock up, a newer one is only worth knowing", async () => {
  const lines = async (worker: string) =>
    (await matrix({ client: "2.1.325", door: "http", running: { worker, supervisor: worker } })).lines.filter(
      (l) => l.area === "version",
    );
  // From source the version is 0.0.0-source, which nothing released is older than.
  const [line] = await lines("99.0.0");
  assert.equal(line!.mild, true);
  assert.match(line!.what, /judges with version 99\.0\.0/);
  assert.deepEqual(
    (await lines(version)).map((l) => l.ok),
    [true],
  );
});

test("each event: from when, by which door, what a refusal does, what a failure means", async () => {
  const { client } = await matrix({ client: "2.1.325", door: "http", running: same });
  const of = (event: string) => client.events.find((row) => row.event === event)!;
  assert.deepEqual(of("PreToolUse"), {
    event: "PreToolUse",
    door: "http",
    refusal: "stops it",
    failing: "refuses",
  });
  assert.deepEqual(of("ConfigChange"), {
    event: "ConfigChange",
    since: "2.1.49",
    door: "http",
    refusal: "stops it",
    failing: "refuses",
  });
  assert.deepEqual(of("Stop"), {
    event: "Stop",
    door: "shim",
    refusal: "asks for another turn",
    failing: "lets it pass",
  });
  assert.equal(of("PostToolUse").refusal, "tells the agent");
});

test("other agents are listed with what they mean, those that are not installed without a word", async () => {
  const { others, lines } = await matrix({ client: "2.1.325", door: "shim", others: { codex: "codex-cli 0.166.0" } });
  assert.equal(others.find((o) => o.name === "Codex")!.version, "0.166.0");
  const told = lines.filter((l) => l.area === "other agents");
  assert.equal(told.length, 1);
  assert.match(told[0]!.what, /Codex 0\.166\.0 is installed.*not governed/);
  assert.equal(told[0]!.mild, true);
});
