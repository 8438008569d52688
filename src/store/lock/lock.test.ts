// The lock has one holder at a time; a stale lock is taken over by exactly one waiter, a living owner keeps it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../../testing/temporary.js";
import { StoreBusy } from "../fault.js";
import { realIo } from "../io.js";
import { systemClock } from "../record-clock.js";
import { takeLock } from "./lock.js";
import { type Owner, thisHost, thisStart } from "./owner.js";

const folder = () => temporary("lock");
const take = (where: string, ms = 50) => takeLock(realIo, where, systemClock, ms);
const owner = (over: Partial<Owner>): string =>
  JSON.stringify({
    pid: process.pid,
    start: thisStart(),
    boot: systemClock.boot(),
    host: thisHost(),
    nonce: "00000000000000aa",
    ...over,
  });
const nobody = 2 ** 22 - 7;

function plant(content: string, name = "lock", ageMs = 0): string {
  const where = folder();
  writeFileSync(join(where, name), content);
  const then = (Date.now() - ageMs) / 1000;
  utimesSync(join(where, name), then, then);
  return where;
}

test("taking and releasing leaves no file behind", () => {
  const where = folder();
  const lock = take(where);
  assert.equal(lock.takenOver, false);
  assert.throws(() => take(where), StoreBusy);
  assert.deepEqual(readdirSync(where), ["lock"]);
  lock.release();
  assert.deepEqual(readdirSync(where), []);
});

test("an abandoned lock leaves the file `unclean`", () => {
  const where = folder();
  take(where).abandon();
  assert.deepEqual(readdirSync(where), ["unclean"]);
});

const dead: [string, string, number][] = [
  ["a process that is gone", owner({ pid: nobody }), 0],
  ["a pid used again by another process", owner({ start: "1" }), 0],
  ["an earlier boot", owner({ boot: "earlier", pid: process.ppid }), 0],
  ["garbage of an hour ago", "{]", 3_600_000],
  ["an empty file of an hour ago", "", 3_600_000],
  ["another machine, an hour ago", owner({ host: "elsewhere" }), 3_600_000],
  ["garbage from the future (watched instead)", "???", -3_600_000],
];
for (const [what, content, age] of dead)
  test(`a stale lock is taken over from ${what}`, () => {
    const where = plant(content, "lock", age);
    const lock = take(where, 2_000);
    assert.equal(lock.takenOver, true);
    assert.equal(JSON.parse(readFileSync(join(where, "lock"), "utf8")).nonce, lock.nonce);
    lock.release();
    assert.deepEqual(readdirSync(where), []);
  });

const alive: [string, string, number][] = [
  ["a living process", owner({}), 3_600_000],
  ["another machine, just now", owner({ host: "elsewhere" }), 0],
  ["fresh garbage", "{]", -60_000], // dated ahead, so that only watching it counts
];
for (const [what, content, age] of alive)
  test(`a lock is not taken from ${what}`, () => {
    const where = plant(content, "lock", age);
    assert.throws(() => take(where, 60), StoreBusy);
    assert.equal(readFileSync(join(where, "lock"), "utf8"), content);
    assert.deepEqual(readdirSync(where), ["lock"]);
  });

test("a waiter that died while taking over is replaced by the next", () => {
  const where = plant(owner({ pid: nobody, nonce: "00000000000000a1" }));
  writeFileSync(join(where, "lock.after-00000000000000a1"), owner({ pid: nobody, nonce: "00000000000000a2" }));
  writeFileSync(join(where, "lock.after-00000000000000a2"), owner({ pid: nobody, nonce: "00000000000000a3" }));
  const lock = take(where, 1_000);
  assert.equal(lock.takenOver, true);
  assert.deepEqual(readdirSync(where), ["lock"]);
  lock.release();
});

test("a living waiter that takes over is waited for", () => {
  const where = plant(owner({ pid: nobody, nonce: "00000000000000a1" }));
  writeFileSync(join(where, "lock.after-00000000000000a1"), owner({ nonce: "00000000000000a2" }));
  assert.throws(() => take(where, 60), /held by process/);
  assert.deepEqual(readdirSync(where).sort(), ["lock", "lock.after-00000000000000a1"]);
});

test("releasing does not remove a lock that became another's", () => {
  const where = folder();
  const lock = take(where);
  writeFileSync(join(where, "heir"), owner({ nonce: "00000000000000bb" }));
  renameSync(join(where, "heir"), join(where, "lock"));
  lock.release();
  assert.match(readFileSync(join(where, "lock"), "utf8"), /bb/);
});
