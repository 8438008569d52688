// Compressed segments: every reader reads them as before, every change of them is found, and a crash loses nothing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { temporary } from "../../testing/temporary.js";
import { openStore, verify } from "../index.js";
import { realIo } from "../io.js";
import { layout } from "../layout.js";
import { packSegment, unpackSegment } from "./compressed-segment.js";
import { packTexts, placePacked } from "./side-texts.js";

const options = { sync: "never", segment: { bytes: 1e9, records: 20 } } as const;

function record(records = 90) {
  const place = { home: temporary("compact"), id: "p1" };
  const store = openStore(place, options);
  const add = (n: number) =>
    store.append(() => ({
      type: "event",
      ids: [`v-${n}`],
      body: {
        n,
        text: "gr\u00fc\u00df \ud83d\ude80 \u2028 \x01\x02",
        digest: "ab".repeat(32),
        other: "x".repeat(n % 50),
      },
      patch: { "gate/a": { n }, "gate/b@s1": { [`c${n % 7}`]: "cd".repeat(32) } },
    }))!;
  for (let n = 1; n <= records; n++) add(n);
  return { place, store, add, ledger: join(place.home, "projects/p1/ledger") };
}

async function bothSay(place: { home: string; id: string }, verdict: "intact" | "tampered", seed?: string) {
  const first = verify(place, { seed });
  assert.equal(first.verdict, verdict, JSON.stringify(first.findings));
  const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
  const second = (await import(script)).verifyLedger(place.home, place.id, { seed });
  assert.equal(second.verdict, verdict, JSON.stringify(second.problems));
  return { first, second };
}

test("closed segments are compressed and read as before, in a mix of both forms too", async () => {
  const { place, store, add, ledger } = record();
  const before = [...store.records()];
  assert.equal(store.compact(2), 2);
  await bothSay(place, "intact");
  assert.equal(store.compact(99), 2);
  assert.deepEqual(
    readdirSync(ledger).filter((name) => name.endsWith(".jsonl")),
    ["00000005.jsonl"],
  );
  const other = openStore(place, options);
  assert.deepEqual([...other.records()], before);
  assert.equal(other.find("v-3")?.seq, 3);
  assert.deepEqual(
    [...other.records({ from: 35 })].map(({ seq }) => seq),
    before.slice(34).map(({ seq }) => seq),
  );
  assert.equal(add(91).record.seq, 91);
  assert.equal(other.read().seq, 91);
  assert.equal(other.compact(99, true), 1);
  assert.equal(other.compact(99, true), 0, "a segment with only its closing record is not closed again");
  assert.equal((await bothSay(place, "intact")).first.records, 92);
});

test("snapshot and backup gone: the state is folded from compressed segments", () => {
  const { place, store } = record();
  store.compact(99);
  const { state } = store.read();
  for (const name of ["state.json", "state.backup.json"]) rmSync(join(place.home, "projects/p1", name));
  const after = openStore(place, options).read();
  assert.deepEqual([after.condition.tampered, after.condition.locked], [true, false]);
  assert.deepEqual(after.state["gate/b@s1"], state["gate/b@s1"]);
});

test("sealed segments are compressed and verified with the seed", async () => {
  const { place, store, add } = record(30);
  const { seed } = store.seal();
  for (let n = 40; n < 90; n++) add(n);
  assert.ok(store.compact(99) >= 3);
  await bothSay(place, "intact", seed);
});

test("every flipped byte of a compressed segment is found, and the segment is named", async () => {
  const { place, store, ledger } = record(50);
  store.compact(99);
  const path = join(ledger, "00000002.jsonl.br");
  const good = readFileSync(path);
  for (let i = 0; i < good.length; i++) {
    const bytes = Buffer.from(good);
    bytes[i]! ^= 1 << (i % 8);
    assert.equal(unpackSegment(bytes), undefined, `byte ${i}`);
  }
  for (const i of [3, 25, good.length >> 1, good.length - 1]) {
    const bytes = Buffer.from(good);
    bytes[i]! ^= 4;
    writeFileSync(path, bytes);
    const { first, second } = await bothSay(place, "tampered");
    assert.match(first.firstBad!.what, /00000002\.jsonl\.br is damaged/);
    assert.equal(first.firstBad!.seq, 21);
    assert.deepEqual([second.firstBad.seq, second.firstBad.segment], [21, "00000002.jsonl"]);
  }
  for (const bytes of [good.subarray(0, -1), Buffer.concat([good, Buffer.from("x")]), Buffer.alloc(0)]) {
    writeFileSync(path, bytes);
    await bothSay(place, "tampered");
  }
  rmSync(path);
  await bothSay(place, "tampered");
});

test("a compressed segment under another name, or another's in its place, is found", async () => {
  const { place, store, ledger } = record();
  store.compact(99);
  const [one, two] = ["00000001.jsonl.br", "00000002.jsonl.br"].map((name) => join(ledger, name)) as [string, string];
  cpSync(one, two);
  await bothSay(place, "tampered");
  rmSync(one);
  await bothSay(place, "tampered");
  renameSync(two, join(ledger, "00000009.jsonl.br"));
  await bothSay(place, "tampered");
});

