// The record of one project, on a real disk in a temporary folder.
import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../testing/temporary.js";
import { openStore, type RecordDraft, StoreBusy, StoreFault, type StorePlace, verify } from "./index.js";

const place = (): StorePlace => ({ home: temporary("store"), id: "p1" });
const event = (n: number, patch?: RecordDraft["patch"]): RecordDraft => ({
  type: "event",
  ids: [`v${n}`],
  body: { n },
  patch,
});

test("a fresh place reads as empty and makes nothing", () => {
  const where = place();
  const { seq, state, condition } = openStore(where).read();
  assert.deepEqual({ seq, state, ok: condition.ok }, { seq: 0, state: {}, ok: true });
  assert.deepEqual(readdirSync(where.home), []);
});

test("what one store commits another reads, folded by merge patch", () => {
  const where = place();
  const first = openStore(where).append(() => event(1, { "guard/x": { a: 1, b: 2 } }));
  assert.equal(first?.record.seq, 1);
  openStore(where).append(({ state }) =>
    event(2, { "guard/x": { a: null, c: (state["guard/x"] as { b: number }).b + 1 } }),
  );
  const now = openStore(where).read();
  assert.deepEqual({ seq: now.seq, state: now.state }, { seq: 2, state: { "guard/x": { b: 2, c: 3 } } });
  assert.equal(now.condition.ok, true);
});

test("build may decline: nothing is written", () => {
  const where = place();
  assert.equal(
    openStore(where).append(() => undefined),
    undefined,
  );
  assert.equal(openStore(where).read().seq, 0);
});

test("records stream in order, across segments, and are found by id", () => {
  const where = place();
  const store = openStore(where, { segment: { bytes: 1e9, records: 3 } });
  for (let n = 1; n <= 10; n++) store.append(() => event(n));
  assert.deepEqual(
    [...store.records()].map((one) => one.seq),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  assert.deepEqual(
    [...store.records({ from: 5 })].map((one) => one.seq),
    [5, 6, 7, 8, 9, 10],
  );
  assert.equal(store.find("v4")?.seq, 4);
  assert.equal(store.find("v99"), undefined);
  assert.equal(readdirSync(join(where.home, "projects/p1/ledger")).length, 4);
  assert.equal(store.read().condition.ok, true);
});

test("the key is private and a key others may read is reported", () => {
  const where = place();
  const store = openStore(where);
  store.append(() => event(1));
  assert.equal(statSync(join(where.home, "key")).mode & 0o777, 0o600);
  chmodSync(join(where.home, "key"), 0o644);
  const { condition } = store.read();
  assert.deepEqual([condition.degraded, condition.findings[0]?.kind], [true, "key-exposed"]);
});

test("a patch cannot touch the store's own slices", () => {
  const store = openStore(place());
  assert.throws(() => store.append(() => event(1, { "store/condition": null })), StoreFault);
  assert.equal(store.read().seq, 0);
});

test("a lock held by a living process is waited for, then refused as busy", () => {
  const where = place();
  const store = openStore(where);
  let inner: unknown;
  store.append(() => {
    try {
      openStore(where).append(() => event(1), 20);
    } catch (error) {
      inner = error;
    }
    return event(2);
  });
  assert.ok(inner instanceof StoreBusy);
  assert.equal(store.read().seq, 1);
});

test("tampering sticks until a person recovers, and recovery keeps state and order", () => {
  const where = place();
  const store = openStore(where);
  for (let n = 1; n <= 5; n++) store.append(() => event(n, { count: n }));
  rmSync(join(where.home, "projects/p1/state.json"));
  const seen = store.read();
  assert.deepEqual([seen.condition.tampered, seen.condition.locked, seen.state["count"]], [true, false, 5]);
  store.append(() => event(6, { count: 6 }));
  assert.equal(store.read().condition.tampered, true);
  const { snapshot } = store.recover("disk cleaned by mistake", "ann");
  assert.deepEqual([snapshot.condition.ok, snapshot.state], [true, { count: 6 }]);
  assert.equal(store.append(() => event(7))?.record.seq, snapshot.seq + 1);
  assert.equal(store.read().condition.ok, true);
});

test("everything but the mark deleted: locked, never a fresh start, and recoverable", () => {
  const where = place();
  const store = openStore(where);
  for (let n = 1; n <= 3; n++) store.append(() => event(n, { count: n }));
  rmSync(join(where.home, "projects"), { recursive: true });
  assert.deepEqual([store.read().condition.tampered, store.read().condition.locked], [true, true]);
  assert.ok(store.append(() => event(4))!.record.seq > 3);
  assert.equal(store.read().condition.locked, true);
  store.recover("folder deleted", "ann");
  assert.deepEqual([store.read().condition.ok, store.read().condition.locked], [true, false]);
});

test("a missing key locks reading and writing until a person recovers", () => {
  const where = place();
  const store = openStore(where);
  store.append(() => event(1));
  rmSync(join(where.home, "key"));
  assert.deepEqual([store.read().condition.tampered, store.read().condition.locked], [true, true]);
  assert.throws(() => store.append(() => event(2)), { code: "key-missing" });
  assert.throws(() => openStore({ ...where, id: "p2" }).append(() => event(1)), { code: "key-missing" });
  store.recover("key lost", "ann");
  assert.equal(store.read().condition.ok, true);
});

test("a replaced key makes nothing authentic: locked", () => {
  const where = place();
  const store = openStore(where);
  store.append(() => event(1));
  writeFileSync(join(where.home, "key"), `${"ab".repeat(32)}\n`);
  assert.deepEqual([store.read().condition.tampered, store.read().condition.locked], [true, true]);
  assert.throws(() => store.append(() => event(2)), { code: "nothing-authentic" });
});

test("an unfinished last record is set aside and reported, not called tampering", () => {
  const where = place();
  const store = openStore(where);
  store.append(() => event(1));
  const path = join(where.home, "projects/p1/ledger/00000001.jsonl");
  const whole = readFileSync(path);
  writeFileSync(path, Buffer.concat([whole, whole.subarray(0, 40)]));
  const { condition } = store.read();
  assert.deepEqual([condition.tampered, condition.findings.map((one) => one.kind)], [false, ["torn-tail"]]);
  assert.equal(readdirSync(join(where.home, "projects/p1/ledger/quarantine")).length, 1);
  assert.deepEqual(
    [...store.records()].map((one) => one.type),
    ["event", "repair"],
  );
  assert.equal(store.read().condition.ok, true);
});

test("secrets are taken out before anything is written", () => {
  const where = place();
  const store = openStore(where);
  const secret = `ghp_${"Ab1".repeat(12)}`;
  const done = store.append(() => ({
    type: "event",
    body: { command: `git push https://x:${secret}@example.com` },
    patch: { last: secret },
    texts: { output: `token is ${secret}` },
  }));
  assert.ok(done!.record.redacted! >= 3);
  for (const file of readdirSync(where.home, { recursive: true, withFileTypes: true }))
    if (file.isFile()) assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(secret), file.name);
});

