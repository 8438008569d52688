// Doctor's findings and what --fix does about them, with the built program; the version matrix in both forms.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { serverPid } from "../../src/hook/server-address.js";
import { type Place, place, program } from "./server.js";

interface Line {
  area: string;
  ok: boolean;
  mild?: boolean;
  what: string;
  fix?: string;
}
const doctor = (at: Place, ...args: string[]) => {
  const run = at.interlock("doctor", "--json", ...args);
  return { status: run.status, ...(JSON.parse(run.stdout) as { lines: Line[]; versions: Record<string, never> }) };
};
const red = (lines: Line[]) => lines.filter((l) => !l.ok && !l.mild);

/** A stand-in that only says its version. */
function client(at: Place, version: string): void {
  const bin = join(at.base, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "claude"), `#!/bin/sh\necho "${version} (Claude Code)"\n`, { mode: 0o755 });
  at.env["PATH"] = `${bin}:${at.env["PATH"]}`;
}

test("the matrix shows versions, hook types and what is enforced, as text and as JSON", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  client(at, "2.1.325");
  assert.equal(at.interlock("init", "--yes").status, 0);
  const { stdout, status } = at.interlock("doctor", "--full");
  assert.equal(status, 0, stdout);
  assert.match(stdout, /node +\d+\.\d+\.\d+ +least 20/);
  assert.match(stdout, /Claude Code +2\.1\.325 +tested with 2\.1\.325/);
  assert.match(stdout, /PreToolUse +any +http +stops it +refused/);
  assert.match(stdout, /SessionStart +any +command/);
  assert.match(stdout, /enforced: refusals hold/);
  const { versions } = doctor(at) as unknown as { versions: { interlock: Record<string, unknown>; client: object } };
  assert.equal(versions.interlock["server"], versions.interlock["here"]);
  assert.equal((versions.client as { enforcement: string }).enforcement, "enforced");
});

test("a downgraded client is found, and --fix registers the shim in the same scope", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  client(at, "2.1.325");
  assert.equal(at.interlock("init", "--yes", "--scope", "local").status, 0);
  client(at, "2.1.197");
  const [line] = red(doctor(at).lines);
  assert.match(line!.what, /calls the server over http, and Claude Code 2\.1\.197 lets every call through/);
  const fixed = doctor(at, "--fix", "--yes");
  assert.deepEqual(red(fixed.lines), []);
  const settings = readFileSync(join(at.project, ".claude/settings.local.json"), "utf8");
  assert.doesNotMatch(settings, /"http"/);
  assert.equal(existsSync(join(at.project, ".claude/settings.json")), false, "no second registration");
});

test("disableAllHooks, a readable folder and a missing hook are repaired in one run", (t) => {
  const at = place(t);
  assert.equal(at.interlock("init", "--yes", "--door", "command").status, 0);
  const file = join(at.project, ".claude/settings.local.json");
  const settings = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, unknown> };
  delete settings.hooks["ConfigChange"];
  writeFileSync(file, JSON.stringify({ model: "x", disableAllHooks: true, ...settings }, null, 2));
  chmodSync(at.home, 0o755);
  const before = doctor(at);
  assert.equal(before.status, 1);
  for (const line of red(before.lines)) assert.ok(line.fix, line.what);
  const after = doctor(at, "--fix", "--yes");
  assert.deepEqual(red(after.lines), []);
  const repaired = JSON.parse(readFileSync(file, "utf8")) as {
    model: string;
    disableAllHooks?: boolean;
    hooks: object;
  };
  assert.equal(repaired.disableAllHooks, undefined);
  assert.equal(repaired.model, "x");
  assert.ok("ConfigChange" in repaired.hooks);
  assert.equal(statSync(at.home).mode & 0o777, 0o700);
});

test("what only the user can decide stays a problem and names the command", (t) => {
  const at = place(t);
  assert.equal(at.interlock("init", "--yes", "--door", "command").status, 0);
  writeFileSync(join(at.project, "interlock.yaml"), "rulez: []\n");
  const { lines, status } = doctor(at, "--fix", "--yes");
  assert.equal(status, 1);
  assert.match(red(lines)[0]!.fix!, /interlock config check/);
});

