// A call that somebody has given up on is never recorded as passed.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { handleCall } from "../../src/hook/pipeline.js";
import { monotonic } from "../../src/model/clock.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { isRefusal, ordinary, type Place, place, send, served, until } from "./server.js";
import { askSpool, spooling } from "./spooled.js";

const recordsOf = (at: Place) => [...openStore({ home: at.home, id: identify(at.project).id }).records()];
const outcomes = (at: Place) =>
  recordsOf(at).flatMap(({ body }) => {
    const { verdict } = body as { verdict?: { outcome: string; gate?: string } };
    return verdict ? [`${verdict.outcome} ${verdict.gate ?? ""}`.trim()] : [];
  });

/** An adopted hook that suspends the worker that runs it. */
function adoptSuspending(at: Place): void {
  mkdirSync(at.home, { recursive: true });
  writeFileSync(join(at.home, "adopted.json"), JSON.stringify([{ event: "PreToolUse", command: "kill -STOP $PPID" }]));
}

const call = (at: Place, more: object) => ({
  bytes: Buffer.from(ordinary(at)),
  env: { HOME: at.base, PATH: process.env["PATH"], CLAUDE_PROJECT_DIR: at.project },
  home: at.home,
  ...more,
});

test("an event judged after its deadline is recorded and answered as refused", async (t) => {
  const at = place(t);
  const { text } = await handleCall(call(at, { deadline: monotonic() - 1 }));
  assert.match(text, /BLOCKED interlock\/timeout \[v-1\]/);
  assert.deepEqual(outcomes(at), ["deny interlock/timeout"]);
  assert.match(at.interlock("why", "v-1").stdout, /deny by interlock\/timeout[^]*not judged in time/);
});

test("an event that cannot be refused is recorded as late", async (t) => {
  const at = place(t);
  const bytes = Buffer.from(JSON.stringify({ session_id: "s", cwd: at.project, prompt: "go on" }));
  await handleCall(call(at, { bytes, registered: "UserPromptSubmit", deadline: monotonic() - 1 }));
  assert.deepEqual(outcomes(at), ["pass"]);
  assert.equal(recordsOf(at)[0]!.body["late"], true);
});

test("a caller that decides by itself: a late event is not recorded", async (t) => {
  const at = place(t);
  const { text } = await handleCall(call(at, { deadline: monotonic() - 1, decidesItself: true }));
  assert.equal(text, "");
  assert.deepEqual(recordsOf(at), []);
});

test("the server refused a call while it was judged: the record says refused", async (t) => {
  const at = place(t);
  adoptSuspending(at);
  const { door, pool } = await served(at, { deadlineMs: 5_000, stuckMs: 60_000 });
  const refused = send(door, ordinary(at));
  await until(() => (pool.about()["worker"] as object | null) !== null);
  const { pid } = pool.about()["worker"] as { pid: number };
  assert.match(await refused, /BLOCKED interlock\/timeout/);
  assert.deepEqual(outcomes(at), [], "the worker is suspended before it records");
  process.kill(pid, "SIGCONT");
  await until(() => outcomes(at).length === 1);
  assert.deepEqual(outcomes(at), ["deny interlock/timeout"]);
});

test("a worker that was suspended past the deadline records nothing as passed", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at, { deadlineMs: 2_000, stuckMs: 60_000 });
  await send(door, ordinary(at));
  const before = recordsOf(at).length;
  const { pid } = pool.about()["worker"] as { pid: number };
  process.kill(pid, "SIGSTOP");
  try {
    assert.match(await send(door, ordinary(at)), /BLOCKED interlock\/timeout/);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  assert.equal(isRefusal(await send(door, ordinary(at))), false);
  assert.deepEqual(outcomes(at).slice(before), ["pass"]);
});

test("a caller in the spool that gave up: the worker records nothing", async (t) => {
  const at = place(t);
  await served(at, { deadlineMs: 1_000 });
  await spooling(at);
  // Less time than the margin before the answer: judged too late from the start.
  assert.equal(await askSpool(at, ordinary(at)), "");
  assert.deepEqual(recordsOf(at), []);
});
