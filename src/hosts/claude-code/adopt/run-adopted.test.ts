import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { AdoptedHook } from "../../../model/config.js";
import type { JsonObject } from "../../../model/json.js";
import type { Judged } from "../../../model/verdict.js";
import { until } from "../../../testing/until.js";
import { decode } from "../protocol/decode.js";
import { eventDigest, openReentry, reentryOf, reentryVariable } from "./reentry.js";
import { type AdoptedRun, runAdopted } from "./run-adopted.js";

const payload = {
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git push", description: "o'push" },
  tool_use_id: "t1",
};

function stage(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), "interlock-adopted-"));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, "home");
  mkdirSync(home);
  const script = (name: string, body: string): string => {
    writeFileSync(join(base, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(base, name), 0o755);
    return join(base, name);
  };
  const run = (list: AdoptedHook[], more: Partial<AdoptedRun> = {}, given: JsonObject = payload): Promise<Judged[]> => {
    const event = decode(given, { CLAUDE_PROJECT_DIR: base }, []);
    const env = { PATH: process.env.PATH };
    return runAdopted(list, JSON.stringify(given), event, { home, cwd: base, env, limitMs: 20_000, ...more });
  };
  const read = (name: string) => readFileSync(join(base, name), "utf8");
  return { base, home, script, run, read };
}

const hook = (command: string, more: Partial<AdoptedHook> = {}): AdoptedHook => ({
  event: "PreToolUse",
  command,
  ...more,
});

test("the hook reads the payload, the legacy variables and its folder", async (t) => {
  const at = stage(t);
  await at.run([
    hook('cat > in; printf "%s %s %s %s" "$CLAUDE_TOOL_NAME" "$CLAUDE_TOOL_INPUT" "$CLAUDE_PROJECT_DIR" "$PWD" > env'),
  ]);
  assert.deepEqual(JSON.parse(at.read("in")), payload);
  assert.equal(at.read("env"), `Bash ${JSON.stringify(payload.tool_input)} ${at.base} ${at.base}`);
});

test("an input too large for a variable is left out and still arrives on stdin", async (t) => {
  const at = stage(t);
  const large = { ...payload, tool_input: { command: "x".repeat(300_000) } };
  await at.run([hook('wc -c > in; printf "%s" "${CLAUDE_TOOL_INPUT-none}" > env')], {}, large);
  assert.equal(Number(at.read("in")), JSON.stringify(large).length);
  assert.equal(at.read("env"), "none");
});

test("hooks run in the order of the list, those that match, each command once", async (t) => {
  const at = stage(t);
  const say = (word: string, more: Partial<AdoptedHook> = {}) => hook(`sleep 0.05; echo ${word} >> order`, more);
  await at.run([
    say("first", { matcher: "Bash" }),
    say("other-tool", { matcher: "Write" }),
    say("other-event", { event: "Stop" }),
    say("second"),
    say("first", { matcher: "*" }),
    say("third", { matcher: "B.*" }),
  ]);
  assert.equal(at.read("order"), "first\nsecond\nthird\n");
});

test("exec form runs without a shell, with the project's folder filled in", async (t) => {
  const at = stage(t);
  at.script("deny.sh", 'echo "no: $1" >&2; exit 2');
  const judged = await at.run([hook("${CLAUDE_PROJECT_DIR}/deny.sh", { args: ["a b; touch pwned"] })]);
  assert.equal(judged.length, 1);
  assert.equal(judged[0]!.gate, "adopted/1-deny.sh");
  assert.equal(judged[0]!.mode, "enforce");
  assert.ok(judged[0]!.opinion.kind === "deny" && judged[0]!.opinion.why === "no: a b; touch pwned");
  assert.equal(existsSync(join(at.base, "pwned")), false);
});

test("every hook's opinion is heard, named by its place and script", async (t) => {
  const at = stage(t);
  const judged = await at.run([
    hook(`sh ${at.script("one.sh", "echo 'first no' >&2; exit 2")}`),
    hook("exit 1"),
    hook(`python3 missing.py || sh ${at.script("two.sh", "exit 0")}`),
    hook("definitely-not-a-command-xyz", { args: [] }),
  ]);
  assert.deepEqual(
    judged.map((j) => [j.gate, j.opinion.kind]),
    [
      ["adopted/1-one.sh", "deny"],
      ["adopted/2-exit", "note"],
      ["adopted/4-definitely-not-a-command-xyz", "note"],
    ],
  );
});

test("a hook that hangs is ended with everything it started, and the next one still runs", async (t) => {
  const at = stage(t);
  const hangs = "sleep 600 & echo $! > child; trap '' TERM; wait; sleep 600";
  let judged: Judged[] = [];
  // On a busy machine a hook may be over before it has started anything: then it gets more time.
  for (let timeout = 0.3; !existsSync(join(at.base, "child")) || at.read("child") === ""; timeout *= 2) {
    assert.ok(timeout < 20, "the hook never started");
    judged = await at.run([hook(hangs, { timeout }), hook("echo ran > second")], { limitMs: 60_000 });
  }
  assert.match(judged[0]!.opinion.kind === "note" ? judged[0]!.opinion.text : "", /did not answer in time/);
  assert.equal(at.read("second"), "ran\n");
  const pid = Number(at.read("child"));
  await until(() => !isRunning(pid), "the end of the process that the hook started");
});