test("killed before each file call of compressing: one readable copy is left, and the next one finishes", async () => {
  const whole = record(30);
  const before = [...whole.store.records()];
  for (let last = 1; ; last++) {
    const place = { home: temporary("compact-step"), id: "p1" };
    cpSync(whole.place.home, place.home, { recursive: true });
    let calls = 0;
    const io = new Proxy(realIo, {
      get(target, name) {
        const real = target[name as keyof typeof target] as (...args: unknown[]) => unknown;
        return (...args: unknown[]) => {
          if (++calls >= last) throw Object.assign(new Error("killed"), { code: "EKILLED" });
          return real(...args);
        };
      },
    });
    let finished = false;
    try {
      openStore(place, { ...options, io }).compact(99);
      finished = true;
    } catch {
      // as a process that died leaves it, but for its lock, which lives as long as this process
      rmSync(join(place.home, "projects/p1/lock"), { force: true });
    }
    assert.deepEqual([...openStore(place, options).records()], before, `before call ${last}`);
    openStore(place, options).compact(99);
    for (const folder of ["ledger", "texts"]) {
      // Temporary files of living processes stay, and this one lives.
      const names = readdirSync(join(place.home, "projects/p1", folder)).filter((name) =>
        /^\d.*(?<!\.tmp)$/.test(name),
      );
      assert.deepEqual(names.sort(), ["00000001.jsonl.br", "00000002.jsonl"], `${folder} before call ${last}`);
    }
    await bothSay(place, "intact");
    if (finished) break;
  }
});

const planted = (n: number) => `zebra ${n} walks`;

function withTexts() {
  const place = { home: temporary("texts"), id: "p1" };
  const store = openStore(place, options);
  for (let n = 1; n <= 50; n++)
    store.append(() => ({ type: "event", session: `s${n}`, body: { n, prompt: planted(n) } }));
  const folder = join(place.home, "projects/p1/texts");
  const kept = (name: string) => {
    const bytes = readFileSync(join(folder, name));
    return (name.endsWith(".br") ? brotliDecompressSync(bytes) : bytes).toString("utf8");
  };
  const all = () => readdirSync(folder).map(kept).join("");
  const prompt = (n: number) => [...store.records({ from: n })][0]!.body["prompt"];
  return { place, store, folder, all, prompt };
}

test("texts are packed with their segments, read as before, and erased one by one", async () => {
  const { place, store, folder, all, prompt } = withTexts();
  const before = [...store.records()];
  store.compact(99);
  assert.deepEqual(readdirSync(folder).sort(), ["00000001.jsonl.br", "00000002.jsonl.br", "00000003.jsonl"]);
  assert.deepEqual([...openStore(place, options).records()], before);
  assert.equal(store.erase({ matching: [planted(3)], dryRun: true }).texts, 1);
  assert.equal(prompt(3), planted(3));
  assert.equal(store.erase({ matching: [planted(3)] }).texts, 1);
  assert.deepEqual([prompt(3), prompt(4), prompt(45)], [undefined, planted(4), planted(45)]);
  assert.ok(!all().includes(planted(3)));
  assert.equal(store.erase({ session: "s30" }).texts, 1);
  assert.deepEqual([prompt(30), prompt(31)], [undefined, planted(31)]);
  store.compact(99, true);
  assert.equal(store.erase({ before: new Date(Date.now() + 1000) }).texts, 48);
  assert.deepEqual([readdirSync(folder), prompt(31)], [[], undefined]);
  await bothSay(place, "intact");
});

test("what is erased while it is being packed stays erased", () => {
  const { place, store, all, prompt } = withTexts();
  const at = layout(place);
  const [packed] = [...packTexts(realIo, at, 3, 1)];
  store.erase({ matching: [planted(3)] });
  placePacked(realIo, packed!, "0");
  assert.deepEqual([prompt(3), prompt(4)], [undefined, planted(4)]);
  assert.ok(!all().includes(planted(3)));
});

test("what packers and writers that died left is erased too: both forms, half lines, strays, damage", async () => {
  const { place, store, folder, all, prompt } = withTexts();
  const plain = join(folder, "00000001.jsonl");
  const bytes = readFileSync(plain);
  store.compact(99);
  writeFileSync(plain, bytes);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(join(folder, `00000001.jsonl.br.${pid}.ab12.tmp`), planted(3));
  appendFileSync(join(folder, "00000003.jsonl"), `{"text":"${planted(3)}`);
  store.erase({ matching: [planted(3)] });
  assert.ok(!all().includes(planted(3)));
  assert.deepEqual([prompt(3), prompt(4), prompt(45)], [undefined, planted(4), planted(45)]);
  const damaged = join(folder, "00000002.jsonl.br");
  writeFileSync(damaged, readFileSync(damaged).subarray(0, -9));
  assert.deepEqual([prompt(4), prompt(30)], [planted(4), undefined]);
  await bothSay(place, "tampered");
  store.erase({ before: new Date(Date.now() + 1000) });
  assert.deepEqual(readdirSync(folder), []);
  await bothSay(place, "intact");
});

test("a segment with a damaged line stays as it is", () => {
  const { store, ledger } = record(50);
  const path = join(ledger, "00000001.jsonl");
  const bytes = readFileSync(path);
  bytes[400]! ^= 1;
  writeFileSync(path, bytes);
  assert.equal(packSegment(bytes), undefined);
  assert.equal(store.compact(99), 1);
  assert.ok(readFileSync(path).equals(bytes));
});
