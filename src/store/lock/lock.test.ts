// The lock: one holder at a time, heirs of the dead in order, nothing stolen from the living.
import assert from "node:assert/strict";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { test } from "node:test";
import { temporary } from "../../testing/temporary.js";
import { systemClock } from "../clock.js";
import { StoreBusy } from "../fault.js";
import { realIo } from "../io.js";
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

test("taken, released, and nothing is left lying", () => {
  const where = folder();
  const lock = take(where);
  assert.equal(lock.takenOver, false);
  assert.throws(() => take(where), StoreBusy);
  assert.deepEqual(readdirSync(where), ["lock"]);
  lock.release();
  assert.deepEqual(readdirSync(where), []);
});

test("a lock given up as unclean leaves the sign", () => {
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
  test(`taken over from ${what}`, () => {
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
  test(`not taken from ${what}`, () => {
    const where = plant(content, "lock", age);
    assert.throws(() => take(where, 60), StoreBusy);
    assert.equal(readFileSync(join(where, "lock"), "utf8"), content);
    assert.deepEqual(readdirSync(where), ["lock"]);
  });

test("an heir that died before it took over is inherited in turn", () => {
  const where = plant(owner({ pid: nobody, nonce: "00000000000000a1" }));
  writeFileSync(join(where, "lock.after-00000000000000a1"), owner({ pid: nobody, nonce: "00000000000000a2" }));
  writeFileSync(join(where, "lock.after-00000000000000a2"), owner({ pid: nobody, nonce: "00000000000000a3" }));
  const lock = take(where, 1_000);
  assert.equal(lock.takenOver, true);
  assert.deepEqual(readdirSync(where), ["lock"]);
  lock.release();
});

test("a living heir is waited for, whoever it inherits from", () => {
  const where = plant(owner({ pid: nobody, nonce: "00000000000000a1" }));
  writeFileSync(join(where, "lock.after-00000000000000a1"), owner({ nonce: "00000000000000a2" }));
  assert.throws(() => take(where, 60), /held by process/);
  assert.deepEqual(readdirSync(where).sort(), ["lock", "lock.after-00000000000000a1"]);
});

test("releasing does not remove a lock that is no longer ours", () => {
  const where = folder();
  const lock = take(where);
  writeFileSync(join(where, "heir"), owner({ nonce: "00000000000000bb" }));
  renameSync(join(where, "heir"), join(where, "lock"));
  lock.release();
  assert.match(readFileSync(join(where, "lock"), "utf8"), /bb/);
});

/** Taken so often that the process keeps a file for it. */
function settled(): string {
  const where = folder();
  for (let i = 0; i < 10; i++) take(where).release();
  assert.deepEqual(readdirSync(where), [spare]);
  return where;
}
const spare = `lock.${process.pid}.0.tmp`;
const nonceIn = (where: string) => JSON.parse(readFileSync(join(where, "lock"), "utf8")).nonce;

test("a process that takes it again and again keeps one file for it and is another owner each time", () => {
  const where = settled();
  const nonces = new Set<string>();
  for (let i = 0; i < 20; i++) {
    const lock = take(where);
    assert.deepEqual(readdirSync(where).sort(), ["lock", spare]);
    assert.equal(nonceIn(where), lock.nonce);
    assert.throws(() => take(where, 5), StoreBusy);
    assert.equal(nonceIn(where), lock.nonce);
    nonces.add(lock.nonce);
    lock.release();
    assert.deepEqual(readdirSync(where), [spare]);
  }
  assert.equal(nonces.size, 20);
});

test("with a file kept: not taken from the living, taken over from the dead, and given up unclean", () => {
  const where = settled();
  writeFileSync(join(where, "lock"), owner({}));
  assert.throws(() => take(where, 30), StoreBusy);
  assert.match(readFileSync(join(where, "lock"), "utf8"), /00aa/);
  writeFileSync(join(where, "lock"), owner({ pid: nobody }));
  const heir = take(where, 1_000);
  assert.equal(heir.takenOver, true);
  heir.release();
  take(where).abandon();
  assert.deepEqual(readdirSync(where), ["unclean"]);
});

test("with a file kept: a lock that became another's is left alone, and what is odd about the file costs the file only", () => {
  const where = settled();
  const lost = take(where);
  renameSync(`${plant(owner({ nonce: "00000000000000bb" }))}${sep}lock`, join(where, "lock"));
  lost.release();
  assert.match(readFileSync(join(where, "lock"), "utf8"), /bb/);
  rmSync(join(where, "lock"));
  const odd: ((at: string) => void)[] = [
    (at) => rmSync(join(at, spare)),
    (at) => rmSync(at, { recursive: true }),
    (at) => linkSync(join(at, spare), join(at, "third")),
    (at) => {
      rmSync(join(at, spare));
      writeFileSync(join(at, spare), owner({ nonce: "00000000000000cc" }));
    },
  ];
  for (const change of odd) {
    const at = settled();
    change(at);
    const lock = take(at);
    assert.equal(nonceIn(at), lock.nonce);
    lock.release();
    assert.ok(!readdirSync(at).includes("lock"));
  }
});
