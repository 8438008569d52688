// The status line of the built program, with what Claude Code 2.1.325 sent on stdin, beside the user's own command.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../../src/testing/temporary.js";

const program = join(process.cwd(), "dist/interlock.cjs");
/** What Claude Code handed to its status line: test/clients/statusline.test.ts checks that it still does. */
const recorded = readFileSync(join(process.cwd(), "test/clients/fixtures/statusline-2.1.325.jsonl"), "utf8")
  .trim()
  .split("\n")
  .at(-1)!;

function place() {
  const base = temporary("statusline");
  const root = join(base, "project");
  const home = join(base, "interlock");
  for (const folder of [join(base, ".claude"), join(root, ".claude")]) mkdirSync(folder, { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  const env = { PATH: process.env["PATH"], HOME: base, INTERLOCK_HOME: home, NO_COLOR: "1" };
  const interlock = (args: string[], input = "", more = {}) =>
    spawnSync(process.execPath, [program, ...args], { cwd: root, env: { ...env, ...more }, encoding: "utf8", input });
  /** As the client sent it in the middle of a session; its paths and the session are ours. */
  const payload = (session: string) =>
    recorded
      .replaceAll("{project}", root)
      .replaceAll("{home}", base)
      .replace(/"session_id":"[^"]*"/, `"session_id":${JSON.stringify(session)}`);
  /** Runs the registered command as the client does. */
  const registered = (file: string, input: string, more = {}) => {
    const { statusLine } = JSON.parse(readFileSync(file, "utf8")) as { statusLine: { command: string } };
    return spawnSync("/bin/sh", ["-c", statusLine.command], {
      cwd: root,
      env: { ...env, ...more },
      encoding: "utf8",
      input,
    });
  };
  return { base, root, env, interlock, payload, registered, local: join(root, ".claude/settings.local.json") };
}

test("refused calls, intents and checkpoints show; another session has its own count", () => {
  const { root, env, interlock, payload } = place();
  const call = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "rm -rf ~" }, cwd: root };
  for (let n = 0; n < 2; n++)
    interlock(["hook", "claude-code"], JSON.stringify({ ...call, session_id: "s1", tool_use_id: `toolu_${n}` }));
  const line = interlock(["statusline"], payload("s1"));
  assert.equal(line.status, 0, line.stderr);
  assert.match(line.stdout, /^interlock observe · not installed here · .*2 blocked\n$/);
  assert.doesNotMatch(interlock(["statusline"], payload("s2")).stdout, /blocked/);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root, env });
  git("commit", "-q", "--allow-empty", "-m", "work", "--trailer", interlock(["checkpoint"]).stdout.trim());
  assert.match(interlock(["statusline"], payload("s1")).stdout, /⚓ 0m\n$/);
  assert.match(interlock(["statusline"], payload("s1"), { COLUMNS: "34" }).stdout, /^.{1,34}\n$/);
});

test("wrong or empty input gives a quiet line and exit code 0", () => {
  const { interlock, registered, local } = place();
  interlock(["statusline", "--install", "--yes"]);
  for (const input of [
    "",
    "null",
    "[1]",
    '{"cwd":7,"workspace":"x","session_id":{}}',
    "{",
    '{"cwd":"/nowhere/at/all"}',
  ]) {
    const line = registered(local, input);
    assert.deepEqual([line.status, line.stderr], [0, ""], input);
    assert.match(line.stdout, /^interlock [^\n]+\n$/, input);
  }
});

test("the user's own line runs beside ours and is put back byte for byte", () => {
  const { base, interlock, payload, registered, local } = place();
  const user = join(base, ".claude/settings.json");
  const before = '{\n  "statusLine": { "type": "command", "command": "head -c 17; echo", "padding": 2 }\n}\n';
  writeFileSync(user, before);
  assert.equal(interlock(["statusline", "--install", "--yes"]).status, 0);
  assert.match(registered(local, payload("s")).stdout, /^\{"session_id":"s" \| interlock observe/);
  assert.match(interlock(["statusline", "--install", "--yes"]).stdout, /Nothing to do/);
  assert.equal(interlock(["uninstall", "--yes"]).status, 0);
  assert.ok(!existsSync(local), "the file was not there before");
  // In the same file: the entry's other keys stay, and the whole file comes back.
  assert.equal(interlock(["statusline", "--install", "--scope", "user", "--yes"]).status, 0);
  assert.match(readFileSync(user, "utf8"), /"padding": ?2/);
  assert.match(registered(user, payload("s")).stdout, /^\{"session_id":"s" \| interlock/);
  assert.equal(interlock(["statusline", "--uninstall", "--scope", "user", "--yes"]).status, 0);
  assert.equal(readFileSync(user, "utf8"), before);
  // Others changed the file meanwhile: only our entry goes, and theirs is back.
  interlock(["statusline", "--install", "--scope", "user", "--yes"]);
  writeFileSync(user, readFileSync(user, "utf8").replace(/^\{/, '{\n  "model": "opus",'));
  interlock(["statusline", "--uninstall", "--scope", "user", "--yes"]);
  const after = JSON.parse(readFileSync(user, "utf8")) as object;
  assert.deepEqual(after, { model: "opus", ...(JSON.parse(before) as object) });
  assert.equal(interlock(["statusline", "--install", "--scope", "project", "--yes"]).status, 2);
});

test("a user's command that hangs, fails or says nothing leaves our line alone", () => {
  const { base, interlock, payload, registered, local } = place();
  for (const command of ["sleep 600", "exit 3", "no-such-command-at-all", "true"]) {
    writeFileSync(join(base, ".claude/settings.json"), JSON.stringify({ statusLine: { type: "command", command } }));
    interlock(["statusline", "--install", "--yes"]);
    const line = registered(local, payload("s"));
    assert.equal(line.status, 0);
    assert.match(line.stdout, /^interlock observe[^|]*\n$/, command);
    interlock(["statusline", "--uninstall", "--yes"]);
  }
});

test("init --statusline adds it, and uninstall restores the settings byte for byte", () => {
  const { interlock, local } = place();
  const before = '{ "model":   "opus" }\n';
  writeFileSync(local, before);
  const done = interlock(["init", "--yes", "--door", "command", "--statusline"]);
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.match(readFileSync(local, "utf8"), /statusline --chain/);
  assert.match(interlock(["statusline"], "").stdout, /^interlock hooks/);
  assert.equal(interlock(["uninstall", "--yes"]).status, 0);
  assert.equal(readFileSync(local, "utf8"), before);
});
