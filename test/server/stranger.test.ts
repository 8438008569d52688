// Another program on the server's port answers `{}`: the next prompt is refused, status and doctor report it, and
// `doctor --fix` moves to another port.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readAddress, type ServerAddress, serverPid } from "../../src/hook/server-address.js";
import { residenceOf } from "../../src/project/protected/own-server.js";
import { portFree } from "./port.js";
import { forbidden, type Place, place, program, send, until } from "./server.js";

/** The server and its keeper are ended, and a stranger sits on their port. */
async function replaced(t: TestContext): Promise<{ at: Place; door: ServerAddress; stranger: ChildProcess }> {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("init", "--yes", "--door", "http").status, 0);
  const door = readAddress(at.home)!;
  await until(() => residenceOf(at.home).processes.some((p) => /--listen/.test(p.command)));
  for (const { pid } of residenceOf(at.home).processes.reverse()) process.kill(pid, "SIGKILL");
  await until(() => serverPid(at.home) === undefined);
  await portFree(door.port);
  const server = 'require("http").createServer((q, r) => r.end("{}"))';
  const text = `${server}.listen(${door.port}, "127.0.0.1", () => console.log("up"))`;
  const stranger = spawn(process.execPath, ["-e", text, "a-stranger"], { stdio: ["ignore", "pipe", "inherit"] });
  at.before(() => stranger.kill("SIGKILL"));
  await once(stranger.stdout!, "data");
  assert.equal(await send(door, forbidden(at)), "{}", "this is the silent pass");
  return { at, door, stranger };
}

const hook = (at: Place, event: string, payload: object) =>
  at.run(
    process.execPath,
    [program, "hook", "claude-code", "--event", event, "--home", at.home],
    JSON.stringify({ session_id: "s-1", cwd: at.project, hook_event_name: event, ...payload }),
  ).stdout;

test("the next prompt is refused and names the program; Stop and status report it", async (t) => {
  const { at, door, stranger } = await replaced(t);
  const prompt = JSON.parse(hook(at, "UserPromptSubmit", { prompt: "go on" })) as { decision: string; reason: string };
  assert.equal(prompt.decision, "block");
  assert.match(
    prompt.reason,
    new RegExp(`BLOCKED interlock/port[^]*process ${stranger.pid}: [^]*:${door.port}[^]*doctor --fix`),
  );
  const stop = JSON.parse(hook(at, "Stop", { stop_hook_active: false })) as {
    decision?: string;
    systemMessage: string;
  };
  assert.equal(stop.decision, undefined, "a turn that ends does no harm");
  assert.match(stop.systemMessage, /pass unjudged/);
  const start = JSON.parse(hook(at, "SessionStart", { source: "startup" })) as { systemMessage: string };
  assert.match(start.systemMessage, /pass unjudged/);
  const status = at.interlock("status");
  assert.equal(status.status, 5);
  assert.match(status.stdout, /IMPOSTOR: another program \(process \d+/);
  assert.match(status.stdout, /fault of interlock\/port/);
});

test("doctor reports the port conflict; --fix moves to another port and registers it", async (t) => {
  const { at, door } = await replaced(t);
  const red = at.interlock("doctor");
  assert.equal(red.status, 1);
  assert.match(
    red.stdout,
    /BAD {2}server +another program \(process \d+[^\n]*pass unjudged\n +fix: interlock up --new-port/,
  );
  const fixed = at.interlock("doctor", "--fix", "--yes");
  assert.equal(fixed.status, 0, fixed.stdout + fixed.stderr);
  const now = readAddress(at.home)!;
  assert.notEqual(now.port, door.port);
  assert.match(
    readFileSync(join(at.project, ".claude/settings.local.json"), "utf8"),
    new RegExp(`127\\.0\\.0\\.1:${now.port}/`),
  );
  assert.match(await send(now, forbidden(at)), /BLOCKED guard\/self-protect/);
});

test("a port held by our server or its socket holder is no conflict", async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("init", "--yes", "--door", "http").status, 0);
  await until(() => residenceOf(at.home).processes.some((p) => /--listen/.test(p.command)));
  process.kill(serverPid(at.home)!, "SIGKILL");
  const prompt = hook(at, "UserPromptSubmit", { prompt: "go on" });
  assert.doesNotMatch(prompt, /interlock\/port|unjudged/);
});
