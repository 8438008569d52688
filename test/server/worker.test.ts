// A worker that dies, hangs or is replaced is a delay to its callers: no call is lost, none passes unjudged.
import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { identify } from "../../src/project/identify.js";
import { supervise } from "../../src/server/supervisor.js";
import type { WorkerPool } from "../../src/server/worker-pool.js";
import { openStore } from "../../src/store/index.js";
import { forbidden, isRefusal, logOf, ordinary, place, program, send, served, until } from "./server.js";

const workerPid = (pool: WorkerPool): number => (pool.about()["worker"] as { pid: number } | null)?.pid ?? 0;

test("workers are killed during many calls: each call is judged and answered", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at);
  await send(door, ordinary(at));
  let over = false;
  const killer = (async () => {
    for (let kills = 0; kills < 4 && !over; kills++) {
      await until(() => workerPid(pool) > 0);
      process.kill(workerPid(pool), "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  })();
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 8));
      return [i % 3 === 0, await send(door, i % 3 === 0 ? forbidden(at) : ordinary(at))] as const;
    }),
  );
  over = true;
  await killer;
  for (const [refuse, text] of answers) assert.equal(isRefusal(text), refuse, text);
  assert.ok(pool.restarts > 0);
  const records = [...openStore({ home: at.home, id: identify(at.project).id }).records()];
  assert.ok(records.length >= answers.length);
});

test("a stuck worker is killed and the next one gets its calls", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at, { stuckMs: 1_500 });
  await send(door, ordinary(at));
  const stopped = workerPid(pool);
  process.kill(stopped, "SIGSTOP");
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.notEqual(workerPid(pool), stopped);
});

test("a program that cannot start: calls are refused at once, until it is repaired", async (t) => {
  const at = place(t);
  const broken = join(at.base, "interlock.cjs");
  writeFileSync(broken, "throw new Error('half a package')");
  const server = await supervise(at.home, broken);
  at.before(() => server.end("the test is over"));
  const text = await send(server.door, ordinary(at));
  assert.match(text, /BLOCKED interlock\/server/);
  assert.match(text, /interlock doctor/);
  assert.doesNotMatch(await send(server.door, "{}", "PostToolUse"), /decision/);
  cpSync(join(program, ".."), at.base, { recursive: true });
  await until(async () => !isRefusal(await send(server.door, ordinary(at))));
  assert.equal(isRefusal(await send(server.door, forbidden(at))), true);
});

test("a replaced program takes over without losing a call; a broken one does not", async (t) => {
  const at = place(t);
  const dist = join(at.base, "package", "dist");
  cpSync(join(program, ".."), dist, { recursive: true });
  const script = join(dist, "interlock.cjs");
  const server = await supervise(at.home, script);
  at.before(() => server.end("the test is over"));
  const refused = async () => isRefusal(await send(server.door, forbidden(at)));
  assert.equal(await refused(), true);
  const first = workerPid(server.pool);

  writeFileSync(script, "process.exit(1)");
  utimesSync(script, new Date(), new Date(Date.now() + 5_000));
  for (let i = 0; i < 10; i++) {
    assert.equal(await refused(), true);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  assert.equal(workerPid(server.pool), first);

  copyFileSync(program, script);
  utimesSync(script, new Date(), new Date(Date.now() + 10_000));
  await until(async () => {
    assert.equal(await refused(), true);
    return workerPid(server.pool) !== first;
  });
});

test("an incomplete installation takes over once it is complete", async (t) => {
  const at = place(t);
  const dist = join(at.base, "package", "dist");
  cpSync(join(program, ".."), dist, { recursive: true });
  const script = join(dist, "interlock.cjs");
  const server = await supervise(at.home, script);
  at.before(() => server.end("the test is over"));
  assert.equal(isRefusal(await send(server.door, forbidden(at))), true);
  const first = workerPid(server.pool);
  renameSync(dist, `${dist}.old`);
  mkdirSync(dist);
  copyFileSync(program, script);
  await until(() => logOf(at).includes("the old worker stays"));
  cpSync(join(program, ".."), dist, { recursive: true, preserveTimestamps: true });
  await until(async () => {
    assert.equal(isRefusal(await send(server.door, forbidden(at))), true);
    return workerPid(server.pool) !== first;
  });
});

test("a removed version is replaced by the one the server was started from", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at);
  const dist = join(at.base, "package", "dist");
  cpSync(join(program, ".."), dist, { recursive: true });
  assert.ok("version" in (await pool.switchTo(join(dist, "interlock.cjs"))));
  rmSync(dist, { recursive: true });
  process.kill(workerPid(pool), "SIGKILL");
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.equal(await send(door, ordinary(at)), "{}");
});

test("an idle worker is stopped and the next call starts another", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at, { idleMs: 300 });
  await send(door, ordinary(at));
  const first = workerPid(pool);
  await until(() => workerPid(pool) === 0);
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.notEqual(workerPid(pool), first);
  assert.equal(pool.restarts, 0);
});
