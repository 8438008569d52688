// A power cut loses what was not yet on the disk: it is reported, the state is kept, and it is not called tampering.
// What only looks like a power cut is.
import assert from "node:assert/strict";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { openStore, verify } from "../../src/store/index.js";
import { temporary } from "../../src/testing/temporary.js";

const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
const { verifyLedger } = (await import(script)) as { verifyLedger(home: string, id: string): { verdict: string } };

let now = Date.parse("2026-03-01T10:00:00Z");
const clockOf = (boot: string) => ({
  wall: () => (now += 1_000),
  mono: () => BigInt(now) * 1_000_000n,
  boot: () => boot,
});

function used() {
  const home = temporary("power");
  const open = (boot: string) =>
    openStore({ home, id: "p1" }, { clock: clockOf(boot), segment: { bytes: 1e9, records: 7 } });
  for (let n = 1; n <= 10; n++) open("before").append(() => ({ type: "event", body: { n }, patch: { n } }));
  const path = (name: string) => join(home, name);
  return { home, open, path, ledger: path("projects/p1/ledger/00000002.jsonl") };
}

function cutRecords(file: string, count: number, extra = 0) {
  const bytes = readFileSync(file);
  let end = bytes.length;
  for (let n = 0; n < count; n++) end = bytes.lastIndexOf(10, end - 2) + 1;
  truncateSync(file, end + extra);
}

const losses: Record<string, (place: ReturnType<typeof used>) => void> = {
  "the last record": ({ ledger }) => cutRecords(ledger, 1),
  "the last two records, the second half-way": ({ ledger }) => cutRecords(ledger, 2, 50),
  "the whole newest segment": ({ ledger }) => truncateSync(ledger, 0),
  "the last record, replaced by zeroes": ({ ledger }) => {
    const { length } = readFileSync(ledger);
    cutRecords(ledger, 1);
    truncateSync(ledger, length);
  },
  "the content of copy and mark": ({ path }) => {
    truncateSync(path("projects/p1/state.backup.json"), 0);
    truncateSync(path("marks/p1.json"), 0);
  },
  "the last lines of snapshot and copy, the third half-way": ({ path }) => {
    cutRecords(path("projects/p1/state.json"), 2, 30);
    cutRecords(path("projects/p1/state.backup.json"), 2);
  },
  "the last lines of the snapshot, filled with zeroes": ({ path }) => {
    const { length } = readFileSync(path("projects/p1/state.json"));
    cutRecords(path("projects/p1/state.json"), 1);
    truncateSync(path("projects/p1/state.json"), length);
  },
  "the last mark": ({ path }) => rmSync(path("marks/p1.json")),
  "the last record, in ledger, snapshot and mark": ({ ledger, path }) => {
    cutRecords(ledger, 1);
    cutRecords(path("projects/p1/state.json"), 1);
    truncateSync(path("marks/p1.json"), 0);
  },
  "everything but the snapshot's last step": ({ ledger, path }) => {
    cutRecords(ledger, 2);
    rmSync(path("projects/p1/state.backup.json"));
    truncateSync(path("marks/p1.json"), 0);
  },
};

for (const [what, lose] of Object.entries(losses)) {
  test(`lost in a power cut: ${what}`, () => {
    const place = used();
    lose(place);
    const { condition, state } = place.open("after").read();
    assert.deepEqual([condition.tampered, state["n"]], [false, 10], JSON.stringify(condition.findings));
    assert.ok(condition.findings.some((one) => one.kind === "power-cut"));
    place.open("after").append(() => ({ type: "event", body: {}, patch: { n: 11 } }));
    assert.deepEqual([place.open("after").read().condition.ok, place.open("after").read().state["n"]], [true, 11]);
    const report = verify({ home: place.home, id: "p1" });
    assert.equal(report.verdict, "intact", JSON.stringify(report.findings));
    assert.equal(verifyLedger(place.home, "p1").verdict, "intact");
  });

  test(`without a restart the same is tampering: ${what}`, () => {
    const place = used();
    lose(place);
    assert.equal(place.open("before").read().condition.tampered, true);
  });
}

const lookalikes: Record<string, (place: ReturnType<typeof used>) => void> = {
  "records older than two minutes are gone too": ({ ledger, open }) => {
    now += 600_000;
    open("before").append(() => ({ type: "event", body: {} }));
    cutRecords(ledger, 2);
  },
  "the last record is altered": ({ ledger }) => {
    const bytes = readFileSync(ledger);
    bytes[bytes.length - 100]! ^= 1;
    writeFileSync(ledger, bytes);
  },
  "the mark is forged": ({ path }) => writeFileSync(path("marks/p1.json"), '{"mac":"00","payload":{}}\n'),
  "the snapshot is gone": ({ path }) => rmSync(path("projects/p1/state.json")),
  "the last record is gone everywhere but in the mark": ({ ledger, path }) => {
    for (const file of [ledger, path("projects/p1/state.json"), path("projects/p1/state.backup.json")])
      cutRecords(file, 1);
  },
  "a line of the snapshot is altered": ({ path }) => {
    const bytes = readFileSync(path("projects/p1/state.json"));
    bytes[bytes.length - 100]! ^= 1;
    writeFileSync(path("projects/p1/state.json"), bytes);
  },
  "the ledger is gone": ({ path }) => rmSync(path("projects/p1/ledger"), { recursive: true }),
};

for (const [what, change] of Object.entries(lookalikes))
  test(`after a restart, still tampering: ${what}`, () => {
    const place = used();
    change(place);
    assert.equal(place.open("after").read().condition.tampered, true);
  });
