// A large ledger is verified in one pass, in bounded memory, with progress; 1,000,000 records at night.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { openStore, verify } from "../../src/store/index.js";
import { nameKey } from "../../src/store/key/signing-key.js";
import { encodeLine, encodeSigned, genesis } from "../../src/store/ledger/frame.js";

const count = process.env["INTERLOCK_NIGHTLY"] ? 1_000_000 : 60_000;
const perSegment = 10_000;

/** Writes the files as the format page describes them, without going through the store a million times. */
function large() {
  const home = mkdtempSync(join(tmpdir(), "interlock-large-"));
  const ledger = join(home, "projects/p1/ledger");
  mkdirSync(ledger, { recursive: true });
  mkdirSync(join(home, "marks"));
  const key = nameKey(Buffer.alloc(32, 7));
  writeFileSync(join(home, "key"), `${key.bytes.toString("hex")}\n`, { mode: 0o600 });
  let prev = genesis("p1");
  let place = { segment: 0, start: 0, end: 0, lines: 0, count: 0 };
  let lines: Buffer[] = [];
  const at = (seq: number) => ({
    time: new Date(1.8e12 + seq).toISOString(),
    mono: String(seq * 1_000_000),
    boot: "b",
  });
  const flush = () =>
    writeFileSync(join(ledger, `${String(place.segment).padStart(8, "0")}.jsonl`), Buffer.concat(lines));
  for (let seq = 1; seq <= count; seq++) {
    if ((seq - 1) % perSegment === 0) {
      if (lines.length) flush();
      lines = [];
      place = { segment: place.segment + 1, start: 0, end: 0, lines: 0, count: place.count + 1 };
    }
    const body = { tool: "Bash", command: `echo ${seq}`, verdict: "pass" };
    const { line, hash } = encodeLine(key, "p1", {
      v: 1,
      seq,
      ...at(seq),
      pid: 1,
      type: "event",
      body,
      patch: { n: seq },
      key: key.id,
      prev,
    });
    lines.push(line);
    place = { ...place, start: place.end, end: place.end + line.length, lines: place.lines + 1 };
    prev = hash;
  }
  flush();
  const head = { v: 1, key: key.id, seq: count, hash: prev, ...at(count), ...place };
  for (const name of ["state.json", "state.backup.json"])
    writeFileSync(join(home, "projects/p1", name), encodeSigned(key, "state", "p1", { ...head, state: { n: count } }));
  writeFileSync(join(home, "marks/p1.json"), encodeSigned(key, "mark", "p1", head));
  return { home, id: "p1" };
}

test(`${count} records are verified in bounded memory`, async (t) => {
  const place = large();
  const seen: { records: number; heap: number }[] = [];
  const report = verify(place, {
    progress: ({ records, bytes, totalBytes }) => {
      assert.ok(bytes <= totalBytes);
      seen.push({ records, heap: process.memoryUsage().heapUsed });
    },
  });
  assert.deepEqual([report.verdict, report.records, report.good, report.head?.seq], ["intact", count, count, count]);
  assert.ok(seen.length >= 3 && seen.at(-1)!.records === count, "progress is reported to the end");
  const growth = Math.max(...seen.map((one) => one.heap)) - seen[0]!.heap;
  t.diagnostic(`heap grew by ${(growth / 2 ** 20).toFixed(0)} MB over ${count} records`);
  assert.ok(growth < 100 * 2 ** 20, `memory is not flat: ${growth}`);
  const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
  assert.equal((await import(script)).verifyLedger(place.home, place.id).verdict, "intact");
  const store = openStore(place);
  assert.deepEqual(
    [store.read().seq, store.append(() => ({ type: "event", body: {} }))?.record.seq],
    [count, count + 1],
  );
  rmSync(place.home, { recursive: true });
});
