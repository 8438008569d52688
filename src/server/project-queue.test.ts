import assert from "node:assert/strict";
import { test } from "node:test";
import { ProjectQueue } from "./project-queue.js";

const bounds = { perQueue: 100, total: 1_000, bytes: 1_000 };
const rest = () => new Promise<void>((resolve) => setImmediate(resolve));

test("jobs of one project run in order, one at a time; other projects do not wait for them", async () => {
  const queue = new ProjectQueue(bounds);
  const done: string[] = [];
  let running = 0;
  const all = ["a1", "a2", "a3", "a4", "b1", "b2"].map(
    (name) =>
      new Promise<void>((resolve) => {
        const taken = queue.add(name[0]!, 1, async () => {
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
  assert.equal(queue.queues, 0);
  assert.equal(queue.waiting, 0);
});

test("a queue with a width runs that many jobs at once and no more", async () => {
  const queue = new ProjectQueue(bounds);
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from(
      { length: 10 },
      () =>
        new Promise<void>((resolve) => {
          queue.add(
            "a",
            1,
            async () => {
              most = Math.max(most, ++running);
              await new Promise((done) => setTimeout(done, 5));
              running--;
              resolve();
            },
            () => 3,
          );
        }),
    ),
  );
  assert.equal(most, 3);
});

const full: [string, Partial<typeof bounds>, (queue: ProjectQueue, work: () => Promise<void>) => boolean][] = [
  ["a full line", { perQueue: 2 }, (queue, work) => queue.add("a", 1, work)],
  ["too many in all", { total: 2 }, (queue, work) => queue.add("b", 1, work)],
  ["too many bytes", { bytes: 12 }, (queue, work) => queue.add("b", 11, work)],
];

for (const [name, less, add] of full)
  test(`${name}: rejected at once, and accepted again when jobs are done`, async () => {
    const queue = new ProjectQueue({ ...bounds, ...less });
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const work = () => gate;
    for (let i = 0; i < 3; i++) assert.equal(queue.add("a", 1, work), true);
    assert.equal(add(queue, work), false);
    assert.equal(queue.waiting, 2);
    open();
    while (queue.waiting || queue.queues) await rest();
    assert.equal(add(queue, work), true);
  });
