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
    store.transact(() => ({ type: "event", ids: [`v${n}`], body: { n, tool: "Bash" }, patch: { count: n } }));
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

test("every single byte of a 3-record ledger", () => {
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

test("2,000 random mutations of a 5,000-record ledger", () => {
  const place = ledgerOf(5_000, 250);
  const neighbour = ledgerOf(300, 1_000, place.home, "p2");
  const stranger = ledgerOf(300, 1_000);
  const foreign = [neighbour, stranger].map((one) => split(readFileSync(one.paths[0]!)));
  const parts = place.paths.map((path) => ({ path, lines: split(readFileSync(path)) }));
  const random = lcg(20_260_101);
  const pick = (n: number) => Math.floor(random() * n);

  for (let round = 0; round < 2_000; round++) {
    const index = pick(parts.length);
    const { path, lines } = parts[index]!;
    const first = index * 250 + 1;
    const at = pick(lines.length);
    const line = lines[at]!;
    const out = [...lines];
    const kind = ["flip", "cut", "swap", "duplicate", "splice", "insert", "drop"][pick(7)]!;
    let named = first + at;
    switch (kind) {
      case "flip": {
        const changed = Buffer.from(line);
        changed[pick(line.length)]! ^= 1 + pick(255);
        out[at] = changed;
        break;
      }
      case "cut": {
        const from = pick(line.length - 1);
        const rest = Buffer.concat(lines.slice(at));
        const until = Math.min(rest.length, from + 1 + pick(2_000));
        const kept = Buffer.concat([rest.subarray(0, from), rest.subarray(until)]);
        if (kept.equals(rest)) continue;
        out.splice(at, out.length, kept);
        break;
      }
      case "swap": {
        if (lines.length < 2) continue;
        const other = (at + 1 + pick(lines.length - 1)) % lines.length;
        [out[at], out[other]] = [out[other]!, out[at]!];
        named = first + Math.min(at, other);
        break;
      }
      case "duplicate":
        out.splice(at, 0, line);
        named = first + at + 1;
        break;
      case "splice":
        out[at] = pickOf(foreign[pick(2)]!, pick);
        break;
      case "insert":
        out.splice(at, 0, pickOf(foreign[pick(2)]!, pick));
        break;
      case "drop":
        out.splice(at, 1);
        break;
    }
    writeFileSync(path, Buffer.concat(out));
    assertNamed(place, named, `round ${round}: ${kind} at record ${first + at}`);
    writeFileSync(path, Buffer.concat(lines));
  }
  assert.equal(verify(place).verdict, "intact");
});

function split(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(10, from) + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

const pickOf = (lines: Buffer[], pick: (n: number) => number) => lines[pick(lines.length)]!;

function lcg(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
