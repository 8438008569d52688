// A long-lived process remembers what it wrote: it still notices when its files are replaced, damaged or extended.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore, type Store, verify } from "./index.js";

/** A store that this process has written to thirty times. */
function writtenOften(t: TestContext): { store: Store; home: string; folder: string; add(): number } {
  const home = mkdtempSync(join(tmpdir(), "interlock-long-lived-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const store = openStore({ home, id: "p1" });
  let n = 0;
  const add = () => {
    n++;
    return store.append(() => ({ type: "event", body: { n }, patch: { count: { n } } }))!.record.seq;
  };
  for (let i = 0; i < 30; i++) add();
  return { store, home, folder: join(home, "projects", "p1"), add };
}

const files = ["ledger/00000001.jsonl", "state.json", "state.backup.json"];

for (const name of files)
  test(`${name} is replaced by a copy of itself: later records go to the new file`, (t) => {
    const { store, home, folder, add } = writtenOften(t);
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
    test(`${name} is ${how} under a long-lived process: the next record reports tampering`, (t) => {
      const { home, folder, add } = writtenOften(t);
      const marks = join(home, "marks");
      const path = name === "mark" ? join(marks, readdirSync(marks)[0]!) : join(folder, name);
      copyFileSync(path, `${path}.old`);
      for (let i = 0; i < 4; i++) add();
      act(path);
      rmSync(`${path}.old`, { force: true });
      add();
      assert.equal(openStore({ home, id: "p1" }).read().condition.tampered, true);
    });

test("two processes that write in turns share one chain", (t) => {
  const { store, home, add } = writtenOften(t);
  const other = openStore({ home, id: "p1" });
  for (let i = 0; i < 20; i++) {
    add();
    other.append(() => ({ type: "event", body: { other: i } }));
  }
  assert.equal(store.read().seq, 70);
  const { verdict, records } = verify({ home, id: "p1" });
  assert.deepEqual({ verdict, records }, { verdict: "intact", records: 70 });
});
