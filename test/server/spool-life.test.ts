// The spool while things die, stop and are replaced: every caller gets its verdict, and no call is judged by two.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serverPid } from "../../src/hook/server-address.js";
import { bellIn, noticeIn, spoolFolder } from "../../src/hook/spool-protocol.js";
import { identify } from "../../src/project/identify.js";
import type { Crew } from "../../src/server/worker-pool.js";
import { openStore } from "../../src/store/index.js";
import { forbidden, isRefusal, ordinary, type Place, payload, place, program, served, until } from "./server.js";
import { askSpool, call, leftIn, manners, spooling } from "./spooled.js";

const posix = { skip: process.platform === "win32" ? "there are no FIFOs here" : false };
const workerPid = (crew: Crew): number => (crew.about()["worker"] as { pid: number } | null)?.pid ?? 0;
const recordsOf = (at: Place) => [...openStore({ home: at.home, id: identify(at.project).id }).records()];
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Every third is to be refused. */
const mixed = (at: Place, i: number): string => (i % 3 ? ordinary(at) : forbidden(at));

test("50 callers at once: each gets its own verdict, one record each, and nothing is left", posix, async (t) => {
  const at = place(t);
  const { crew } = await served(at);
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
  assert.ok(crew.answered > 25, `${crew.answered}`);
  await until(() => leftIn(at).length === 0);
});

test(
  "a worker killed twice in the middle of many calls: every caller gets its verdict from the next",
  posix,
  async (t) => {
    const at = place(t);
    const { crew } = await served(at);
    await spooling(at);
    let over = false;
    const killer = (async () => {
      for (let kills = 0; kills < 2 && !over; kills++) {
        await until(() => workerPid(crew) > 0);
        process.kill(workerPid(crew), "SIGKILL");
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
    assert.ok(crew.restarts > 0);
  },
);

test("a stopped worker is ended and its callers go to the next", posix, async (t) => {
  const at = place(t);
  const { crew } = await served(at, { stuckMs: 1_500 });
  await spooling(at);
  const stopped = workerPid(crew);
  process.kill(stopped, "SIGSTOP");
  for (const text of await Promise.all(manners.map(async (m) => (await call(m, at, forbidden(at))).text)))
    assert.equal(isRefusal(text), true);
  assert.notEqual(workerPid(crew), stopped);
  assert.equal(crew.answered, manners.length);
});

test(
  "a worker that takes a call and never answers: the caller decides in time, and the worker not any more",
  posix,
  async (t) => {
    const at = place(t);
    const { crew } = await served(at, { stuckMs: 60_000 });
    await spooling(at);
    const stopped = workerPid(crew);
    process.kill(stopped, "SIGSTOP");
    for (const text of await Promise.all(manners.map(async (m) => (await call(m, at, forbidden(at))).text)))
      assert.equal(isRefusal(text), true);
    process.kill(stopped, "SIGCONT");
    assert.equal(await askSpool(at, ordinary(at)), "{}");
    assert.equal(recordsOf(at).length, manners.length + 1);
  },
);

test("two workers while one takes over from the other: each call is judged once", posix, async (t) => {
  const at = place(t);
  const { crew } = await served(at);
  await spooling(at);
  const first = workerPid(crew);
  let over = false;
  const asking = (async () => {
    const answers: (string | undefined)[] = [];
    while (!over || answers.length % 4) {
      const four = [0, 1, 2, 3].map((i) => askSpool(at, mixed(at, answers.length + i)));
      answers.push(...(await Promise.all(four)));
    }
    return answers;
  })();
  assert.ok("version" in (await crew.switchTo(program)));
  over = true;
  const answers = await asking;
  for (const [i, text] of answers.entries()) assert.equal(isRefusal(text ?? "{}"), i % 3 === 0, `${i}: ${text}`);
  assert.equal(recordsOf(at).length, answers.length);
  assert.notEqual(workerPid(crew), first);
});

test("a stopped server: nobody waits twice, and it takes up its work when it goes on", posix, async (t) => {
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
  "a killed server: its bell and notice deceive nobody; a hook starts another, which takes what waits",
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
