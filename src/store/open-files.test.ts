// A process that keeps its files open still writes to the files that are there, and sees what was done to them meanwhile.
import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore, type Store, verify } from "./index.js";

/** A store whose process has stayed long enough to keep everything open. */
function stayed(t: TestContext): { store: Store; home: string; folder: string; add(): number } {
  const home = mkdtempSync(join(tmpdir(), "interlock-kept-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const store = openStore({ home, id: "p1" });
  let n = 0;
  const add = () => {
    n++;
    return store.transact(() => ({ type: "event", body: { n }, patch: { count: { n } } }))!.record.seq;
  };
  for (let i = 0; i < 30; i++) add();
  return { store, home, folder: join(home, "projects", "p1"), add };
}

const files = ["ledger/00000001.jsonl", "state.json", "state.backup.json"];

for (const name of files)
  test(`${name} replaced by a copy of itself: nothing is lost, and what follows goes to the new file`, (t) => {
    const { store, home, folder, add } = stayed(t);
    const path = join(folder, name);
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
    const seq = add();
    assert.equal(add(), seq + 1);
    assert.equal(store.read().seq, seq + 1);
    assert.equal(openStore({ home, id: "p1" }).read().seq, seq + 1);
    assert.equal(openStore({ home, id: "p1" }).read().condition.tampered, false);
    assert.equal(verify({ home, id: "p1" }).verdict, "intact");
  });

const done: Record<string, (path: string) => void> = {
  deleted: (path) => rmSync(path),
  "cut by a line": (path) => {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1));
  },
  "put back as it was": (path) => writeFileSync(path, readFileSync(`${path}.old`)),
};

for (const name of [...files, "mark"])
  for (const [how, act] of Object.entries(done))
    test(`${name} ${how} under a process that keeps it open is found with the next record`, (t) => {
      const { home, folder, add } = stayed(t);
      const marks = join(home, "marks");
      const path = name === "mark" ? join(marks, readdirSync(marks)[0]!) : join(folder, name);
      copyFileSync(path, `${path}.old`);
      for (let i = 0; i < 4; i++) add();
      act(path);
      rmSync(`${path}.old`, { force: true });
      add();
      assert.equal(openStore({ home, id: "p1" }).read().condition.tampered, true);
    });

test("another process that records in between is seen, and both go on in one chain", (t) => {
  const { store, home, add } = stayed(t);
  const other = openStore({ home, id: "p1" });
  for (let i = 0; i < 20; i++) {
    add();
    assert.equal(store.isNewest(), true);
    other.transact(() => ({ type: "event", body: { other: i } }));
    assert.equal(store.isNewest(), false);
  }
  assert.equal(store.read().seq, 70);
  const { verdict, records } = verify({ home, id: "p1" });
  assert.deepEqual({ verdict, records }, { verdict: "intact", records: 70 });
});

test("segments that follow each other leave no more files open than one", {
  skip: process.platform !== "linux",
}, (t) => {
  const home = mkdtempSync(join(tmpdir(), "interlock-kept-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const store = openStore({ home, id: "p1" }, { segment: { bytes: 1 << 20, records: 10 } });
  const held = () => {
    const links = readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return []; // the one that listed them
      }
    });
    return links.filter((link) => link.startsWith(home)).length;
  };
  const counts = Array.from({ length: 20 }, () => {
    for (let i = 0; i < 10; i++) store.transact(() => ({ type: "event", body: { i } }));
    return held();
  });
  assert.ok(readdirSync(join(home, "projects/p1/ledger")).length >= 20);
  assert.ok(Math.max(...counts) <= 6, String(counts));
});
