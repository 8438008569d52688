// Snapshot, copy and mark damaged byte by byte and line by line: reported by the store and both verifiers, and only the
// newest state is used.
import assert from "node:assert/strict";
import fs, { cpSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Io, openStore, verify } from "../../src/store/index.js";
import { temporary } from "../../src/testing/temporary.js";

const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
const { verifyLedger } = (await import(script)) as { verifyLedger(home: string, id: string): { verdict: string } };

const files = {
  snapshot: "projects/p1/state.json",
  backup: "projects/p1/state.backup.json",
  "even mark": "marks/p1.json",
  "odd mark": "marks/p1.odd.json",
};
/** Of the copy, which is read as the snapshot is, every seventh byte will do. */
const step = (path: string) => (path === files.backup ? 7 : 1);
const unclean = "projects/p1/unclean";

/** Six records: a snapshot and five lines. */
function grown(count = 6) {
  const home = temporary("journal");
  const store = openStore({ home, id: "p1" }, { sync: "never" });
  for (let n = 1; n <= count; n++) store.append(() => ({ type: "event", body: { n }, patch: { n, [`s${n}`]: n } }));
  return { home, store };
}

/** Reads without settling anything: what a look under the lock finds is undone by putting everything back. */
function found(home: string, template: string): { tampered: boolean; n: unknown; kinds: string[] } {
  const { condition, state } = openStore({ home, id: "p1" }, { sync: "never" }).read();
  rmSync(join(home, "projects/p1/ledger"), { recursive: true });
  rmSync(join(home, unclean), { force: true });
  for (const path of [...Object.values(files), "projects/p1/ledger"])
    cpSync(join(template, path), join(home, path), { recursive: true });
  return { tampered: condition.tampered, n: state["n"], kinds: condition.findings.map((one) => one.kind) };
}

function assertAllSee(home: string, template: string, how: string, store = true) {
  const before = { ours: verify({ home, id: "p1" }).verdict, theirs: verifyLedger(home, "p1").verdict };
  assert.deepEqual(before, { ours: "tampered", theirs: "tampered" }, how);
  if (!store) return;
  const { tampered, n } = found(home, template);
  assert.deepEqual([tampered, n], [true, 6], how);
}

for (const [name, path] of Object.entries(files)) {
  test(`the ${name} cut at any byte is reported`, () => {
    const { home } = grown();
    const template = temporary("journal");
    cpSync(home, template, { recursive: true });
    const whole = readFileSync(join(home, path));
    for (let length = 0; length < whole.length; length += step(path)) {
      writeFileSync(join(home, path), whole.subarray(0, length));
      assertAllSee(home, template, `cut to ${length} of ${whole.length} bytes`, length % 16 === 0);
    }
  });

  test(`any changed byte of the ${name} is reported`, () => {
    const { home } = grown();
    const template = temporary("journal");
    cpSync(home, template, { recursive: true });
    const whole = readFileSync(join(home, path));
    for (let at = 0; at < whole.length; at += step(path)) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1 << (at % 8);
      writeFileSync(join(home, path), changed);
      assertAllSee(home, template, `byte ${at}`, at % 16 === 0);
    }
  });

  test(`extra bytes after the end of the ${name} are reported`, () => {
    const { home } = grown();
    const template = temporary("journal");
    cpSync(home, template, { recursive: true });
    const whole = readFileSync(join(home, path));
    for (const more of ["\n", "x", " ", "\0", "{}\n", whole.toString().slice(0, 40), `${whole}`]) {
      writeFileSync(join(home, path), `${whole}${more}`);
      assertAllSee(home, template, JSON.stringify(more.slice(0, 20)));
    }
  });
}

for (const path of [files.snapshot, files.backup])
  test(`lines of ${path} dropped, doubled, swapped or copied from elsewhere are reported`, () => {
    const { home } = grown();
    const template = temporary("journal");
    cpSync(home, template, { recursive: true });
    const lines = readFileSync(join(home, path), "utf8").split("\n").slice(0, -1);
    assert.equal(lines.length, 6);
    const other = grown();
    const fork = readFileSync(join(other.home, path), "utf8").split("\n").slice(0, -1);
    const neighbour = openStore({ home, id: "p2" }, { sync: "never" });
    for (let n = 1; n <= 6; n++) neighbour.append(() => ({ type: "event", body: { n }, patch: { n } }));
    const beside = readFileSync(join(home, path.replace("p1", "p2")), "utf8")
      .split("\n")
      .slice(0, -1);
    const variants: string[][] = [fork, beside, [...lines].reverse()];
    for (let at = 0; at < lines.length; at++) {
      variants.push(lines.toSpliced(at, 1), lines.toSpliced(at, 0, lines[at]!), lines.with(at, fork[at]!));
      variants.push(lines.with(at, beside[at]!), lines.slice(0, at + 1).concat(fork.slice(at + 1)));
      if (at) variants.push(lines.with(at, lines[at - 1]!).with(at - 1, lines[at]!));
    }
    for (const [i, variant] of variants.entries()) {
      const text = `${variant.join("\n")}\n`;
      if (text === `${lines.join("\n")}\n`) continue;
      writeFileSync(join(home, path), text);
      assertAllSee(home, template, `variant ${i}`);
    }
  });

