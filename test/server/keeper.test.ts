// The port of a server that dies stays taken: no other program can answer in its place, and a new server takes the
// calls that waited.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress, serverPid } from "../../src/hook/server-address.js";
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

test("a killed server's port stays taken and the next server answers the waiting call", async (t) => {
  const at = up(t);
  const door = readAddress(at.home)!;
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

test("down ends the socket holder and frees the port, even if the server hangs", async (t) => {
  for (const hangs of [false, true]) {
    const at = up(t);
    const { port } = readAddress(at.home)!;
    await until(() => keeperOf(at) !== undefined);
    const [server, keeper] = [serverPid(at.home)!, keeperOf(at)!];
    if (hangs) process.kill(server, "SIGSTOP");
    assert.equal(at.interlock("down").status, 0);
    await until(() => !alive(keeper));
    await until(() => listens(port));
    assert.equal(serverPid(at.home), undefined);
  }
});

test("a socket holder that dies is replaced", async (t) => {
  const at = up(t);
  await until(() => keeperOf(at) !== undefined);
  const first = keeperOf(at)!;
  process.kill(first, "SIGKILL");
  await until(() => keeperOf(at) !== undefined && keeperOf(at) !== first);
  await until(() => logOf(at).includes(`socket holder ${first} ended: SIGKILL; starting another`));
});