test("files that others can read are made private: the server's, and settings with its token", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  chmodSync(at.base, 0o755);
  mkdirSync(join(at.base, ".claude"));
  const file = join(at.base, ".claude/settings.json");
  writeFileSync(file, "{}\n", { mode: 0o644 });
  assert.equal(at.interlock("init", "--yes", "--door", "http", "--scope", "user").status, 0);
  assert.equal(at.interlock("init", "--yes", "--door", "http", "--scope", "local").status, 0);
  const mode = (path: string) => statSync(path).mode & 0o777;
  assert.equal(mode(join(at.project, ".claude/settings.local.json")), 0o600, "made by us");
  assert.equal(mode(file), 0o644, "the user's own, as it was");
  chmodSync(join(at.home, "server/door.json"), 0o644);
  chmodSync(join(at.home, "server"), 0o755);
  const { lines } = doctor(at);
  assert.equal(red(lines).length, 2);
  assert.ok(lines.some((l) => l.mild && /can be read by other users, and the secret/.test(l.what)));
  assert.deepEqual(red(doctor(at, "--fix", "--yes").lines), []);
  assert.equal(mode(join(at.home, "server/door.json")), 0o600);
  assert.equal(mode(join(at.home, "server")), 0o700);
  assert.equal(mode(file), 0o600);
});

test("a locked folder and a damaged address file are repaired", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("init", "--yes", "--door", "http").status, 0);
  const door = readFileSync(join(at.home, "server/door.json"), "utf8");
  at.interlock("down");
  for (const damaged of [
    "",
    "{",
    "[]",
    door.replace(/"port": \d+/, '"port": 99999'),
    door.replace(/"socket": "/, '"socket": "x'),
  ]) {
    writeFileSync(join(at.home, "server/door.json"), damaged);
    assert.match(red(doctor(at).lines)[0]!.what, /not running/);
    assert.deepEqual(red(doctor(at, "--fix", "--yes").lines), []);
    assert.equal(readFileSync(join(at.home, "server/door.json"), "utf8"), door, "the address that is registered");
    at.interlock("down");
  }
  chmodSync(join(at.home, "server"), 0o000);
  assert.match(at.interlock("up").stderr, /its mode keeps you out\n {2}fix: chmod 700/);
  assert.deepEqual(red(doctor(at, "--fix", "--yes").lines), []);
});

type Handler = Record<string, unknown> & { headers: Record<string, string> };
type Settings = { hooks: Record<string, { matcher?: string; hooks: Handler[] }[]> } & Record<string, unknown>;

/** What a probe alone would not see, or could not repair. */
const breakages: [string, string, (at: Place, settings: Settings, call: Handler) => string | undefined, RegExp][] = [
  ["a matcher", "http", (_, s) => void (s.hooks["PreToolUse"]![0]!.matcher = "Bash"), /asked about for "Bash" only/],
  [
    "a time the client minds",
    "http",
    (_, __, call) => void (call["timeout"] = 0),
    /Claude Code ignores the whole file/,
  ],
  ["answers nobody waits for", "command", (_, __, call) => void (call["async"] = true), /async is true/],
  ["an address left out", "http", (_, s) => void (s["allowedHttpHookUrls"] = []), /allowedHttpHookUrls leaves out/],
  [
    "hooks dropped by a variable",
    "http",
    (at) => {
      mkdirSync(join(at.base, ".claude"));
      writeFileSync(join(at.base, ".claude/settings.json"), '{"env":{"CLAUDE_CODE_SIMPLE":"1"}}');
      return undefined;
    },
    /drops all hooks/,
  ],
  ["a comma too many", "http", (_, s) => JSON.stringify(s).replace(/\}$/, ",}"), /trailing comma/],
  [
    "a shim that says yes",
    "shim",
    (at) => void writeFileSync(join(at.home, "bin/interlock.sh"), "echo '{}'\n"),
    /is not as this version writes it/,
  ],
  [
    "two doors at once",
    "http",
    (at) => void at.interlock("init", "--yes", "--scope", "user", "--door", "command"),
    /judged and counted twice/,
  ],
];
for (const [name, door, damage, said] of breakages)
  test(`doctor finds ${name}, and --fix repairs it`, (t) => {
    const at = place(t);
    at.before(() => at.interlock("down"));
    client(at, "2.1.325");
    assert.equal(at.interlock("init", "--yes", "--door", door).status, 0);
    const file = join(at.project, ".claude/settings.local.json");
    const settings = JSON.parse(readFileSync(file, "utf8")) as Settings;
    const text = damage(at, settings, settings.hooks["PreToolUse"]![0]!.hooks[0]!);
    writeFileSync(file, text ?? JSON.stringify(settings, null, 2));
    const found = red(doctor(at).lines);
    assert.ok(
      found.some((line) => said.test(line.what)),
      found.map((line) => line.what).join("\n"),
    );
    for (const line of found) assert.ok(line.fix, line.what);
    assert.deepEqual(red(doctor(at, "--fix", "--yes").lines), []);
  });

