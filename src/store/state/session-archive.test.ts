// Sessions that leave the snapshot: they come back as they were, and nobody can remove or change them unseen.
import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporary } from "../../testing/temporary.js";
import { type JsonObject, openStore, type StoreOptions, verify } from "../index.js";

const options: StoreOptions = { sync: "never", live: { kept: 3, records: 4, most: 6 } };
const session = (n: number) => `s-${n}`;
const slices = (n: number): JsonObject => ({ [`gate/a@${session(n)}`]: { n }, [`gate/b@${session(n)}/main`]: { n } });

/** A project that had forty sessions of three records each. */
function many(records = 60) {
  const home = temporary("sessions");
  const place = { home, id: "p1" };
  const store = openStore(place, { ...options, segment: { bytes: 1e9, records } });
  for (let n = 0; n < 40; n++) for (let i = 0; i < 3; i++) add(n, { i });
  function add(n: number, more: JsonObject = {}) {
    const patch = { ...slices(n), [`gate/c@${session(n)}`]: more };
    return store.append(() => ({ type: "event", session: session(n), body: {}, patch }), undefined, session(n))!;
  }
  return { home, place, store, add, folder: join(home, "projects/p1"), archive: join(home, "projects/p1/sessions") };
}

async function bothAgree(place: { home: string; id: string }, verdict: "intact" | "tampered") {
  assert.equal(verify(place).verdict, verdict, JSON.stringify(verify(place).findings));
  const script = pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href;
  const second = (await import(script)).verifyLedger(place.home, place.id);
  assert.equal(second.verdict, verdict, JSON.stringify(second.problems));
}

test("silent sessions leave the snapshot, and both verifiers fold the same state", async () => {
  const { place, store, folder } = many();
  const live = Object.keys(JSON.parse(readFileSync(join(folder, "state.json"), "utf8").split("\n")[0]!).payload.live);
  assert.ok(live.length <= 6, `${live.length} sessions in the snapshot`);
  assert.equal(Object.keys(store.read().state).length, 120);
  assert.equal(Object.keys(openStore(place).read().state).length, 120);
  await bothAgree(place, "intact");
});

test("a session that comes back finds its slices, and what it changes continues them", async () => {
  const { place, store, add } = many();
  for (const reader of [store, openStore(place, options)]) {
    const { state } = reader.read(session(2));
    assert.deepEqual(state[`gate/c@${session(2)}`], { i: 2 });
    assert.equal(state[`gate/c@${session(3)}`], undefined);
  }
  add(2, { again: true });
  assert.deepEqual(openStore(place).read(session(2)).state[`gate/c@${session(2)}`], { again: true, i: 2 });
  await bothAgree(place, "intact");
});

test("a session stands in one place only: what was changed is nowhere in its old form", () => {
  const { store, archive } = many();
  store.append(() => ({ type: "command", body: {}, patch: { [`gate/c@${session(2)}`]: null } }));
  assert.equal(store.read().state[`gate/c@${session(2)}`], undefined);
  const named = JSON.stringify(Object.keys(readSnapshot(archive).archive)).length;
  assert.ok(named > 0);
  assert.equal(readdirSync(archive).length, Object.keys(readSnapshot(archive).archive).length);
});

const readSnapshot = (archive: string): { archive: object } =>
  JSON.parse(readFileSync(join(archive, "../state.json"), "utf8").split("\n")[0]!).payload;

const harms: Record<string, (archive: string) => void> = {
  removed: (archive) => rmSync(archive, { recursive: true }),
  emptied: (archive) => forEachFile(archive, (path) => writeFileSync(path, "")),
  "altered by a bit": (archive) =>
    forEachFile(archive, (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(path, bytes);
    }),
  "put back under the new names": (archive) => {
    const old = readdirSync(`${archive}.old`);
    forEachFile(archive, (path, name) => {
      const before = old.find((one) => one.slice(0, 2) === name.slice(0, 2) && one !== name);
      if (before) cpSync(join(`${archive}.old`, before), path);
      else rmSync(path);
    });
  },
};

function forEachFile(folder: string, act: (path: string, name: string) => void): void {
  for (const name of readdirSync(folder)) act(join(folder, name), name);
}

for (const [how, harm] of Object.entries(harms))
  test(`archived sessions are ${how}: the record is locked until a person recovers, and nothing is lost`, async () => {
    const { place, add, archive } = many();
    cpSync(archive, `${archive}.old`, { recursive: true });
    for (let n = 0; n < 30; n++) add(n, { second: n });
    for (let n = 30; n < 40; n++) for (let i = 0; i < 3; i++) add(n);
    const whole = openStore(place).read().state;
    harm(archive);
    rmSync(`${archive}.old`, { recursive: true });
    await bothAgree(place, "tampered");
    const gone = openStore(place, options).read(session(1));
    assert.deepEqual([gone.condition.tampered, gone.condition.locked], [true, true]);
    assert.equal(gone.condition.findings.at(-1)!.kind, "sessions-altered");
    const records = openStore(place, options).read(session(1)).seq;
    assert.equal(openStore(place, options).read(session(1)).seq, records, "reported once");
    openStore(place, options).recover("seen", "a person");
    const back = openStore(place, options).read();
    assert.deepEqual([back.condition.tampered, back.condition.locked], [false, false]);
    assert.deepEqual(back.state, whole);
    await bothAgree(place, "intact");
  });

test("a writer that dies after its record of a returning session: the next one finds the whole session", async () => {
  const { place, folder, add, home } = many(1_000);
  const before = ["state.json", "state.backup.json"].map((name) => [name, readFileSync(join(folder, name))] as const);
  cpSync(join(folder, "sessions"), join(home, "old"), { recursive: true });
  cpSync(join(home, "marks"), join(home, "old-marks"), { recursive: true });
  add(2, { again: true });
  for (const [name, bytes] of before) writeFileSync(join(folder, name), bytes);
  rmSync(join(folder, "sessions"), { recursive: true });
  cpSync(join(home, "old"), join(folder, "sessions"), { recursive: true });
  cpSync(join(home, "old-marks"), join(home, "marks"), { recursive: true });
  writeFileSync(join(folder, "unclean"), "");
  const { state, condition } = openStore(place, options).read(session(2));
  assert.equal(condition.ok, true, JSON.stringify(condition));
  assert.deepEqual(state[`gate/c@${session(2)}`], { again: true, i: 2 });
  assert.equal(existsSync(join(folder, "unclean")), false);
  await bothAgree(place, "intact");
});

test("snapshot and backup are gone: the state of all sessions is read from the ledger", async () => {
  const { place, folder } = many();
  const whole = openStore(place).read().state;
  for (const name of ["state.json", "state.backup.json"]) rmSync(join(folder, name));
  const { state, condition } = openStore(place, options).read();
  assert.deepEqual([condition.tampered, condition.locked], [true, false]);
  const { "store/condition": _, ...rest } = state;
  assert.deepEqual(rest, whole);
  openStore(place, options).recover("seen", "a person");
  await bothAgree(place, "intact");
});

test("sessions silent for long are named, archived ones beside the one that starts too", () => {
  const { store } = many();
  const now = Date.now() + 1;
  const found = new Set(Array.from({ length: 40 }, (_, n) => store.read(session(n)).silentSlices(now)).flat());
  assert.ok(found.size > 60, `${found.size} of 120`);
  assert.deepEqual(store.read(session(1)).silentSlices(0), []);
});
