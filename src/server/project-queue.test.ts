import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "./project-queue.js";

const bounds = { perLine: 100, total: 1_000, bytes: 1_000 };
const rest = () => new Promise<void>((resolve) => setImmediate(resolve));

test("within a line the order stays and one is done at a time; another line does not wait for it", async () => {
  const turns = new Turns(bounds);
  const done: string[] = [];
  let running = 0;
  const all = ["a1", "a2", "a3", "a4", "b1", "b2"].map(
    (name) =>
      new Promise<void>((resolve) => {
        const taken = turns.add(name[0]!, 1, async () => {
          if (name.startsWith("a")) assert.equal(++running, 1);
          await rest();
          await rest();
          if (name.startsWith("a")) running--;
          done.push(name);
          resolve();
        });
        assert.equal(taken, true);
      }),
  );
  await Promise.all(all);
  assert.deepEqual(
    done.filter((name) => name.startsWith("a")),
    ["a1", "a2", "a3", "a4"],
  );
  assert.ok(done.indexOf("b2") < done.indexOf("a4"), done.join(" "));
  await rest();
  assert.equal(turns.lines, 0);
  assert.equal(turns.waiting, 0);
});

test("a wide line runs several at once, never more than its width", async () => {
  const turns = new Turns(bounds);
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from(
      { length: 10 },
      () =>
        new Promise<void>((resolve) => {
          turns.add(
            "a",
            1,
            async () => {
              most = Math.max(most, ++running);
              await new Promise((done) => setTimeout(done, 5));
              running--;
              resolve();
            },
            3,
          );
        }),
    ),
  );
  assert.equal(most, 3);
});

const full: [string, Partial<typeof bounds>, (turns: Turns, work: () => Promise<void>) => boolean][] = [
  ["a full line", { perLine: 2 }, (turns, work) => turns.add("a", 1, work)],
  ["too many in all", { total: 2 }, (turns, work) => turns.add("b", 1, work)],
  ["too many bytes", { bytes: 12 }, (turns, work) => turns.add("b", 11, work)],
];

for (const [name, less, add] of full)
  test(`${name}: turned away at once, and there is room again when work is done`, async () => {
    const turns = new Turns({ ...bounds, ...less });
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const work = () => gate;
    for (let i = 0; i < 3; i++) assert.equal(turns.add("a", 1, work), true);
    assert.equal(add(turns, work), false);
    assert.equal(turns.waiting, 2);
    open();
    while (turns.waiting || turns.lines) await rest();
    assert.equal(add(turns, work), true);
  });
