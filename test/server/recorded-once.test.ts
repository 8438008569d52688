// Every answered call has its record, and exactly one, whenever its worker dies.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { handleCall } from "../../src/hook/pipeline.js";
import { monotonic } from "../../src/model/clock.js";
import { identify } from "../../src/project/identify.js";
import type { WorkerPool } from "../../src/server/worker-pool.js";
import { openStore } from "../../src/store/index.js";
import { type Place, pathOf, payload, place, program, send, served, until } from "./server.js";

const recordsOf = (at: Place) => [...openStore({ home: at.home, id: identify(at.project).id }).records()];

const call = (at: Place, id: string, command: string, event: string): string =>
  payload(at, "Bash", { command }, { tool_use_id: id, hook_event_name: event, ...(event === "PostToolUse" && ended) });
const ended = { tool_response: { stdout: "fine", stderr: "", interrupted: false } };

test("a call that comes again is answered from its record and not recorded twice", async (t) => {
  const at = place(t);
  const env = { HOME: at.base, PATH: process.env["PATH"], CLAUDE_PROJECT_DIR: at.project };
  const ask = (body: string, more: object = {}) =>
    handleCall({ bytes: Buffer.from(body), env, home: at.home, ...more }).then((a) => a.text);
  const before = monotonic();
  for (const [id, command] of [
    ["c1", "git status"],
    ["c2", "rm -rf ~/.claude"],
  ] as const) {
    const body = call(at, id, command, "PreToolUse");
    const first = await ask(body);
    const count = recordsOf(at).length;
    assert.equal(await ask(body, { firstSeen: before }), first);
    assert.equal(recordsOf(at).length, count);
    // Another call, or one that came after that record: judged like any other.
    await ask(call(at, `${id}-other`, command, "PreToolUse"), { firstSeen: before });
    await ask(body, { firstSeen: monotonic() });
    assert.equal(recordsOf(at).length, count + 2);
  }
  const post = call(at, "c1", "git status", "PostToolUse");
  assert.equal(await ask(post), "{}");
  assert.equal(await ask(post, { firstSeen: before }), "{}");
  assert.deepEqual(
    recordsOf(at).filter((r) => r.type !== "event" && r.type !== "start"),
    [],
  );
});

test("every answer over http finds its record in the ledger", async (t) => {
  const at = place(t);
  const { door } = await served(at);
  for (const [i, command] of ["git status", "touch a.txt", "rm -rf ~/.claude", "npm test", "ls"].entries())
    for (const event of ["PreToolUse", "PostToolUse"]) {
      await send(door, call(at, `c${i}`, command, event), event);
      const { body } = recordsOf(at).at(-1)!;
      assert.deepEqual([body["hostEvent"], (body["tool"] as { id: string }).id], [event, `c${i}`]);
    }
});

test("12 workers are killed among 150 events: each event is recorded once, none as forged", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at);
  const pid = (of: WorkerPool): number => (of.about()["worker"] as { pid: number } | null)?.pid ?? 0;
  await send(door, call(at, "first", "git status", "PreToolUse"));
  let over = false;
  const killer = (async () => {
    for (let kills = 0; kills < 12 && !over; kills++) {
      const answered = pool.answered;
      await until(() => over || (pid(pool) > 0 && pool.open > 0 && pool.answered > answered + 3));
      await new Promise((resolve) => setTimeout(resolve, (kills % 6) / 2));
      if (pid(pool)) process.kill(pid(pool), "SIGKILL");
    }
  })();
  const client = async (name: number) => {
    for (let k = 0; k < 25; k++) {
      const id = `t-${name}-${k}`;
      for (const event of ["PreToolUse", "PostToolUse"])
        assert.equal(await send(door, call(at, id, `git log -${k + 1}`, event), event), "{}");
    }
  };
  await Promise.all([client(1), client(2), client(3)]);
  over = true;
  await killer;
  await until(() => pool.open === 0);
  const counted = () => {
    const seen = new Map<string, number>();
    for (const { type, body } of recordsOf(at)) {
      assert.notEqual(type, "forged-event", JSON.stringify(body));
      const { hostEvent, tool } = body as { hostEvent?: string; tool?: { id: string } };
      if (tool?.id.startsWith("t-"))
        seen.set(`${hostEvent} ${tool.id}`, (seen.get(`${hostEvent} ${tool.id}`) ?? 0) + 1);
    }
    return seen;
  };
  await until(() => counted().size === 150);
  assert.deepEqual(
    [...counted()].filter(([, times]) => times !== 1),
    [],
  );
  assert.ok(pool.restarts > 0);
});

