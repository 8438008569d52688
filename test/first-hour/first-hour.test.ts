// A newcomer's first hour with the built program: install, commit, a teammate without Interlock, the package removed
// and installed again, uninstall byte for byte.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readAddress } from "../../src/hook/server-address.js";
import type { JsonObject } from "../../src/model/json.js";
import { everything, forbidden, isRefused, type Machine, machines, ordinary, repository } from "./newcomer.js";

const local = ".claude/settings.local.json";
const shared = ".claude/settings.json";

/** Nothing of one machine: no path, port or token. */
function assertNothingOf({ base, home }: Machine, text: string): void {
  const address = readAddress(join(home, ".local/state/interlock"));
  assert.ok(!text.includes(base), "a path of this machine");
  if (!address) return;
  assert.ok(!text.includes(address.token), "the server's token");
  assert.ok(!text.includes(String(address.port)), "the server's port");
}

test("install, git add -A, uninstall: nothing of this machine is committed, and every byte comes back", (t) => {
  const ann = machines(t)("ann");
  ann.installPackage();
  const root = repository(ann);
  // A file of the user's own, with tabs, CRLF and no line end.
  writeFileSync(join(root, local), '{\r\n\t"permissions": {"allow": ["Bash(ls:*)"]}\r\n}');
  const before = everything(root);
  const dry = ann.interlock(root, "init", "--dry-run");
  assert.deepEqual(everything(root), before);
  const init = ann.interlock(root, "init", "--yes");
  assert.equal(init.status, 0, init.stdout + init.stderr);
  const steps = (text: string) => text.slice(text.indexOf("This will:"), text.indexOf("(--full shows them)"));
  assert.equal(steps(init.stdout), steps(dry.stdout), "the dry run shows the same change");
  assert.ok(init.stdout.split("\n").length <= 24, `one screen:\n${init.stdout}`);
  assert.match(init.stdout, /hooks +2 of others \(PostToolUse, Stop\), which stay/);
  assert.match(
    init.stdout,
    /enforced +guard \(standard\): destructive commands, .*\nobserved +discipline: .*never refused/,
  );
  assert.match(init.stdout, /proved +2 forbidden calls were refused, 4 ordinary ones passed/);

  writeFileSync(join(root, "new.txt"), "work\n");
  ann.git(root, "add", "-A");
  ann.git(root, "commit", "-qm", "work");
  assert.equal(ann.git(root, "show", "--name-only", "--format=").trim(), "new.txt");
  assertNothingOf(ann, ann.git(root, "log", "-p", "--all"));

  const uninstall = ann.interlock(root, "uninstall", "--yes");
  assert.equal(uninstall.status, 0, uninstall.stderr);
  assert.deepEqual(everything(root), { ...before, "new.txt": "work\n" });
});

test("--scope project: a team commits the entries; without Interlock one line says how to get it", (t) => {
  const machine = machines(t);
  const [ann, ben] = [machine("ann"), machine("ben")];
  ann.installPackage();
  const root = repository(ann);
  const before = everything(root);
  const init = ann.interlock(root, "init", "--yes", "--scope", "project");
  assert.equal(init.status, 0, init.stdout + init.stderr);
  assert.match(init.stdout, /git add \.claude\/settings\.json/);
  assert.ok(isRefused(ann.hook(root, shared, "PreToolUse", forbidden(root))));
  assert.ok(!isRefused(ann.hook(root, shared, "PreToolUse", ordinary(root))));
  ann.git(root, "add", "-A");
  ann.git(root, "commit", "-qm", "Interlock for all of us");
  assert.equal(ann.git(root, "show", "--name-only", "--format=").trim(), shared);
  assertNothingOf(ann, readFileSync(join(root, shared), "utf8"));

  const clone = join(ben.base, "clone");
  ben.git(ben.base, "clone", "-q", root, clone);
  const call = (payload = ordinary(clone)) => ben.hook(clone, shared, "PreToolUse", payload);
  for (const payload of [ordinary(clone), forbidden(clone)]) {
    const { status, stdout, stderr } = call(payload);
    assert.deepEqual([status, stdout, stderr], [0, "", ""], "nobody is locked out");
  }
  const start = ben.hook(clone, shared, "SessionStart", { source: "startup" });
  assert.equal(start.status, 0);
  const { systemMessage } = JSON.parse(start.stdout) as { systemMessage: string };
  assert.match(systemMessage, /^[^\n]*npm install -g agent-interlock, then: interlock init$/);
  for (const event of ["Stop", "UserPromptSubmit", "SessionEnd"])
    assert.deepEqual(ben.hook(clone, shared, event, {}).stdout, "", event);

  writeFileSync(join(clone, "interlock.yaml"), "required: true\n");
  const denied = call();
  assert.ok(isRefused(denied), denied.stdout);
  assert.match(denied.stdout, /npm install -g agent-interlock/);

  ben.installPackage();
  const joined = ben.interlock(clone, "init", "--yes");
  assert.equal(joined.status, 0, joined.stdout + joined.stderr);
  assert.equal(ben.git(clone, "status", "--short").trim(), "?? interlock.yaml", "the committed entries fit everyone");
  assert.ok(!existsSync(join(clone, local)), "no second set of entries");
  assert.ok(isRefused(call(forbidden(clone))));
  assert.ok(!isRefused(call()));
  const doctor = ben.interlock(clone, "doctor");
  assert.equal(doctor.status, 0, doctor.stdout);

  assert.equal(ann.interlock(root, "uninstall", "--yes").status, 0);
  assert.deepEqual(everything(root), before);
});

