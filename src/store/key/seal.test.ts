// Forward sealing: the past cannot be rewritten with what the machine holds now.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporary } from "../../testing/temporary.js";
import { openStore, StoreFault, verify } from "../index.js";
import { encodeLine, encodeSigned } from "../ledger/frame.js";
import { parseMarks } from "../state/high-water-mark.js";
import { parseSnapshotFile } from "../state/journal.js";
import { nameKey } from "./signing-key.js";

const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
const { verifyLedger } = (await import(script)) as {
  verifyLedger(home: string, id: string, options?: { seed?: string }): { verdict: string; firstBad?: { seq: number } };
};

function sealed() {
  const place = { home: temporary("seal"), id: "p1" };
  const store = openStore(place, { segment: { bytes: 1e9, records: 4 } });
  const grow = (count: number) => {
    for (let n = 0; n < count; n++) store.append(() => ({ type: "event", body: { n }, patch: { total: n } }));
  };
  grow(6);
  const { seed } = store.seal();
  grow(14);
  return { place, store, seed, grow };
}

test("a sealed record reads, grows and verifies, with and without the seed", () => {
  const { place, store, seed } = sealed();
  assert.equal(store.read().condition.ok, true);
  for (const report of [
    verify(place),
    verify(place, { seed }),
    verifyLedger(place.home, place.id),
    verifyLedger(place.home, place.id, { seed }),
  ])
    assert.equal(report.verdict, "intact", JSON.stringify(report));
  const keys = new Set([...store.records()].map((one) => one.key));
  assert.equal(keys.size, 5, "one key before the seal, one for each of the four segments after it");
});

test("no key of an earlier segment is left on disk", () => {
  const { place, seed } = sealed();
  const disk = readdirSync(place.home, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), "latin1"))
    .join("");
  assert.ok(!disk.includes(seed.split("-")[1]!));
  assert.match(readFileSync(join(place.home, "projects/p1/seal.json"), "utf8"), /"segment":6/);
});

test("a thief with every key of today rewrites the past: the seed tells", () => {
  const { place, seed } = sealed();
  const folder = join(place.home, "projects/p1/ledger");
  const main = nameKey(Buffer.from(readFileSync(join(place.home, "key"), "latin1").trim(), "hex"));
  const today = JSON.parse(readFileSync(join(place.home, "projects/p1/seal.json"), "utf8")).payload;
  const now = nameKey(Buffer.from(today.seal, "hex"));
  let prev: string | undefined;
  let before: string | undefined;
  let last = { start: 0, end: 0 };
  for (const name of readdirSync(folder).sort()) {
    let out = "";
    for (const line of readFileSync(join(folder, name), "utf8").trim().split("\n")) {
      const { record } = JSON.parse(line.slice(9));
      if (record.seq === 9) record.body = { n: "rewritten" };
      const signer = record.key === main.id ? main : now;
      const forged = encodeLine(signer, "p1", {
        ...record,
        prev: prev ?? record.prev,
        key: record.seq < 9 ? record.key : signer.id,
      });
      const kept = record.seq < 9 ? `${line}\n` : forged.line.toString();
      before = prev;
      prev = record.seq < 9 ? JSON.parse(line.slice(9)).hash : forged.hash;
      last = { start: Buffer.byteLength(out), end: Buffer.byteLength(out) + Buffer.byteLength(kept) };
      out += kept;
    }
    writeFileSync(join(folder, name), out);
  }
  for (const [path, kind] of [
    ["projects/p1/state.json", "state"],
    ["projects/p1/state.backup.json", "state"],
    ["marks/p1.json", "mark"],
    ["marks/p1.odd.json", "mark"],
  ] as const) {
    const bytes = readFileSync(join(place.home, path));
    const read = kind === "state" ? parseSnapshotFile(bytes, main, "p1") : parseMarks(bytes, undefined, main, "p1");
    assert.equal(read.status, "ok");
    const hash = read.status === "ok" && read.value.seq === 21 ? prev : before;
    const payload = { ...(read as { value: object }).value, hash, ...(kind === "state" ? last : {}) };
    writeFileSync(join(place.home, path), encodeSigned(main, kind, "p1", { ...payload, v: 2 }));
  }
  assert.equal(verify(place).verdict, "intact", "without the seed the forgery stands");
  const told = verify(place, { seed });
  assert.deepEqual([told.verdict, told.firstBad?.seq], ["tampered", 9]);
  const theirs = verifyLedger(place.home, place.id, { seed });
  assert.deepEqual([theirs.verdict, theirs.firstBad?.seq], ["tampered", 9]);
});

test("the seal removed or altered is tampering, and recovery goes on with the plain key", () => {
  const { place, store, grow } = sealed();
  rmSync(join(place.home, "projects/p1/seal.json"));
  grow(1);
  const { condition } = store.read();
  assert.deepEqual([condition.tampered, condition.findings[0]?.kind], [true, "seal-missing"]);
  store.recover("seal lost", "ann");
  grow(2);
  assert.equal(store.read().condition.ok, true);
  assert.equal(verify(place).verdict, "intact");
  const { seed } = store.seal();
  grow(6);
  assert.equal(verify(place, { seed }).verdict, "intact");
});

test("sealing twice is refused, a seed that is none too", () => {
  const { place, store } = sealed();
  assert.throws(() => store.seal(), /sealed since segment 3/);
  assert.throws(() => verify(place, { seed: "x" }), StoreFault);
});

test("an empty record can be sealed", () => {
  const place = { home: temporary("seal"), id: "p1" };
  const { seed } = openStore(place).seal();
  assert.equal(verify(place, { seed }).verdict, "intact");
});
