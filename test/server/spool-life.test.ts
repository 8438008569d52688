// The spool while things die, stop and are replaced: every caller gets its verdict, and no call is judged by two.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serverPid } from "../../src/hook/server-address.js";
import { bellIn, noticeIn, spoolFolder } from "../../src/hook/spool-protocol.js";
import { identify } from "../../src/project/identify.js";
import type { WorkerPool } from "../../src/server/worker-pool.js";
import { openStore } from "../../src/store/index.js";
import { forbidden, isRefusal, ordinary, type Place, payload, place, program, served, until } from "./server.js";
import { askSpool, call, leftIn, manners, spooling } from "./spooled.js";

const posix = { skip: process.platform === "win32" ? "there are no FIFOs here" : false };
const workerPid = (pool: WorkerPool): number => (pool.about()["worker"] as { pid: number } | null)?.pid ?? 0;
const recordsOf = (at: Place) => [...openStore({ home: at.home, id: identify(at.project).id }).records()];
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Every third is to be refused. */
const mixed = (at: Place, i: number): string => (i % 3 ? ordinary(at) : forbidden(at));

test("50 callers at once: each gets its own verdict and one record", posix, async (t) => {
  const at = place(t);
  const { pool } = await served(at);
  await spooling(at);
  const all = Array.from({ length: 50 }, async (_, i) => {
    const file = join(at.project, i % 3 ? `${i}.txt` : `.claude/settings.${i}.json`);
    const input = payload(at, "Write", {
      file_path: i % 3 ? file : join(at.project, ".claude/settings.json"),
      content: file,
    });
    return [i, (await call(manners[i % manners.length]!, at, input)).text] as const;
  });
  for (const [i, text] of await Promise.all(all)) assert.equal(isRefusal(text), i % 3 === 0, text);
  assert.equal(recordsOf(at).length, 50);
  assert.ok(pool.answered > 25, `${pool.answered}`);
  await until(() => leftIn(at).length === 0);
});

test("workers are killed during many calls: every caller gets its verdict", posix, async (t) => {
  const at = place(t);
  const { pool } = await served(at);
  await spooling(at);
  let over = false;
  const killer = (async () => {
    for (let kills = 0; kills < 2 && !over; kills++) {
      await until(() => workerPid(pool) > 0);
      process.kill(workerPid(pool), "SIGKILL");
      await wait(80);
    }
  })();
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      await wait(i * 8);
      return askSpool(at, mixed(at, i));
    }),
  );
  over = true;
  await killer;
  for (const [i, text] of answers.entries()) assert.equal(isRefusal(text ?? "{}"), i % 3 === 0, `${i}: ${text}`);
  assert.ok(pool.restarts > 0);
});

test("a stuck worker is killed and the next one answers its callers", posix, async (t) => {
  const at = place(t);
  const { pool } = await served(at, { stuckMs: 1_500 });
  await spooling(at);
  const stopped = workerPid(pool);
  process.kill(stopped, "SIGSTOP");
  for (const text of await Promise.all(manners.map(async (m) => (await call(m, at, forbidden(at))).text)))
    assert.equal(isRefusal(text), true);
  assert.notEqual(workerPid(pool), stopped);
  assert.equal(pool.answered, manners.length);
});

test("a suspended worker: the caller decides by itself, and the worker records nothing later", posix, async (t) => {
  const at = place(t);
  const { pool } = await served(at, { stuckMs: 60_000 });
  await spooling(at);
  const stopped = workerPid(pool);
  process.kill(stopped, "SIGSTOP");
  for (const text of await Promise.all(manners.map(async (m) => (await call(m, at, forbidden(at))).text)))
    assert.equal(isRefusal(text), true);
  process.kill(stopped, "SIGCONT");
  assert.equal(await askSpool(at, ordinary(at)), "{}");
  assert.equal(recordsOf(at).length, manners.length + 1);
});

test("while a new worker takes over, each call is judged once", posix, async (t) => {
  const at = place(t);
  const { pool } = await served(at);
  await spooling(at);
  const first = workerPid(pool);
  let over = false;
  const asking = (async () => {
    const answers: (string | undefined)[] = [];
    while (!over || answers.length % 4) {
      const four = [0, 1, 2, 3].map((i) => askSpool(at, mixed(at, answers.length + i)));
      answers.push(...(await Promise.all(four)));
    }
    return answers;
  })();
  assert.ok("version" in (await pool.switchTo(program)));
  over = true;
  const answers = await asking;
  for (const [i, text] of answers.entries()) assert.equal(isRefusal(text ?? "{}"), i % 3 === 0, `${i}: ${text}`);
  assert.equal(recordsOf(at).length, answers.length);
  assert.notEqual(workerPid(pool), first);
});

test("a suspended server: only the first caller waits, and it works again when resumed", posix, async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("up").status, 0);
  await spooling(at);
  const pid = serverPid(at.home)!;
  const env = { HOME: at.base };
  for (const manner of manners) {
    await until(() => existsSync(bellIn(spoolFolder(at.home))));
    process.kill(pid, "SIGSTOP");
    try {
      assert.equal(isRefusal((await call(manner, at, forbidden(at), { env })).text), true);
      assert.equal(existsSync(bellIn(spoolFolder(at.home))), false);
      assert.equal((await call(manner, at, ordinary(at), { env })).text, "{}");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await until(() => existsSync(bellIn(spoolFolder(at.home))));
    assert.equal(await askSpool(at, ordinary(at)), "{}");
  }
  assert.equal(recordsOf(at).length, 3 * manners.length);
});

test(
  "a killed server: hooks decide by themselves and start another, which takes waiting requests",
  posix,
  async (t) => {
    const at = place(t);
    at.before(() => at.interlock("down"));
    const env = { HOME: at.base };
    for (const manner of manners) {
      assert.equal(at.interlock("up").status, 0);
      await spooling(at);
      const pid = serverPid(at.home)!;
      process.kill(pid, "SIGKILL");
      await until(() => serverPid(at.home) === undefined);
      assert.equal(existsSync(bellIn(spoolFolder(at.home))), true);
      const path = join(spoolFolder(at.home), "4999999");
      writeFileSync(`${path}.q`, `interlock 1 PreToolUse 0\nCLAUDE_PROJECT_DIR=${at.project}\n\n${ordinary(at)}`);
      writeFileSync(`${path}.a`, "");
      assert.equal(isRefusal((await call(manner, at, forbidden(at), { env })).text), true);
      await until(() => serverPid(at.home) !== undefined && !existsSync(`${path}.q`));
      await until(() => readFileSync(noticeIn(spoolFolder(at.home)), "utf8").startsWith(`${serverPid(at.home)}\n`));
      await until(() => !existsSync(`${path}.a`));
    }
    assert.equal(recordsOf(at).length, 2 * manners.length);
  },
);
