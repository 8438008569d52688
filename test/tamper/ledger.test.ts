// Any change to the ledger is found and the right record is named, by our verifier and by the independent one.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openStore, verify } from "../../src/store/index.js";

interface Independent {
  verdict: string;
  firstBad?: { seq: number };
  problems: { seq?: number }[];
}
const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
const { verifyLedger } = (await import(script)) as {
  verifyLedger(home: string, id: string, options?: { first?: boolean }): Independent;
};

const homes: string[] = [];
after(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

function ledgerOf(count: number, records: number, home = mkdtempSync(join(tmpdir(), "interlock-tamper-")), id = "p1") {
  homes.push(home);
  const store = openStore({ home, id }, { sync: "never", segment: { bytes: 1e9, records } });
  for (let n = 1; n <= count; n++)
    store.append(() => ({ type: "event", ids: [`v${n}`], body: { n, tool: "Bash" }, patch: { count: n } }));
  const folder = join(home, "projects", id, "ledger");
  return { home, id, paths: readdirSync(folder).map((name) => join(folder, name)) };
}

function assertNamed(place: { home: string; id: string }, seq: number, how: string) {
  const ours = verify(place, { first: true });
  assert.equal(ours.verdict, "tampered", `${how}: not found by us`);
  assert.equal(ours.firstBad?.seq, seq, `${how}: we named the wrong record (${ours.firstBad?.what})`);
  const theirs = verifyLedger(place.home, place.id, { first: true });
  assert.equal(theirs.verdict, "tampered", `${how}: not found by the independent verifier`);
  assert.equal(theirs.firstBad?.seq, seq, `${how}: the independent verifier named the wrong record`);
}

test("both verifiers call an untouched ledger intact", () => {
  const place = ledgerOf(20, 6);
  assert.equal(verify(place).verdict, "intact");
  assert.equal(verifyLedger(place.home, place.id).verdict, "intact");
});

test("changing any single byte of a ledger is found", () => {
  const place = ledgerOf(3, 100);
  const [path] = place.paths;
  const whole = readFileSync(path!);
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 1 << (at % 8);
    writeFileSync(path!, changed);
    const record = whole.subarray(0, at).filter((byte) => byte === 10).length + 1;
    assertNamed(place, record, `byte ${at}`);
  }
});

/** Three rounds make 40 mutations. */
const rounds = process.env["INTERLOCK_NIGHTLY"] ? 150 : 45;

test(`${(rounds / 3) * 40} random mutations of a 5,000-record ledger are found`, () => {
  const place = ledgerOf(5_000, 250);
  const neighbour = ledgerOf(300, 1_000, place.home, "p2");
  const stranger = ledgerOf(300, 1_000);
  const foreign = [neighbour, stranger].map((one) => split(readFileSync(one.paths[0]!)));
  const parts = place.paths.map((path, index) => ({ path, lines: split(readFileSync(path)), first: index * 250 + 1 }));
  const random = lcg(20_260_101);
  const pick = (n: number) => Math.floor(random() * n);
  let mutations = 0;

  // Two of three segments each time: damage next to damage, and next to what must stay readable.
  for (let round = 0; round < rounds; round++) {
    const hit = parts.filter((_, index) => index % 3 !== round % 3);
    const named = hit.map(({ path, lines, first }) => {
      const { out, at, kind } = mutate(lines, foreign[pick(2)]!, pick);
      writeFileSync(path, Buffer.concat(out));
      mutations++;
      return { seq: first + at, how: `round ${round}: ${kind} at record ${first + at}` };
    });
    const ours = verify(place);
    const theirs = verifyLedger(place.home, place.id);
    assert.deepEqual([ours.verdict, theirs.verdict], ["tampered", "tampered"]);
    assert.deepEqual([ours.firstBad?.seq, theirs.firstBad?.seq], [named[0]!.seq, named[0]!.seq], named[0]!.how);
    for (const { seq, how } of named) {
      assert.ok(
        ours.damage.some((one) => one.seq === seq),
        `${how}: not named by us`,
      );
      assert.ok(
        theirs.problems.some((one) => one.seq === seq),
        `${how}: not named by the independent verifier`,
      );
    }
    assert.ok(ours.good > 5_000 - 200, `round ${round}: only ${ours.good} records still readable`);
    for (const { path, lines } of hit) writeFileSync(path, Buffer.concat(lines));
  }
  assert.equal(mutations, (rounds / 3) * 40);
  assert.equal(verify(place).verdict, "intact");
});

/** One random change; `at` is the first line that is no longer what it was. */
function mutate(lines: Buffer[], foreign: Buffer[], pick: (n: number) => number) {
  const out = [...lines];
  const at = pick(lines.length);
  const line = lines[at]!;
  const kind = ["flip", "cut", "swap", "duplicate", "splice", "insert", "drop"][pick(7)]!;
  switch (kind) {
    case "flip": {
      const changed = Buffer.from(line);
      changed[pick(line.length)]! ^= 1 + pick(255);
      out[at] = changed;
      break;
    }
    case "cut": {
      const rest = Buffer.concat(lines.slice(at));
      const from = pick(line.length - 1);
      const until = Math.min(rest.length, from + 1 + pick(2_000));
      out.splice(at, out.length, Buffer.concat([rest.subarray(0, from), rest.subarray(until)]));
      break;
    }
    case "swap": {
      const other = (at + 1 + pick(lines.length - 1)) % lines.length;
      [out[at], out[other]] = [out[other]!, out[at]!];
      return { out, kind, at: Math.min(at, other) };
    }
    case "duplicate":
      out.splice(at, 0, line);
      return { out, kind, at: at + 1 };
    case "splice":
      out[at] = foreign[pick(foreign.length)]!;
      break;
    case "insert":
      out.splice(at, 0, foreign[pick(foreign.length)]!);
      break;
    default:
      out.splice(at, 1);
  }
  return { out, kind, at };
}

function split(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(10, from) + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

function lcg(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