test("the server recorded a call and was killed: the shim's own process answers from that record", async (t) => {
  const at = place(t);
  const env = { HOME: at.base, PATH: process.env["PATH"]!, CLAUDE_PROJECT_DIR: at.project, INTERLOCK_SERVER: "off" };
  const request = join(at.base, "1.q");
  const alone = () => {
    const stdin = openSync(request, "r");
    const args = [program, "hook", "claude-code", "--event", "PreToolUse", "--home", at.home, "--alone", "yes"];
    try {
      return spawnSync(process.execPath, args, {
        cwd: at.project,
        env,
        stdio: [stdin, "pipe", "pipe"],
      }).stdout.toString();
    } finally {
      closeSync(stdin);
    }
  };
  for (const command of ["git status", "rm -rf ~/.claude"]) {
    const body = call(at, `c ${command}`, command, "PreToolUse");
    writeFileSync(request, body);
    const first = (await handleCall({ bytes: Buffer.from(body), env, home: at.home, decidesItself: true })).text;
    const count = recordsOf(at).length;
    assert.equal(alone(), first);
    assert.equal(recordsOf(at).length, count, command);
  }
  writeFileSync(request, call(at, "never seen", "git status", "PreToolUse"));
  const count = recordsOf(at).length;
  assert.equal(alone(), "{}");
  assert.equal(recordsOf(at).length, count + 1, "a call nobody recorded is recorded");
});

test("server and caller judge the same call at the same time: one record", async (t) => {
  const at = place(t);
  const env = { HOME: at.base, PATH: process.env["PATH"]!, CLAUDE_PROJECT_DIR: at.project };
  const since = monotonic();
  for (let i = 0; i < 10; i++) {
    const bytes = Buffer.from(call(at, `both-${i}`, "rm -rf ~/.claude", "PreToolUse"));
    const both = [{ decidesItself: true }, { firstSeen: since }];
    await Promise.all(both.map((more) => handleCall({ bytes, env, home: at.home, ...more })));
    const ids = recordsOf(at).map((r) => (r.body["tool"] as { id?: string } | undefined)?.id);
    assert.equal(ids.filter((id) => id === `both-${i}`).length, 1);
  }
});

test("a call whose client has closed the connection is recorded as refused", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at, { stuckMs: 60_000 });
  await send(door, call(at, "first", "git status", "PreToolUse"));
  const worker = (pool.about()["worker"] as { pid: number }).pid;
  process.kill(worker, "SIGSTOP");
  const body = call(at, "given-up", "git status", "PreToolUse");
  const headers = {
    "content-type": "application/json",
    "x-interlock-token": door.token,
    "content-length": body.length,
  };
  const path = pathOf("PreToolUse");
  const request = httpRequest({ host: "127.0.0.1", port: door.port, method: "POST", path, headers });
  request.on("error", () => {}); // it is closed below
  request.end(body);
  await until(() => pool.open === 1);
  request.destroy();
  await until(() => pool.abandoned === 1);
  process.kill(worker, "SIGCONT");
  const mine = () => recordsOf(at).find((r) => (r.body["tool"] as { id?: string } | undefined)?.id === "given-up");
  await until(() => mine() !== undefined);
  const verdict = mine()!.body["verdict"] as { outcome: string; gate: string };
  assert.deepEqual([verdict.outcome, verdict.gate], ["deny", "interlock/timeout"]);
});
