// Hooks that find no server start one where Interlock is installed: one at a time, after their answer, and not after
// `interlock down`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serverPid } from "../../src/hook/server-address.js";
import { downUntil } from "../../src/hook/start-policy.js";
import { residenceOf } from "../../src/project/protected/own-server.js";
import { forbidden, isRefusal, ordinary, type Place, payload, place, until } from "./server.js";
import { spooling } from "./spooled.js";

const linux = { skip: process.platform === "linux" ? false : "here a command hook has no server to ask" };

interface Handler {
  command: string;
  args?: string[];
}

/** As the client runs it: what stands in the settings file. */
async function hook(at: Place, input: string, event = "PreToolUse", env: Record<string, string> = {}): Promise<string> {
  const file = join(at.project, ".claude/settings.local.json");
  const { hooks } = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, { hooks: Handler[] }[]> };
  const { command, args } = hooks[event]![0]!.hooks[0]!;
  const child = spawn(command, args ?? [], {
    cwd: at.project,
    shell: args === undefined,
    env: { ...at.env, CLAUDE_PROJECT_DIR: at.project, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  child.stdout!.on("data", (part) => (text += part));
  child.stdin!.end(input);
  assert.deepEqual(await once(child, "close"), [0, null]);
  return text;
}

const start = (at: Place) =>
  JSON.stringify({ session_id: "s", cwd: at.project, hook_event_name: "SessionStart", source: "startup" });

function installed(t: Parameters<typeof place>[0], ...more: string[]): Place {
  const at = place(t);
  at.before(() => at.interlock("down"));
  const init = at.interlock("init", "--yes", "--door", "command", ...more);
  assert.equal(init.status, 0, init.stdout + init.stderr);
  return at;
}

const called = (at: Place) => statSync(join(at.home, "server/called"), { throwIfNoEntry: false });
/** The hooks have ended: none has noted an attempt to start a server, and no process of one is left. */
const notStarted = async (at: Place) => {
  assert.equal(called(at), undefined);
  await until(() => residenceOf(at.home).processes.length === 0);
  assert.equal(serverPid(at.home), undefined);
};

test("command hooks: init starts no server, the first event does, the next is served", linux, async (t) => {
  const at = installed(t);
  assert.equal(serverPid(at.home), undefined);
  assert.match(at.interlock("doctor").stdout, /note server +not running[^\n]*\n +fix: interlock up/);
  assert.equal(serverPid(at.home), undefined, "probes are nobody's event");
  const first = await Promise.all(Array.from({ length: 8 }, () => hook(at, forbidden(at))));
  assert.ok(first.every(isRefusal));
  await spooling(at);
  const pid = serverPid(at.home);
  assert.equal(isRefusal(await hook(at, forbidden(at))), true);
  assert.equal(await hook(at, ordinary(at)), "{}");
  assert.equal(serverPid(at.home), pid);
  assert.equal(readFileSync(join(at.home, "server/log"), "utf8").match(/supervisor \d+/g)!.length, 1);
  assert.equal(called(at), undefined, "nobody waits for it any more");
  assert.match(at.interlock("doctor").stdout, /ok {3}server +process \d+/);
});

test("SessionStart starts the server and does not wait for it with command hooks", linux, async (t) => {
  const at = installed(t);
  JSON.parse(await hook(at, start(at), "SessionStart"));
  await until(() => serverPid(at.home) !== undefined);
});

test("interlock down holds until the next session or interlock up; --stay until interlock up", linux, async (t) => {
  const at = installed(t);
  await hook(at, ordinary(at));
  await spooling(at);
  assert.match(at.interlock("down").stdout, /has ended/);
  await hook(at, ordinary(at));
  await hook(at, JSON.stringify({ session_id: "s", cwd: at.project, prompt: "on" }), "UserPromptSubmit");
  await notStarted(at);
  assert.match(at.interlock("doctor").stdout, /ok {3}server +it was ended by interlock down/);
  await hook(at, start(at), "SessionStart");
  await until(() => serverPid(at.home) !== undefined);
  assert.equal(downUntil(at.home), undefined);

  assert.match(at.interlock("down", "--stay").stdout, /has ended/);
  await hook(at, start(at), "SessionStart");
  await hook(at, ordinary(at));
  await notStarted(at);
  assert.equal(at.interlock("up").status, 0);
  assert.equal(downUntil(at.home), undefined);
});

test("no server is started with INTERLOCK_SERVER=off, adopted hooks or no installation", linux, async (t) => {
  const at = installed(t);
  await hook(at, ordinary(at), "PreToolUse", { INTERLOCK_SERVER: "off" });
  await hook(at, start(at), "SessionStart", { INTERLOCK_SERVER: "off" });
  const adopting = place(t);
  mkdirSync(join(adopting.project, ".claude"));
  const foreign = { PreToolUse: [{ hooks: [{ type: "command", command: "cat >/dev/null" }] }] };
  writeFileSync(join(adopting.project, ".claude/settings.local.json"), JSON.stringify({ hooks: foreign }));
  assert.equal(adopting.interlock("init", "--yes", "--adopt").status, 0);
  await hook(adopting, ordinary(adopting));
  const removed = installed(t);
  const settings = readFileSync(join(removed.project, ".claude/settings.local.json"));
  assert.equal(removed.interlock("uninstall", "--yes").status, 0);
  mkdirSync(join(removed.project, ".claude"), { recursive: true });
  writeFileSync(join(removed.project, ".claude/settings.local.json"), settings);
  await hook(removed, ordinary(removed));
  const bare = place(t);
  const words = ["hook", "claude-code", "--event", "PreToolUse"];
  bare.run(process.execPath, [join(process.cwd(), "dist/interlock.cjs"), ...words], ordinary(bare));
  await notStarted(at);
  assert.equal(serverPid(adopting.home), undefined);
  assert.equal(serverPid(removed.home), undefined);
  assert.equal(serverPid(bare.home), undefined);
  assert.equal(existsSync(join(bare.home, "server")), false);
});

test("failed starts back off, and doctor says so", linux, async (t) => {
  const at = installed(t);
  // A folder where the log's neighbour, the lock, should be: nobody can take it.
  mkdirSync(join(at.home, "server/lock/in the way"), { recursive: true });
  const ages = [0, 11, 21];
  for (const [i, seconds] of ages.entries()) {
    const past = new Date(Date.now() - seconds * 1_000);
    if (i) utimesSync(join(at.home, "server/called"), past, past);
    await hook(at, payload(at, "Read", { file_path: join(at.project, "a") }));
    assert.equal(called(at)!.size, i + 1, "one call");
    await hook(at, ordinary(at));
    assert.equal(called(at)!.size, i + 1, "not so soon again");
  }
  const said = await until(() => serverPid(at.home) === undefined).then(() => at.interlock("doctor").stdout);
  assert.match(said, /note server +it was called 3 times and did not come/);
});
