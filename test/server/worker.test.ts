// A worker that dies, hangs or is replaced is a delay to its callers: no call is lost, none passes unjudged.
import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { identify } from "../../src/project/identify.js";
import { supervise } from "../../src/server/supervisor.js";
import type { Crew } from "../../src/server/worker-pool.js";
import { openStore } from "../../src/store/index.js";
import { forbidden, isRefusal, logOf, ordinary, place, program, send, served, until } from "./server.js";

const workerPid = (crew: Crew): number => (crew.about()["worker"] as { pid: number } | null)?.pid ?? 0;

test("a worker killed again and again in the middle of many calls: each call is answered and judged", async (t) => {
  const at = place(t);
  const { door, crew } = await served(at);
  await send(door, ordinary(at));
  let over = false;
  const killer = (async () => {
    for (let kills = 0; kills < 4 && !over; kills++) {
      await until(() => workerPid(crew) > 0);
      process.kill(workerPid(crew), "SIGKILL");
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
  assert.ok(crew.restarts > 0);
  const records = [...openStore({ home: at.home, id: identify(at.project).id }).records()];
  assert.ok(records.length >= answers.length);
});

test("a stopped worker is ended and its calls go to the next", async (t) => {
  const at = place(t);
  const { door, crew } = await served(at, { stuckMs: 1_500 });
  await send(door, ordinary(at));
  const stopped = workerPid(crew);
  process.kill(stopped, "SIGSTOP");
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.notEqual(workerPid(crew), stopped);
});

test("a program that cannot start refuses at once with the repair, and recovers when it is whole again", async (t) => {
  const at = place(t);
  const broken = join(at.base, "interlock.cjs");
  writeFileSync(broken, "throw new Error('half a package')");
  const server = await supervise(at.home, broken);
  at.before(() => server.end("the test is over"));
  const text = await send(server.door, ordinary(at));
  assert.match(text, /BLOCKED interlock\/server/);
  assert.match(text, /interlock doctor/);
  assert.doesNotMatch(await send(server.door, "{}", "PostToolUse"), /decision/);
  for (const name of readdirSync(join(program, ".."))) copyFileSync(join(program, "..", name), join(at.base, name));
  await until(async () => !isRefusal(await send(server.door, ordinary(at))));
  assert.equal(isRefusal(await send(server.door, forbidden(at))), true);
});

test("a replaced program is taken up without losing a call; a broken replacement leaves the old worker in charge", async (t) => {
  const at = place(t);
  const dist = join(at.base, "package", "dist");
  cpSync(join(program, ".."), dist, { recursive: true });
  const script = join(dist, "interlock.cjs");
  const server = await supervise(at.home, script);
  at.before(() => server.end("the test is over"));
  const refused = async () => isRefusal(await send(server.door, forbidden(at)));
  assert.equal(await refused(), true);
  const first = workerPid(server.crew);

  writeFileSync(script, "process.exit(1)");
  utimesSync(script, new Date(), new Date(Date.now() + 5_000));
  for (let i = 0; i < 10; i++) {
    assert.equal(await refused(), true);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  assert.equal(workerPid(server.crew), first);

  copyFileSync(program, script);
  utimesSync(script, new Date(), new Date(Date.now() + 10_000));
  await until(async () => {
    assert.equal(await refused(), true);
    return workerPid(server.crew) !== first;
  });
});

test("a replacement that is half there is taken up when it is whole", async (t) => {
  const at = place(t);
  const dist = join(at.base, "package", "dist");
  cpSync(join(program, ".."), dist, { recursive: true });
  const script = join(dist, "interlock.cjs");
  const server = await supervise(at.home, script);
  at.before(() => server.end("the test is over"));
  assert.equal(isRefusal(await send(server.door, forbidden(at))), true);
  const first = workerPid(server.crew);
  renameSync(dist, `${dist}.old`);
  mkdirSync(dist);
  copyFileSync(program, script);
  await until(() => logOf(at).includes("the old worker stays"));
  cpSync(join(program, ".."), dist, { recursive: true, preserveTimestamps: true });
  await until(async () => {
    assert.equal(isRefusal(await send(server.door, forbidden(at))), true);
    return workerPid(server.crew) !== first;
  });
});

test("a version that was switched to and removed since: the one the server was started from takes over", async (t) => {
  const at = place(t);
  const { door, crew } = await served(at);
  const dist = join(at.base, "package", "dist");
  cpSync(join(program, ".."), dist, { recursive: true });
  assert.ok("version" in (await crew.switchTo(join(dist, "interlock.cjs"))));
  rmSync(dist, { recursive: true });
  process.kill(workerPid(crew), "SIGKILL");
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.equal(await send(door, ordinary(at)), "{}");
});

test("a worker with nothing to do is let go and comes back with the next call", async (t) => {
  const at = place(t);
  const { door, crew } = await served(at, { restMs: 300 });
  await send(door, ordinary(at));
  const first = workerPid(crew);
  await until(() => workerPid(crew) === 0);
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.notEqual(workerPid(crew), first);
  assert.equal(crew.restarts, 0);
});