test("texts can be read back, and erased without breaking the chain", () => {
  const where = place();
  let now = Date.parse("2026-01-01T00:00:00Z");
  const clock = { wall: () => now, mono: () => BigInt(now) * 1_000_000n, boot: () => "b" };
  const store = openStore(where, { clock, segment: { bytes: 1e9, records: 2 } });
  for (let n = 1; n <= 5; n++, now += 86_400_000)
    store.append(() => ({ type: "event", body: { n }, texts: { prompt: `please do ${n}`, output: "done" } }));
  const [first, , third] = [...store.records()];
  assert.equal(store.text(third!, "prompt"), "please do 3");
  assert.equal(store.text(third!, "other"), undefined);
  assert.equal(store.erase({ before: new Date("2026-01-03T00:00:00Z") }).texts, 4);
  assert.equal(store.text(first!, "prompt"), undefined);
  assert.equal(store.text(third!, "prompt"), "please do 3");
  assert.equal([...store.records()].at(-1)?.type, "erase");
  assert.deepEqual([verify(where).verdict, store.read().condition.ok], ["intact", true]);
});

test("a clock that jumps is noted and changes neither order nor durations", () => {
  const where = place();
  let wall = Date.parse("2026-06-01T12:00:00Z");
  let mono = 10n ** 12n;
  const store = openStore(where, { clock: { wall: () => wall, mono: () => mono, boot: () => "b" } });
  const step = (wallMs: number, monoMs: number) => {
    wall += wallMs;
    mono += BigInt(monoMs) * 1_000_000n;
    return store.append(() => event(1))!.snapshot.condition.findings.map((one) => one.kind);
  };
  const year = 365 * 86_400_000;
  assert.deepEqual(step(0, 0), []);
  assert.deepEqual(step(1_000, 1_000), []);
  assert.deepEqual(step(-year, 10), ["clock-jump"]);
  assert.deepEqual(step(10 * year, 10), ["clock-jump"]);
  assert.deepEqual(step(-300_000, 1_000), ["clock-jump"]);
  assert.deepEqual(step(3_600_000, 3_600_000), []);
  assert.deepEqual(step(4_900, 0), []);
  assert.deepEqual(step(0, 0), []);
  assert.deepEqual(
    [...store.records()].map((one) => one.seq),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  const report = verify(where);
  assert.deepEqual([report.verdict, report.findings.length], ["intact", 3]);
});

test("a restart is no clock jump", () => {
  const where = place();
  const at = (boot: string, wall: number, mono: bigint) =>
    openStore(where, { clock: { wall: () => wall, mono: () => mono, boot: () => boot } }).append(() => event(1))!
      .snapshot.condition.findings.length;
  assert.deepEqual([at("a", 1e12, 9n * 10n ** 15n), at("b", 1e12 + 60_000, 10n ** 9n)], [0, 0]);
});
