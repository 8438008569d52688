// Texts beside the ledger: what was altered or taken away is told from what Interlock erased, by both verifiers.
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { openStore, type StoreOptions, verify } from "../../src/store/index.js";
import { temporary } from "../../src/testing/temporary.js";

interface Independent {
  verdict: string;
  problems: object[];
  warnings: object[];
  texts: { altered: number; missing: number; lost: number };
}
const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
const { verifyLedger } = (await import(script)) as { verifyLedger(home: string, id: string): Independent };

const options: StoreOptions = { sync: "never", segment: { bytes: 1e9, records: 4 } };

function record(count = 10, more: StoreOptions = {}) {
  const place = { home: temporary("texts"), id: "p1" };
  const store = openStore(place, { ...options, ...more });
  for (let n = 1; n <= count; n++)
    store.append(() => ({ type: "event", session: `s${n % 2}`, body: { n, prompt: `zebra ${n} "w\u00e4lks"\u001f` } }));
  const folder = join(place.home, "projects/p1/texts");
  return { place, store, folder, file: (n: number, end = "") => join(folder, `0000000${n}.jsonl${end}`) };
}

/** What both verifiers say. */
function said(place: { home: string; id: string }, how = "") {
  const ours = verify(place);
  const theirs = verifyLedger(place.home, place.id);
  const shown = `${how}: ${JSON.stringify([ours.findings, theirs.problems, theirs.warnings])}`;
  assert.deepEqual([ours.verdict, ours.texts], [theirs.verdict, theirs.texts], shown);
  const kinds = ours.findings.map(({ kind }) => kind);
  assert.deepEqual(
    [kinds.includes("texts-altered"), kinds.includes("texts-missing")],
    [ours.texts.altered > 0, ours.texts.missing > 0],
  );
  return { verdict: ours.verdict, ...ours.texts };
}

const intact = { verdict: "intact", altered: 0, missing: 0, lost: 0 };
const linesOf = (path: string) => readFileSync(path, "utf8").split(/(?<=\n)/);

test("each flipped byte of a texts file is found, also behind a packed one", () => {
  const { place, store, file } = record();
  assert.deepEqual(said(place), intact);
  const flips = (path: string, check: (how: string, bytes: Buffer) => void) => {
    const good = readFileSync(path);
    for (let i = 0; i < good.length; i++) {
      const bytes = Buffer.from(good);
      bytes[i]! ^= 1 << (i % 8);
      writeFileSync(path, bytes);
      check(`byte ${i} of ${path}`, bytes);
    }
    writeFileSync(path, good);
  };
  flips(file(2), (how) => assert.equal(said(place, how).verdict, "tampered", how));
  store.compact(99);
  const content = brotliDecompressSync(readFileSync(file(2, ".br")));
  let same = 0;
  flips(file(2, ".br"), (how, bytes) => {
    // A compressed stream has bits that mean nothing. One flip may also give a line the number of its neighbour: then
    // the text is missing.
    if (unpacks(bytes)?.equals(content)) same++;
    else assert.notEqual(said(place, how).verdict, "intact", how);
  });
  assert.ok(same < 10, `${same} flips changed nothing`);
  assert.deepEqual(said(place), intact);
});

function unpacks(bytes: Buffer): Buffer | undefined {
  try {
    return brotliDecompressSync(bytes);
  } catch {
    return undefined;
  }
}

test("deleted, truncated, swapped, moved, given other words: found, and told from erased", () => {
  const { place, store, folder, file } = record();
  store.compact(1);
  const saved = temporary("saved");
  cpSync(folder, saved, { recursive: true });
  const cases: [how: string, change: () => void, found: Partial<ReturnType<typeof said>>][] = [
    ["a line is deleted", () => writeFileSync(file(3), linesOf(file(3)).slice(1).join("")), { missing: 1 }],
    ["a file is deleted", () => rmSync(file(3)), { missing: 2 }],
    ["a packed file is deleted", () => rmSync(file(1, ".br")), { missing: 4 }],
    ["all are deleted", () => rmSync(folder, { recursive: true }), { missing: 10 }],
    ["cut between lines", () => truncateSync(file(3), linesOf(file(3))[0]!.length + 1), { missing: 1 }],
    ["cut within a line", () => truncateSync(file(3), 40), { altered: 2 }],
    ["emptied", () => truncateSync(file(3), 0), { missing: 2 }],
    ["a packed file is cut", () => truncateSync(file(1, ".br"), 90), { altered: 4 }],
    ["two lines swapped", () => writeFileSync(file(3), linesOf(file(3)).reverse().join("")), {}],
    [
      "two texts swapped",
      () => writeFileSync(file(3), swapped(readFileSync(file(3), "utf8"), "zebra 9", "zebra 10")),
      { altered: 2 },
    ],
    [
      "other words",
      () => writeFileSync(file(3), readFileSync(file(3), "utf8").replace("zebra 9", "lions 9")),
      { altered: 1 },
    ],
    [
      "another time",
      () => writeFileSync(file(3), readFileSync(file(3), "utf8").replace('"time":"2', '"time":"1')),
      { altered: 1 },
    ],
    [
      "two files swapped",
      () => {
        renameSync(file(1, ".br"), file(9));
        renameSync(file(2, ".br"), file(1, ".br"));
        renameSync(file(9), file(2, ".br"));
      },
      { altered: 8 },
    ],
  ];
  for (const [how, change, found] of cases) {
    change();
    const now = said(place, how);
    if (how === "two lines swapped") assert.deepEqual(now, intact, "a reader finds them by their number");
    else assert.deepEqual(now, { ...intact, verdict: found.altered ? "tampered" : "findings", ...found }, how);
    rmSync(folder, { recursive: true, force: true });
    cpSync(saved, folder, { recursive: true });
    assert.deepEqual(said(place), intact);
  }
});

