// `init` plans, asks, then acts: until somebody has agreed, nothing is started, written or copied.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readAddress, serverPid } from "../../src/hook/server-address.js";
import { residenceOf } from "../../src/project/protected/own-server.js";
import { type Place, place, program } from "../server/server.js";

/** Every file below a folder with what is in it, and every folder. */
function everything(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.map((name) => {
      const stat = statSync(join(folder, name));
      return [name, stat.isFile() ? readFileSync(join(folder, name), "utf8") : `folder ${stat.mode}`];
    }),
  );
}

const processesOf = (at: Place) => residenceOf(at.home).processes;

/** A stand-in for Claude Code that only prints its version. */
function client(at: Place, version: string): void {
  const bin = join(at.base, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "claude"), `#!/bin/sh\necho "${version} (Claude Code)"\n`, { mode: 0o755 });
  at.env["PATH"] = `${bin}:${at.env["PATH"]}`;
}

const difference = (text: string) => text.slice(text.indexOf("--- "), text.lastIndexOf("\n+}") + 3);

const ways: [string, string[]][] = [
  ["without a terminal", []],
  ["with --dry-run", ["--dry-run"]],
  ["with --json and no terminal", ["--json"]],
];
for (const version of ["2.1.325", "2.1.197"])
  for (const [name, args] of ways)
    test(`init ${name}, Claude Code ${version}: nothing is left behind`, (t) => {
      const at = place(t);
      client(at, version);
      const before = everything(at.base);
      const run = at.interlock("init", ...args);
      assert.equal(run.status, args.includes("--dry-run") ? 0 : 1, run.stdout + run.stderr);
      assert.match(run.stdout + run.stderr, /Nothing was written/);
      assert.match(run.stdout + run.stderr, /start the server on 127\.0\.0\.1:\d+/);
      assert.deepEqual(everything(at.base), before);
      assert.deepEqual(processesOf(at), []);
    });

test("init from npx's cache, refused: the program is not copied", (t) => {
  const at = place(t);
  const cached = join(at.base, ".npm/_npx/abc/node_modules/agent-interlock/dist");
  cpSync(dirname(program), cached, { recursive: true });
  const before = everything(at.base);
  const run = at.run(process.execPath, [join(cached, "interlock.cjs"), "init"]);
  assert.match(run.stdout, /copy the program to .*versions/);
  assert.match(run.stderr, /Nothing was written\./);
  assert.deepEqual(everything(at.base), before);
});

const canType = spawnSync("sh", ["-c", "command -v script"]).status === 0;
test("init refused at a terminal: nothing is left behind", { skip: !canType && "needs script(1)" }, (t) => {
  const at = place(t);
  client(at, "2.1.325");
  const before = everything(at.base);
  const init = `'${process.execPath}' '${program}' init`;
  const { stdout } = at.run("sh", ["-c", 'script -qec "$1" /dev/null', "sh", init], "n\n");
  assert.match(stdout, /Do this\? \[y\/N\]/);
  assert.match(stdout, /Nothing was written\./);
  assert.deepEqual(everything(at.base), before);
  assert.deepEqual(processesOf(at), []);
});

test("init --dry-run and init show the same difference, without the secret", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  client(at, "2.1.325");
  const dry = at.interlock("init", "--dry-run", "--full").stdout;
  const real = at.interlock("init", "--yes", "--full").stdout;
  assert.match(difference(dry), /"x-interlock-token": "\(secret\)"/);
  assert.equal(difference(real), difference(dry));
  const { token, port } = readAddress(at.home)!;
  assert.ok(!real.includes(token));
  const settings = readFileSync(join(at.project, ".claude/settings.local.json"), "utf8");
  assert.ok(settings.includes(token) && settings.includes(`127.0.0.1:${port}/`));
  assert.notEqual(serverPid(at.home), undefined);
});

test("init where everything is in place does nothing, and one that lacks only the server starts only that", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  client(at, "2.1.325");
  assert.equal(at.interlock("init", "--yes").status, 0);
  const settings = readFileSync(join(at.project, ".claude/settings.local.json"), "utf8");
  assert.match(at.interlock("init").stdout, /Nothing to do/);
  at.interlock("down");
  const asked = at.interlock("init");
  assert.match(asked.stdout, /This will:\n {2}start the server/);
  assert.match(asked.stderr, /Nothing was written\./);
  assert.equal(serverPid(at.home), undefined);
  assert.equal(at.interlock("init", "--yes").status, 0);
  assert.notEqual(serverPid(at.home), undefined);
  assert.equal(readFileSync(join(at.project, ".claude/settings.local.json"), "utf8"), settings);
});

test("a server that cannot start: init says so, names the way without one, and leaves the settings alone", (t) => {
  const at = place(t);
  client(at, "2.1.325");
  mkdirSync(join(at.home, "server/lock/in the way"), { recursive: true });
  const run = at.interlock("init", "--yes");
  assert.equal(run.status, 1, run.stdout);
  assert.match(
    run.stderr,
    /settings\.local\.json was not changed\n {2}fix: .*interlock init --scope local --door command/,
  );
  assert.equal(existsSync(join(at.project, ".claude/settings.local.json")), false);
});