test("--scope project with the package only in node_modules: the entry finds it there", (t) => {
  const machine = machines(t);
  const [ann, ben] = [machine("ann"), machine("ben")];
  ann.installPackage();
  const root = repository(ann);
  assert.equal(ann.interlock(root, "init", "--yes", "--scope", "project", "--door", "command").status, 0);
  const modules = join(root, "node_modules/.bin");
  mkdirSync(modules, { recursive: true });
  const run = `#!/bin/sh\nexec '${process.execPath}' '${join(process.cwd(), "dist/interlock.cjs")}' "$@"\n`;
  writeFileSync(join(modules, "agent-interlock"), run, { mode: 0o755 });
  const off = { INTERLOCK_SERVER: "off" };
  assert.ok(isRefused(ben.hook(root, shared, "PreToolUse", forbidden(root), off)));
});

test("an http entry is not for a file a team commits", (t) => {
  const ann = machines(t)("ann");
  ann.installPackage();
  const root = repository(ann);
  const { status, stderr } = ann.interlock(root, "init", "--yes", "--scope", "project", "--door", "http");
  assert.equal(status, 2);
  assert.match(stderr, /use --scope local or user/);
});

for (const door of ["http", "shim", "command"])
  test(`package removed without uninstall, ${door}: calls are judged; reinstalled: nothing to do`, async (t) => {
    const ann = machines(t)("ann");
    ann.installPackage();
    const root = repository(ann);
    const before = everything(root);
    assert.equal(ann.interlock(root, "init", "--yes", "--door", door).status, 0);
    ann.removePackage();
    const ask = (payload: JsonObject) =>
      door === "http" ? ann.httpHook(root, local, payload) : ann.hook(root, local, "PreToolUse", payload);
    assert.ok(isRefused(await ask(forbidden(root))));
    assert.ok(!isRefused(await ask(ordinary(root))));
    ann.installPackage();
    const again = ann.interlock(root, "init");
    assert.match(again.stdout, /Nothing to do/, again.stdout + again.stderr);
    assert.equal(ann.interlock(root, "uninstall", "--yes").status, 0);
    assert.deepEqual(everything(root), before);
  });

test("three commands from init to discipline enforced, each named by the screen before", (t) => {
  const ann = machines(t)("ann");
  ann.installPackage();
  const root = repository(ann);
  const init = ann.interlock(root, "init", "--yes");
  assert.match(init.stdout, /^ {2}interlock enable discipline /m);
  const enable = ann.interlock(root, "enable", "discipline");
  assert.equal(enable.status, 0, enable.stderr);
  assert.match(enable.stdout, /Next: interlock status/);
  const { packs } = JSON.parse(ann.interlock(root, "status", "--json").stdout) as {
    packs: { id: string; mode: string; enabled: boolean }[];
  };
  const discipline = packs.find((each) => each.id === "discipline")!;
  assert.deepEqual([discipline.enabled, discipline.mode], [true, "enforce"]);
  assert.match(readFileSync(join(root, "interlock.yaml"), "utf8"), /^# yaml-language-server: \$schema=https/);
  assert.equal(ann.interlock(root, "config", "check").status, 0);
});