test("the time for all hooks together is a limit too", async (t) => {
  const at = stage(t);
  const judged = await at.run([hook("sleep 60"), hook("echo ran > second")], { limitMs: 300 });
  assert.equal(judged.length, 2);
  for (const { opinion } of judged) assert.match(opinion.kind === "note" ? opinion.text : "", /did not answer in time/);
  assert.equal(existsSync(join(at.base, "second")), false);
});

test("a hook that leaves a process holding its pipes does not hold us", async (t) => {
  const at = stage(t);
  await at.run([hook("(sleep 600 & echo $! > child) ; exit 0", { timeout: 60 })], { limitMs: 90_000 });
  const pid = Number(at.read("child"));
  assert.ok(isRunning(pid), "the answer came while the process was still running");
  process.kill(pid);
});

test("a hook that reads no input, and one that writes without end", async (t) => {
  const at = stage(t);
  const large = { ...payload, tool_input: { command: "x".repeat(3_000_000) } };
  const judged = await at.run([hook("exit 0"), hook("yes", { timeout: 0.5 })], {}, large);
  assert.equal(judged.length, 1);
  assert.match(judged[0]!.gate, /2-yes/);
});

test("entry and dispatch are traced", async (t) => {
  const at = stage(t);
  const lines: JsonObject[] = [];
  await at.run([hook("exit 3")], { trace: (line) => lines.push(line) });
  assert.deepEqual(
    lines.map((line) => [line.at, line.gate ?? line.event, line.code]),
    [
      ["entry", "PreToolUse", undefined],
      ["dispatch", "adopted/1-exit", undefined],
      ["end", "adopted/1-exit", 3],
    ],
  );
});

test("a call from inside a hook is known by its token, for the same event and for another", async (t) => {
  const at = stage(t);
  const event = decode(payload, {}, []);
  const other = decode({ ...payload, tool_use_id: "t2" }, {}, []);
  await at.run([hook('printf %s "$INTERLOCK_REENTRY" > token; cp -r home/reentry kept')]);
  const env = { [reentryVariable]: at.read("token") };
  assert.match(at.read("token"), /^[0-9a-f]{32}$/);
  assert.deepEqual(readdirSync(join(at.base, "kept")), [at.read("token")]);
  assert.equal(reentryOf(at.home, env, event), undefined, "after the run the token is dead");

  const live = openReentry(at.home, eventDigest(event), Date.now() + 10_000);
  const inside = { [reentryVariable]: live.id };
  assert.equal(reentryOf(at.home, inside, event), "same");
  assert.equal(reentryOf(at.home, inside, other), "inside");
  live.close();
  assert.equal(reentryOf(at.home, inside, event), undefined);
});

test("a made-up token, an expired one and one of a dead process mean nothing", (t) => {
  const at = stage(t);
  const event = decode(payload, {}, []);
  const record = (id: string, fields: object) => {
    mkdirSync(join(at.home, "reentry"), { recursive: true });
    writeFileSync(join(at.home, "reentry", id), JSON.stringify({ digest: eventDigest(event), ...fields }));
    return { [reentryVariable]: id };
  };
  const soon = Date.now() + 10_000;
  assert.equal(reentryOf(at.home, {}, event), undefined);
  assert.equal(reentryOf(at.home, { [reentryVariable]: "1" }, event), undefined);
  assert.equal(reentryOf(at.home, { [reentryVariable]: "../reentry/x" }, event), undefined);
  assert.equal(reentryOf(at.home, { [reentryVariable]: "0".repeat(32) }, event), undefined);
  assert.equal(reentryOf(at.home, record("a".repeat(32), { expires: 1, pid: process.pid }), event), undefined);
  assert.equal(reentryOf(at.home, record("b".repeat(32), { expires: soon, pid: 2 ** 22 + 7 }), event), undefined);
  assert.equal(reentryOf(at.home, record("c".repeat(32), { expires: soon }), event), undefined);
  assert.equal(reentryOf(at.home, record("d".repeat(32), { expires: soon, pid: process.pid }), event), "same");
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // no such process
  }
}

/** As the hooks of kits begin: hand over to the master once, unless it is what called them. */
const kitHook = `
if [ -n "\${MASTER_KIT_ROOT:-}" ] && [ "\${MASTER_HOOK_ACTIVE:-}" != 1 ]; then
  "$MASTER_KIT_ROOT/master"; exit $?
fi
echo "enforced in $MASTER_KIT_ROOT" >> log
echo "BLOCKED: a test" >&2; exit 2`;

test("a hook of a kit is called by its contract: once, without handing over again; markers on request", async (t) => {
  const at = stage(t);
  at.script("master", "echo master >> log; exit 0");
  const lines: string[] = [];
  const env = { PATH: process.env.PATH, MASTER_HOOK_DEBUG: "1", TDD_PHASE: "green" };
  const judged = await at.run([hook(at.script("kit", kitHook))], { env, debug: (line) => lines.push(line) });
  assert.equal(judged.filter((j) => j.opinion.kind === "deny").length, 1);
  assert.equal(at.read("log"), `enforced in ${at.base}\n`);
  assert.deepEqual(lines, ["MASTER_HOOK: enter", "MASTER_HOOK: dispatch tdd"]);
  const quiet: string[] = [];
  await at.run([hook(at.script("other", kitHook))], { debug: (line) => quiet.push(line) });
  assert.deepEqual(quiet, []);
});
