// The port of a server that dies stays taken: nobody else can answer in its place, and a new server takes the calls that waited.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readDoor, serverPid } from "../../src/hook/server-address.js";
import { residenceOf } from "../../src/project/protected/own-server.js";
import { listens } from "./port.js";
import { forbidden, isRefusal, logOf, ordinary, type Place, place, send, until } from "./server.js";

const keeperOf = (at: Place): number | undefined =>
  residenceOf(at.home).processes.find((p) => /--listen/.test(p.command))?.pid;

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ended
  }
}

function up(t: Parameters<typeof place>[0]): Place {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("up").status, 0);
  return at;
}

test("a server killed without a word: its port is never free, the call that waits is answered, the next server is kept too", async (t) => {
  const at = up(t);
  const door = readDoor(at.home)!;
  for (let round = 0; round < 2; round++) {
    const pid = serverPid(at.home)!;
    await until(() => keeperOf(at) !== undefined);
    process.kill(pid, "SIGKILL");
    await until(() => !alive(pid));
    const waiting = send(door, forbidden(at));
    let looks = 0;
    await until(async () => {
      assert.equal(await listens(door.port), false, "a stranger got the port");
      looks++;
      return serverPid(at.home) !== undefined && serverPid(at.home) !== pid;
    });
    assert.ok(looks > 0);
    assert.equal(isRefusal(await waiting), true);
    await send(door, ordinary(at));
  }
});

test("down takes the keeper along and gives the port back, also from a server that hangs", async (t) => {
  for (const hangs of [false, true]) {
    const at = up(t);
    const { port } = readDoor(at.home)!;
    await until(() => keeperOf(at) !== undefined);
    const [server, keeper] = [serverPid(at.home)!, keeperOf(at)!];
    if (hangs) process.kill(server, "SIGSTOP");
    assert.equal(at.interlock("down").status, 0);
    await until(() => !alive(keeper));
    await until(() => listens(port));
    assert.equal(serverPid(at.home), undefined);
  }
});

test("a keeper that dies is replaced", async (t) => {
  const at = up(t);
  await until(() => keeperOf(at) !== undefined);
  const first = keeperOf(at)!;
  process.kill(first, "SIGKILL");
  await until(() => keeperOf(at) !== undefined && keeperOf(at) !== first);
  assert.match(logOf(at), new RegExp(`keeper ${first} ended: SIGKILL; starting another`));
});
