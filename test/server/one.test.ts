// One server per home: two started at once make one; `down` ends it; a home that is gone takes its server with it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readAddress, serverPid } from "../../src/hook/server-address.js";
import { draftAddress, writeAddress } from "../../src/server/new-address.js";
import { ordinary, type Place, place, program, send, until } from "./server.js";

test("six concurrent starts make one server; a second up says so; down ends it", async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  const starters = Array.from({ length: 6 }, () =>
    spawn(process.execPath, [program, "up", "--json"], {
      cwd: at.project,
      env: at.env,
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  const said = await Promise.all(
    starters.map(async (child) => {
      let text = "";
      child.stdout.on("data", (part) => (text += part));
      const [code] = await once(child, "close");
      assert.equal(code, 0, text);
      return JSON.parse(text) as { pid: number };
    }),
  );
  assert.equal(new Set(said.map((each) => each.pid)).size, 1);
  const again = at.interlock("up");
  assert.match(again.stdout, /runs already/);
  assert.equal(at.interlock("down").status, 0);
  assert.equal(serverPid(at.home), undefined);
  assert.match(at.interlock("down").stdout, /No server was running/);
});

test("socket and files are the user's alone", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("up").status, 0);
  const mode = (name: string) => statSync(join(at.home, "server", name)).mode & 0o777;
  assert.equal(mode("."), 0o700);
  for (const name of ["door.json", "socket", "lock", "log"]) assert.equal(mode(name), 0o600, name);
});

test("the address survives a restart; a server whose home is removed ends", async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  at.interlock("up");
  const door = readAddress(at.home)!;
  const pid = serverPid(at.home)!;
  process.kill(pid, "SIGKILL");
  await until(() => serverPid(at.home) !== pid);
  assert.match(at.interlock("up").stdout, /started|runs already/);
  assert.deepEqual(readAddress(at.home), door);
  await send(door, ordinary(at));
  const second = serverPid(at.home)!;
  // It may still be writing: an answer leaves as soon as its record counts.
  await until(() => {
    try {
      rmSync(at.home, { recursive: true, force: true, maxRetries: 5 });
      return true;
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "ENOTEMPTY");
      return false;
    }
  });
  await until(() => !alive(second));
});

test("up reports a port taken by another program, with the repair", async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("init", "--yes", "--door", "http").status, 0);
  at.interlock("down");
  const other = createServer().listen(readAddress(at.home)!.port, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const up = spawn(process.execPath, [program, "up"], {
    cwd: at.project,
    env: at.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  up.stderr.on("data", (part) => (said += part));
  assert.deepEqual(await once(up, "close"), [1, null]);
  assert.match(said, /is taken by another program/);
  assert.match(said, /interlock up --new-port/);
  assert.equal(at.interlock("up", "--new-port").status, 0);
  await send(readAddress(at.home)!, ordinary(at));
});

test("a taken port that no registered hook calls is replaced", async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  writeAddress(at.home, { ...draftAddress(at.home), port });
  assert.equal(at.interlock("up").status, 0);
  assert.notEqual(readAddress(at.home)!.port, port);
  await send(readAddress(at.home)!, ordinary(at));
});

const inTheWay: [string, (at: Place) => string][] = [
  ["Interlock's folder", (at) => at.home],
  ["the server's folder", (at) => join(at.home, "server")],
];
for (const [name, pathIn] of inTheWay)
  test(`a file in the place of ${name}: every command says so with the repair, and doctor --fix moves it away`, (t) => {
    const at = place(t);
    at.before(() => at.interlock("down"));
    const path = pathIn(at);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, "something");
    for (const command of ["up", "down", "serve"]) {
      const run = at.interlock(command);
      assert.equal(run.status, 1, command);
      assert.match(run.stderr, /is no folder\n {2}fix: mv /, command);
    }
    const red = at.interlock("doctor");
    assert.match(red.stdout, /BAD {2}folder +[^\n]* is no folder[^\n]*\n +fix: mv /);
    const fixed = at.interlock("doctor", "--fix", "--yes");
    assert.equal(fixed.status, 0, fixed.stdout + fixed.stderr);
    assert.equal(readFileSync(`${path}.old`, "utf8"), "something");
    assert.equal(at.interlock("up").status, 0);
  });

test("unknown words and values are errors", (t) => {
  const at = place(t);
  const rows: [string[], RegExp][] = [
    [["up", "now"], /takes no word "now"/],
    [["down", "stay"], /takes no word "stay"; did you mean --stay\?/],
    [["doctor", "fix"], /did you mean --fix\?/],
    [["serve", "idle"], /takes no word/],
    [["up", "--idle", "soon"], /whole number of minutes/],
    [["up", "--idle=-1"], /whole number of minutes/],
    [["up", "--idle", "0.5"], /whole number of minutes/],
    [["up", "--idle", "99999999999999999999"], /whole number of minutes/],
    [["up", "--idel", "5"], /did you mean --idle\?/],
  ];
  for (const [args, said] of rows) {
    const run = at.interlock(...args);
    assert.equal(run.status, 2, args.join(" "));
    assert.match(run.stderr, said, args.join(" "));
  }
  assert.equal(existsSync(at.home), false, "nothing was begun");
});

test("the server ends after the configured time without events", async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  writeAddress(at.home, { ...draftAddress(at.home), idleMinutes: 1 / 120 });
  assert.equal(at.interlock("up").status, 0);
  const pid = serverPid(at.home)!;
  await until(() => !alive(pid));
  assert.equal(existsSync(join(at.home, "server", "socket")), false);
});

test("the last uninstall ends the server", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("init", "--yes", "--door", "shim").status, 0);
  assert.notEqual(serverPid(at.home), undefined);
  assert.equal(at.interlock("uninstall", "--yes").status, 0);
  assert.equal(serverPid(at.home), undefined);
});

test("doctor reports a stopped server and --fix starts it", (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("init", "--yes", "--door", "http").status, 0);
  at.interlock("down");
  const status = at.interlock("status");
  assert.equal(status.status, 5);
  assert.match(
    status.stdout,
    new RegExp(
      "the server was ended by interlock down: Claude Code refuses every call until interlock up or the next session" +
        "[^]*next: interlock up",
    ),
  );
  const red = at.interlock("doctor");
  assert.equal(red.status, 1);
  assert.match(red.stdout, /BAD {2}server +not running[^\n]*\n +fix: interlock up/);
  const fixed = at.interlock("doctor", "--fix", "--yes");
  assert.equal(fixed.status, 0, fixed.stdout + fixed.stderr);
  assert.match(fixed.stdout, /ok {3}server +process \d+ on 127\.0\.0\.1/);
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ended
  }
}
