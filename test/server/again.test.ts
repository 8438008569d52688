// A call whose worker dies is recorded once, whenever it dies: before the record, after it, or after an answer that went ahead of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../../src/hook/answer.js";
import { monotonic } from "../../src/model/clock.js";
import { identify } from "../../src/project/identify.js";
import { warmOpen } from "../../src/server/project-cache.js";
import type { Crew } from "../../src/server/worker-pool.js";
import { openStore } from "../../src/store/index.js";
import { type Place, payload, place, send, served, until } from "./server.js";

const recordsOf = (at: Place) => [...openStore({ home: at.home, id: identify(at.project).id }).records()];

const call = (at: Place, id: string, command: string, event: string): string =>
  payload(at, "Bash", { command }, { tool_use_id: id, hook_event_name: event, ...(event === "PostToolUse" && ended) });
const ended = { tool_response: { stdout: "fine", stderr: "", interrupted: false } };

test("an event that comes again gets the verdict that was recorded, and no second record", async (t) => {
  const at = place(t);
  const env = { HOME: at.base, PATH: process.env["PATH"], CLAUDE_PROJECT_DIR: at.project };
  const ask = (body: string, more: object = {}) =>
    answer({ bytes: Buffer.from(body), env, home: at.home, ...more }).then((a) => a.text);
  const before = monotonic();
  for (const [id, command] of [
    ["c1", "git status"],
    ["c2", "rm -rf ~/.claude"],
  ] as const) {
    const body = call(at, id, command, "PreToolUse");
    const first = await ask(body);
    const count = recordsOf(at).length;
    assert.equal(await ask(body, { again: before }), first);
    assert.equal(recordsOf(at).length, count);
    // Not the same call, or not since: judged like any other.
    await ask(call(at, `${id}-other`, command, "PreToolUse"), { again: before });
    await ask(body, { again: monotonic() });
    assert.equal(recordsOf(at).length, count + 2);
  }
  const post = call(at, "c1", "git status", "PostToolUse");
  assert.equal(await ask(post), "{}");
  assert.equal(await ask(post, { again: before }), "{}");
  assert.deepEqual(
    recordsOf(at).filter((r) => r.type !== "event" && r.type !== "start"),
    [],
  );
});

test("calls that are over or change nothing are answered before their record, every other one after it", async (t) => {
  const at = place(t);
  const env = { HOME: at.base, PATH: process.env["PATH"], CLAUDE_PROJECT_DIR: at.project };
  const open = warmOpen();
  const ask = async (id: string, command: string, event: string): Promise<string> => {
    const before = recordsOf(at).length;
    let how = "";
    const said = (name: string) => () => {
      how ||= `${name}, ${recordsOf(at).length - before} records`;
    };
    const bytes = Buffer.from(call(at, id, command, event));
    await answer({ bytes, env, home: at.home, open, foretold: said("foretold"), early: said("early") });
    assert.equal(recordsOf(at).length, before + 1, `${command} is recorded`);
    return how;
  };
  await ask("c0", "git status", "PreToolUse"); // makes the key; then the project is opened for good
  await ask("c0", "git status", "PostToolUse");
  for (const [id, command, wanted] of [
    ["c1", "git status && ls src", "foretold, 0 records"],
    ["c2", "cat README.md | head -3", "foretold, 0 records"],
    ["c3", "touch a.txt", "early, 1 records"],
    ["c4", "npm test", "early, 1 records"],
    ["c5", "curl https://example.org", "early, 1 records"],
    ["c6", "some-unknown-program", "early, 1 records"],
    ["c7", "cat ~/.ssh/id_rsa", "early, 1 records"],
  ] as const) {
    assert.equal(await ask(id, command, "PreToolUse"), wanted, command);
    if (wanted.startsWith("foretold"))
      assert.equal(await ask(id, command, "PostToolUse"), "foretold, 0 records", command);
  }
  // Another process writes: what is remembered no longer holds, and the answer waits for the record.
  await answer({ bytes: Buffer.from(call(at, "c8", "ls", "PreToolUse")), env, home: at.home });
  assert.equal(await ask("c9", "git status", "PreToolUse"), "early, 1 records");
  assert.equal(await ask("c10", "git status", "PreToolUse"), "foretold, 0 records");
});

test("an answer that went ahead while another process recorded: the event is judged anew and recorded once", async (t) => {
  const at = place(t);
  const env = { HOME: at.base, PATH: process.env["PATH"], CLAUDE_PROJECT_DIR: at.project };
  const warm = warmOpen();
  const bytes = (id: string) => Buffer.from(call(at, id, "git status", "PreToolUse"));
  // As if the other one came right after the look at the ledger.
  const open: typeof warm = async (folder, options) => {
    const opened = await warm(folder, options);
    return { ...opened, store: { ...opened.store, isNewest: () => true } };
  };
  for (const id of ["c1", "c2", "c3"]) await answer({ bytes: bytes(id), env, home: at.home, open });
  await answer({ bytes: bytes("other"), env, home: at.home });
  const before = recordsOf(at).length;
  const said: string[] = [];
  await answer({ bytes: bytes("c4"), env, home: at.home, open, foretold: (text) => said.push(text) });
  assert.deepEqual(said, ["{}"]);
  const added = recordsOf(at).slice(before);
  assert.deepEqual(
    added.map(({ type, body }) => [type, (body["tool"] as { id: string }).id, body["answered"]]),
    [["event", "c4", undefined]],
  );
  assert.equal(openStore({ home: at.home, id: identify(at.project).id }).read().condition.ok, true);
});

test("workers killed all the time: every event is recorded, none twice, none as forged", async (t) => {
  const at = place(t);
  const { door, crew } = await served(at);
  const pid = (of: Crew): number => (of.about()["worker"] as { pid: number } | null)?.pid ?? 0;
  await send(door, call(at, "first", "git status", "PreToolUse"));
  let over = false;
  const killer = (async () => {
    for (let kills = 0; kills < 12 && !over; kills++) {
      const answered = crew.answered;
      await until(() => over || (pid(crew) > 0 && crew.open > 0 && crew.answered > answered + 3));
      await new Promise((resolve) => setTimeout(resolve, (kills % 6) / 2));
      if (pid(crew)) process.kill(pid(crew), "SIGKILL");
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
  await until(() => crew.open === 0);
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
  assert.ok(crew.restarts > 0);
});