test("a writer that died during its last write is repaired without a finding", () => {
  const { home } = grown();
  const template = temporary("journal");
  cpSync(home, template, { recursive: true });
  for (const path of [files.snapshot, files.backup]) {
    const whole = readFileSync(join(home, path));
    for (let length = whole.lastIndexOf(10, whole.length - 2) + 1; length < whole.length; length++) {
      writeFileSync(join(home, path), whole.subarray(0, length));
      writeFileSync(join(home, unclean), "");
      assert.deepEqual(found(home, template), { tampered: false, n: 6, kinds: [] }, `${path} cut to ${length}`);
    }
  }
  const mark = readFileSync(join(home, files["even mark"]));
  const old = readFileSync(join(home, files["odd mark"]));
  for (let length = 0; length < mark.length; length++) {
    writeFileSync(join(home, files["even mark"]), Buffer.concat([mark.subarray(0, length), old.subarray(length)]));
    writeFileSync(join(home, unclean), "");
    assert.deepEqual(found(home, template), { tampered: false, n: 6, kinds: [] }, `mark written up to ${length}`);
  }
});

test("a dead writer's lock excuses one missing line at the end and nothing else", () => {
  const { home } = grown();
  const template = temporary("journal");
  cpSync(home, template, { recursive: true });
  for (const path of [files.snapshot, files.backup]) {
    const whole = readFileSync(join(home, path));
    const last = whole.lastIndexOf(10, whole.length - 2);
    for (const bytes of [whole.subarray(0, last), whole.subarray(0, last - 1), whole.subarray(0, 100)]) {
      writeFileSync(join(home, path), bytes);
      writeFileSync(join(home, unclean), "");
      const cutOne = bytes.length === last; // only the line feed of the line before is gone: two lines do not count
      assert.deepEqual([found(home, template).tampered, cutOne || bytes.length < last], [true, true], path);
    }
    const flipped = Buffer.from(whole);
    flipped[200]! ^= 1;
    writeFileSync(join(home, path), flipped);
    writeFileSync(join(home, unclean), "");
    assert.equal(found(home, template).tampered, true);
  }
});

const meddling: Record<string, (path: string) => void> = {
  deleted: (path) => rmSync(path),
  "made longer": (path) => fs.appendFileSync(path, "x"),
  "made shorter": (path) => fs.truncateSync(path, statSync(path).size - 1),
  "changed in place, its time set back": (path) => {
    const { atime, mtime } = statSync(path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); // beyond the grain of the file system's clock
    const bytes = readFileSync(path);
    bytes[bytes.length - 40]! ^= 1;
    fs.writeFileSync(path, bytes, { flag: "r+" });
    utimesSync(path, atime, mtime);
  },
  "replaced by a copy from before": (path) => fs.renameSync(`${path}.old`, path),
};
for (const [how, meddle] of Object.entries(meddling))
  for (const path of [...Object.values(files), "projects/p1/ledger/00000001.jsonl"])
    test(`a process with a cached state sees ${path} ${how}`, () => {
      const { home, store } = grown(5);
      cpSync(join(home, path), join(home, `${path}.old`));
      for (let n = 6; n <= 7; n++) store.append(() => ({ type: "event", body: { n }, patch: { n } }));
      assert.equal(store.read().condition.ok, true);
      meddle(join(home, path));
      const { condition, state } = store.read();
      const torn = condition.findings.some((one) => one.kind === "torn-tail"); // an unfinished record
      assert.deepEqual([condition.tampered || torn, state["n"]], [true, 7], JSON.stringify(condition.findings));
      store.append(() => ({ type: "event", body: {}, patch: { n: 8 } }));
      assert.equal(openStore({ home, id: "p1" }).read().state["n"], 8);
    });

test("two processes with cached states see each other's records", () => {
  const { home, store } = grown(3);
  const other = openStore({ home, id: "p1" }, { sync: "never" });
  for (let n = 0; n < 200; n++) {
    const who = n % 3 ? store : other;
    who.append(({ state }) => ({ type: "event", body: {}, patch: { n: (state["n"] as number) + 1 } }));
    assert.equal((n % 2 ? store : other).read().state["n"], 4 + n);
  }
  assert.equal(verify({ home, id: "p1" }).verdict, "intact");
  assert.equal(verifyLedger(home, "p1").verdict, "intact");
});

for (const path of [files.snapshot, files.backup])
  test(`damage of ${path} that no stamp shows is reported before the snapshot is rewritten`, () => {
    const home = temporary("journal");
    const timeless = (stats: fs.Stats | undefined) => stats && Object.assign(stats, { mtimeMs: 0, ctimeMs: 0 });
    const io = {
      ...fs,
      statSync: ((path: string, options: object) =>
        timeless(fs.statSync(path, options) as fs.Stats)) as unknown as Io["statSync"],
      fstatSync: ((fd: number) => timeless(fs.fstatSync(fd))) as Io["fstatSync"],
    };
    const store = openStore({ home, id: "p1" }, { io, sync: "never" });
    const commit = (n: number) => store.append(() => ({ type: "event", body: {}, patch: { n } }))!.snapshot;
    for (let n = 1; n <= 71; n++) commit(n);
    const bytes = readFileSync(join(home, path));
    bytes[100]! ^= 1;
    writeFileSync(join(home, path), bytes, { flag: "r+" });
    let seen = 0;
    for (let n = 72; n <= 140 && !seen; n++) {
      const { condition, state } = commit(n);
      assert.equal(state["n"], n);
      if (condition.tampered) seen = n;
    }
    assert.ok(seen > 72 && seen < 140, `found at ${seen}`);
  });
