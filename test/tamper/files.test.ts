// Parts of the record deleted or put back to an older copy, in every combination: reported while any one survives,
// never a fresh start.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { openStore, type Store, verify } from "../../src/store/index.js";

const made: string[] = [];
after(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});
const temporary = () => {
  const path = mkdtempSync(join(tmpdir(), "interlock-files-"));
  made.push(path);
  return path;
};

const parts = ["ledger", "snapshot", "mark", "backup"] as const;
type Part = (typeof parts)[number];
const where: Record<Part, string[]> = {
  ledger: ["projects/p1/ledger"],
  snapshot: ["projects/p1/state.json"],
  mark: ["marks/p1.json", "marks/p1.odd.json"],
  backup: ["projects/p1/state.backup.json"],
};
const subsets = Array.from({ length: 16 }, (_, bits) => parts.filter((_, n) => bits & (1 << n)));

function grow(store: Store, from: number, to: number) {
  for (let n = from; n <= to; n++) store.append(() => ({ type: "event", body: { n }, patch: { phase: n } }));
}

/** A home with 9 records, in segments of `records`, and a copy of it from when it had `older`. */
function home(older: number, records = 4) {
  const now = temporary();
  const then = temporary();
  const store = openStore({ home: now, id: "p1" }, { sync: "never", segment: { bytes: 1e9, records } });
  grow(store, 1, older);
  cpSync(now, then, { recursive: true });
  grow(store, older + 1, 9);
  return { now, then };
}

function putBack(now: string, then: string, files: string[]) {
  for (const file of files) {
    rmSync(join(now, file), { recursive: true });
    mkdirSync(dirname(join(now, file)), { recursive: true });
    cpSync(join(then, file), join(now, file), { recursive: true });
  }
}

function open(now: string) {
  return openStore({ home: now, id: "p1" }, { sync: "never" });
}

function assertReported(now: string, how: string, survivors: Part[]) {
  const report = verify({ home: now, id: "p1" });
  assert.equal(report.verdict, "tampered", `${how}: verify`);
  const { condition, state, seq } = open(now).read();
  assert.equal(condition.tampered, true, `${how}: read`);
  assert.ok(seq >= 9, `${how}: sequence went back to ${seq}`);
  const knows = survivors.some((part) => part !== "mark");
  assert.equal(condition.locked, !knows, `${how}: locked`);
  if (!condition.locked) assert.equal(state["phase"], 9, `${how}: an older state was used`);
  const next = open(now).append(() => ({ type: "event", body: {} }));
  assert.ok(next!.record.seq > 9, `${how}: a sequence number came twice`);
  assert.equal(open(now).read().condition.tampered, true, `${how}: the finding did not stick`);
  assert.equal(open(now).read().condition.locked, !knows, `${how}: the lock did not stick`);
  open(now).recover("seen", "ann");
  assert.equal(open(now).read().condition.ok, true, `${how}: recover`);
  const after = verify({ home: now, id: "p1" });
  assert.equal(after.verdict, "intact", `${how}: ${after.findings.map((one) => one.what).join(" ")}`);
}

for (const gone of subsets) {
  const survivors = parts.filter((part) => !gone.includes(part));
  const name = gone.join(" + ") || "nothing";
  test(`tampering is reported when these are deleted: ${name}`, () => {
    const { now } = home(5);
    for (const file of gone.flatMap((part) => where[part])) rmSync(join(now, file), { recursive: true });
    if (gone.length === 0) assert.equal(verify({ home: now, id: "p1" }).verdict, "intact");
    else if (survivors.length) assertReported(now, name, survivors);
    else assert.equal(open(now).read().seq, 0, "with no part left there is nothing to know it by");
  });

  for (const [older, records] of [
    [3, 4],
    [8, 4],
    [3, 100],
    [8, 100],
  ] as const) {
    test(`tampering is reported when these are rolled back to record ${older}: ${name}, segments of ${records}`, () => {
      const { now, then } = home(older, records);
      for (const part of gone) putBack(now, then, where[part]);
      if (gone.length === 0) assert.equal(open(now).read().condition.ok, true);
      else if (survivors.length) assertReported(now, name, survivors);
      else
        assert.equal(open(now).read().seq, older, "with every part put back together there is nothing to know it by");
    });
  }
}

for (const [part, path] of [
  ["ledger", "projects/p1/ledger/00000003.jsonl"],
  ["snapshot", where.snapshot[0]!],
  ["backup", where.backup[0]!],
  ["mark", where.mark[0]!],
  ["mark", where.mark[1]!],
] as const) {
  const survivors = parts.filter((one) => one !== part);
  test(`a changed last byte of ${path} is reported`, () => {
    const { now } = home(5);
    const bytes = readFileSync(join(now, path));
    bytes[bytes.length - 40]! ^= 1;
    writeFileSync(join(now, path), bytes);
    assertReported(now, part, survivors);
  });

  test(`${path} of another project is reported`, () => {
    const { now } = home(5);
    grow(openStore({ home: now, id: "p2" }, { sync: "never", segment: { bytes: 1e9, records: 4 } }), 1, 9);
    assert.ok(existsSync(join(now, path)));
    cpSync(join(now, path.replaceAll("p1", "p2")), join(now, path));
    assertReported(now, part, survivors);
  });
}

test("a removed older segment is reported by the next read", () => {
  const { now } = home(5);
  rmSync(join(now, "projects/p1/ledger/00000001.jsonl"));
  assert.equal(open(now).read().condition.tampered, true);
  open(now).recover("seen", "ann");
  assert.equal(verify({ home: now, id: "p1" }).verdict, "intact");
});

test("a stale lock does not excuse a rollback of three records", () => {
  const { now, then } = home(6);
  for (const part of ["snapshot", "backup", "mark"] as const) putBack(now, then, where[part]);
  writeFileSync(join(now, "projects/p1/unclean"), "");
  assert.equal(open(now).read().condition.tampered, true);
});

test("a lock held by a living process does not hide a rollback from readers", () => {
  const { now, then } = home(5);
  for (const part of ["ledger", "snapshot", "mark"] as const) putBack(now, then, where[part]);
  openStore({ home: now, id: "p2" }).append(() => {
    cpSync(join(now, "projects/p2/lock"), join(now, "projects/p1/lock"));
    return undefined;
  });
  const { condition, seq } = open(now).read();
  assert.deepEqual([condition.tampered, seq], [true, 9]);
});
