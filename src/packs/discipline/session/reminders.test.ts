import assert from "node:assert/strict";
import { test } from "node:test";
import { failing, play } from "../../../../test/discipline/agent.js";

const numbers = Array.from({ length: 12 }, (_, i) => i);

test("discipline/reminders: after the second failure, once", async (t) => {
  const a = play(t, { gates: ["reminders"] });
  assert.doesNotMatch((await a.bash("npm test", failing(), 1)).context, /Two failures/);
  assert.match((await a.bash("npm test", failing(6), 1)).context, /Two failures in a row/);
  await a.bash("npm test", "ok\n");
  await a.bash("npm test", failing(7), 1);
  assert.doesNotMatch((await a.bash("npm test", failing(8), 1)).context, /Two failures/, "not twice an hour");
});

test("discipline/reminders: after ten edited files without a test run, and after a commit of them", async (t) => {
  const a = play(t, { gates: ["reminders"] });
  const said: string[] = [];
  for (const n of numbers) said.push((await a.write(`src/n${n}.ts`, `export const n = ${n};\n`)).context);
  assert.equal(said.filter((s) => /edited since the last test run/.test(s)).length, 1);
  assert.match((await a.bash("git commit -qam x", "[main 1] x")).context, /Committed with 12 files/);
});

test("discipline/reminders: off by one key, and never a refusal", async (t) => {
  const a = play(t, { gates: ["reminders"], options: { reminders: false } });
  for (const n of numbers) {
    const { context, outcome } = await a.write(`src/n${n}.ts`, `export const n = ${n};\n`);
    assert.deepEqual([context, outcome], ["", "pass"]);
  }
});

test("discipline/reminders: in a long session", async (t) => {
  const a = play(t, { gates: ["reminders"] });
  let told = 0;
  for (let i = 0; i < 210; i++) if (/long session/.test((await a.read("src/a.ts")).context)) told++;
  assert.equal(told, 1);
});