const swapped = (text: string, a: string, b: string) => text.replace(a, "\0").replace(b, a).replace("\0", b);

test("what was erased on record is missing for a reason; what was taken beside it is not", () => {
  const ways: [how: string, erase: (r: ReturnType<typeof record>) => void][] = [
    ["by session", ({ store }) => store.erase({ session: "s1" })],
    ["by pattern", ({ store }) => store.erase({ matching: ["zebra 3"] })],
    ["by age, in part", ({ store }) => store.erase({ before: new Date([...store.records()][5]!.time) })],
    ["packed, by session", ({ store }) => void [store.compact(99), store.erase({ session: "s0" })]],
    ["twice", ({ store }) => void [store.erase({ matching: ["zebra 3"] }), store.erase({ session: "s1" })]],
  ];
  for (const [how, erase] of ways) {
    let now = Date.parse("2026-01-01T00:00:00Z");
    let mono = 0n;
    const clock = { wall: () => (now += 1000), mono: () => (mono += 1_000_000_000n), boot: () => "b1" };
    const one = record(10, { clock });
    erase(one);
    assert.deepEqual(said(one.place, how), intact, how);
    one.store.append(() => ({ type: "event", body: { prompt: "later" } }));
    const left = readdirSync(one.folder).sort();
    assert.ok(left.length > 1, how);
    rmSync(join(one.folder, left[0]!));
    assert.equal(said(one.place, how).verdict, "findings", how);
    one.store.erase({ before: new Date("2100-01-01") });
    assert.deepEqual(said(one.place, how), intact, `${how}: what is older than an erasure would be gone anyway`);
    assert.deepEqual(readdirSync(one.folder), []);
  }
});

test("erasures of earlier releases named no records: they explain what is gone before them, nothing altered", () => {
  const { place, store, file } = record();
  rmSync(file(1));
  assert.equal(said(place).missing, 4);
  store.append(() => ({ type: "erase", body: { texts: 4, words: 0, slices: 0, bytes: 1 } }));
  assert.deepEqual(said(place), intact);
  writeFileSync(file(2), readFileSync(file(2), "utf8").replace("zebra 6", "lions 6"));
  assert.equal(said(place).altered, 1);
  rmSync(file(3));
  store.append(() => ({ type: "event", body: { prompt: "later" } }));
  assert.deepEqual(said(place), { verdict: "tampered", altered: 1, missing: 0, lost: 0 });
});

test("a person accepts altered and missing texts; what is altered afterwards is found", () => {
  const { place, store, file } = record();
  writeFileSync(file(2), readFileSync(file(2), "utf8").replace("zebra 6", "lions 6"));
  rmSync(file(1));
  assert.deepEqual(said(place), { verdict: "tampered", altered: 1, missing: 4, lost: 0 });
  const { record: recovered } = store.recover("a disk failed", "me");
  assert.deepEqual(recovered.body["gone"], [
    [1, 4],
    [6, 6],
  ]);
  assert.deepEqual(said(place), intact);
  writeFileSync(file(2), readFileSync(file(2), "utf8").replace("zebra 7", "lions 7"));
  assert.deepEqual(said(place), { verdict: "tampered", altered: 1, missing: 0, lost: 0 });
});

test("texts that a power cut took are a notice, those of earlier minutes are missing", () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  let mono = 0n;
  let boot = "b1";
  const clock = { wall: () => now, mono: () => mono, boot: () => boot };
  const { place, store, file } = record(0, { clock, segment: { bytes: 1e9, records: 99 } });
  const later = (prompt: string) => {
    now += 60_000;
    mono += 60_000_000_000n;
    store.append(() => ({ type: "event", body: { prompt } }));
  };
  for (let n = 1; n <= 10; n++) later(`zebra ${n}`);
  truncateSync(file(1), linesOf(file(1)).slice(0, 8).join("").length - 9);
  boot = "b2";
  later("after the restart");
  assert.deepEqual(said(place), { ...intact, lost: 3 });
  const gap = linesOf(file(1)).filter((line) => !line.includes("zebra 2"));
  writeFileSync(file(1), gap.join(""));
  assert.deepEqual(said(place), { verdict: "findings", altered: 0, missing: 1, lost: 3 });
});