test("an invalid JSON file is left to the user: one finding, nothing written", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  client(at, "2.1.325");
  assert.equal(at.interlock("init", "--yes", "--door", "command").status, 0);
  const file = join(at.project, ".claude/settings.local.json");
  const torn = readFileSync(file, "utf8").slice(0, -5);
  writeFileSync(file, torn);
  const left = red(doctor(at, "--fix", "--yes").lines);
  assert.equal(left.length, 1);
  assert.match(left[0]!.what, /it is not JSON: line \d+/);
  assert.match(left[0]!.fix!, /correct .*settings\.local\.json, then run: interlock doctor/);
  assert.equal(readFileSync(file, "utf8"), torn);
});

test("a suspended server: status says so, doctor waits once, and --fix replaces it", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("init", "--yes", "--door", "http").status, 0);
  const pid = serverPid(at.home)!;
  process.kill(pid, "SIGSTOP");
  const status = at.interlock("status");
  assert.equal(status.status, 5);
  assert.match(status.stdout, /does not answer[^]*next: interlock doctor/);
  assert.deepEqual(red(doctor(at, "--fix", "--yes").lines), []);
  assert.notEqual(serverPid(at.home), pid);
});

for (const door of ["http", "shim", "command"])
  test(`folders with every odd character, ${door}: installs, passes doctor, a second init has nothing to do`, (t) => {
    const at = place(t);
    const base = join(at.base, 'it\'s an "odd" $(place) with a\nline, back\\slash and ünïcode ');
    const dist = join(base, "pack age'/dist");
    const project = join(base, "pro ject'");
    cpSync(dirname(program), dist, { recursive: true });
    mkdirSync(project);
    at.run("git", ["init", "-q", project]);
    client(at, "2.1.325");
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(dist, "interlock.cjs"), ...args], {
        cwd: project,
        env: { ...at.env, HOME: base },
        encoding: "utf8",
      });
    at.before(() => run("down"));
    const init = run("init", "--yes", "--door", door);
    assert.equal(init.status, 0, init.stdout + init.stderr);
    assert.match(run("init", "--yes").stdout, /Nothing to do/);
    const { lines } = JSON.parse(run("doctor", "--json").stdout) as { lines: Line[] };
    assert.deepEqual(red(lines), []);
  });

test("--fix without a terminal and without --yes lists the repairs and changes nothing", (t) => {
  const at = place(t);
  assert.equal(at.interlock("init", "--yes", "--door", "command").status, 0);
  const file = join(at.project, ".claude/settings.local.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("{", '{\n  "disableAllHooks": true,'));
  chmodSync(at.home, 0o755);
  const settings = readFileSync(file, "utf8");
  const run = at.interlock("doctor", "--fix");
  assert.equal(run.status, 1);
  const plan = /--fix will:\n( {2}make .* readable by you alone\n)( {2}remove what switches hooks off from .*\n)/;
  assert.match(run.stderr, plan);
  assert.match(run.stderr, /run again with --yes[^]*Nothing was changed\./);
  assert.equal(readFileSync(file, "utf8"), settings);
  assert.equal(statSync(at.home).mode & 0o777, 0o755);
});
