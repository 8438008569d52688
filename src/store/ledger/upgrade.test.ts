// Records of older formats are read and continued; those of newer ones are refused with the sentence what to do.
import assert from "node:assert/strict";
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { temporary } from "../../testing/temporary.js";
import { openStore, verify } from "../index.js";
import { nameKey } from "../key/signing-key.js";
import { encodeLine, encodeSigned, genesis } from "./frame.js";

const golden = (version: string) => fileURLToPath(new URL(`./fixtures/${version}`, import.meta.url));

function copyOfGolden(version = "v0") {
  const home = temporary(version);
  cpSync(golden(version), home, { recursive: true });
  chmodSync(join(home, "key"), 0o600);
  return { home, id: "p1" };
}

test("a record of format 0 is read as today's", () => {
  const place = copyOfGolden();
  const { seq, state, condition } = openStore(place).read();
  assert.deepEqual([seq, condition.ok], [3, true], JSON.stringify(condition));
  assert.deepEqual(state, { "lifecycle/phase": { phase: "build" }, "guard/seen": { n: 2 } });
  const [first, second] = [...openStore(place).records()];
  assert.deepEqual([first!.v, first!.type, first!.time, first!.ids], [3, "event", "2026-01-05T08:00:00.000Z", ["v-1"]]);
  assert.equal(openStore(place).find("v-2")?.hash, second!.hash);
});

test("a record of format 1, with one mark and whole snapshots, is read as it is", () => {
  const place = copyOfGolden("v1");
  const { seq, state, condition } = openStore(place).read();
  assert.deepEqual([seq, condition.ok], [6, true], JSON.stringify(condition));
  assert.deepEqual(state, { "lifecycle/phase": { phase: "build" }, "guard/seen": { n: 6 } });
  rmSync(join(place.home, "projects/p1/state.json"));
  assert.equal(openStore(place).read().condition.tampered, true);
});

test("a record of format 2 has every session in its snapshot, and its entries count", () => {
  const place = copyOfGolden("v2");
  const { seq, state, condition } = openStore(place).read("s1");
  assert.deepEqual([seq, condition.ok], [6, true], JSON.stringify(condition));
  assert.equal(Object.keys((state["engine/calls@s1"] as { open: object }).open).length, 6);
});

for (const [version, last] of [
  ["v0", "00000001"],
  ["v1", "00000002"],
  ["v2", "00000002"],
] as const)
  test(`a record of ${version} continues in today's format, untouched, and both verifiers agree`, async () => {
    const place = copyOfGolden(version);
    const path = join(place.home, `projects/p1/ledger/${last}.jsonl`);
    const before = readFileSync(path);
    for (const n of [7, 8, 9]) {
      openStore(place).append(() => ({ type: "event", body: {}, patch: { "guard/seen": { n } } }));
      assert.ok(readFileSync(path).subarray(0, before.length).equals(before));
      assert.deepEqual(openStore(place).read().state["guard/seen"], { n });
      assert.equal(verify(place).verdict, "intact");
      const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
      assert.equal((await import(script)).verifyLedger(place.home, place.id).verdict, "intact");
    }
    for (const name of ["projects/p1/state.json", "marks/p1.json", "marks/p1.odd.json"])
      assert.match(readFileSync(join(place.home, name), "utf8"), /"v":3[,}]/, name);
    assert.equal(readFileSync(join(place.home, "projects/p1/state.json"), "utf8").split("\n").length, 4);
  });

test("a mark of format 1 put back after the change is a rollback", () => {
  const place = copyOfGolden("v1");
  for (let n = 0; n < 3; n++) openStore(place).append(() => ({ type: "event", body: {} }));
  cpSync(join(golden("v1"), "marks/p1.json"), join(place.home, "marks/p1.json"));
  rmSync(join(place.home, "marks/p1.odd.json"));
  const { condition } = openStore(place).read();
  assert.deepEqual([condition.tampered, condition.findings[0]?.kind], [true, "mark-rolled-back"]);
});

test("a newer snapshot or mark is refused by name, with the release to install", () => {
  for (const [file, kind] of [
    ["projects/p1/state.json", "state"],
    ["marks/p1.json", "mark"],
    ["marks/p1.odd.json", "mark"],
  ] as const) {
    const place = copyOfGolden();
    const key = nameKey(Buffer.from(readFileSync(join(place.home, "key"), "latin1").trim(), "hex"));
    writeFileSync(join(place.home, file), encodeSigned(key, kind, "p1", { v: 4, needs: "3.1.0", seq: 3 }));
    const before = readFileSync(join(place.home, file));
    const refusal = {
      code: "newer-format",
      message: /newer Interlock \(format 4, this one reads up to 3\)/,
      remedy: /agent-interlock >= 3\.1\.0/,
    };
    assert.throws(() => openStore(place).read(), refusal);
    assert.throws(() => openStore(place).append(() => ({ type: "event", body: {} })), refusal);
    assert.ok(readFileSync(join(place.home, file)).equals(before), "nothing is written over it");
  }
});

test("a newer record is named by verify", () => {
  const place = copyOfGolden();
  const key = nameKey(Buffer.from(readFileSync(join(place.home, "key"), "latin1").trim(), "hex"));
  const { line } = encodeLine(key, "p1", { v: 7, seq: 1, key: key.id, prev: genesis("p1") } as never);
  writeFileSync(join(place.home, "projects/p1/ledger/00000001.jsonl"), line);
  assert.match(verify(place).firstBad!.what, /newer Interlock \(format 7/);
});
