// Hooks of a project, adopted by `init --adopt` and run by the registered hook of the built program.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
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
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { hookEntries } from "../../src/hosts/claude-code/settings/settings.js";
import type { JsonObject } from "../../src/model/json.js";

const script = join(process.cwd(), "dist/interlock.cjs");

function project(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), "interlock-adopt-"));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  const home = join(base, "home");
  for (const folder of [root, home]) mkdirSync(folder);
  execFileSync("git", ["init", "-q", "-b", "work", root]);
  const env = { PATH: process.env.PATH, HOME: home, INTERLOCK_SERVER: "off" };
  const put = (name: string, text: string, folder = root) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  };
  const read = (name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined);
  const interlock = (args: string[], input = "") =>
    spawnSync(process.execPath, [script, ...args], { cwd: root, env, encoding: "utf8", input });
  const settings = join(root, ".claude/settings.json");
  return {
    root,
    home,
    settings,
    put,
    read,
    interlock,
    /** Sends a payload through the command that is registered for its event. */
    hook(event: string, payload: JsonObject): JsonObject {
      const entry = hookEntries(JSON.parse(readFileSync(settings, "utf8"))).find((each) => each.event === event)!;
      const run = spawnSync("sh", ["-c", String(entry.handler.command)], {
        cwd: root,
        env: { ...env, CLAUDE_PROJECT_DIR: root },
        encoding: "utf8",
        input: JSON.stringify({ session_id: "s", cwd: root, hook_event_name: event, ...payload }),
      });
      assert.equal(run.status, 0, run.stderr);
      return JSON.parse(run.stdout) as JsonObject;
    },
  };
}

const bash = (command: string): JsonObject => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: "t1" });
const entry = (command: string, matcher?: string) => ({
  ...(matcher ? { matcher } : {}),
  hooks: [{ type: "command", command }],
});

test("adopted hooks still decide, run once each in order, and are restored byte for byte", (t) => {
  const at = project(t);
  at.put("hooks/first.sh", '#!/bin/sh\necho "first $CLAUDE_TOOL_NAME" >> order\n');
  at.put(
    "hooks/guard.sh",
    '#!/bin/sh\necho guard >> order\ngrep -q forbidden && { echo "guard says no" >&2; exit 2; }\nexit 0\n',
  );
  const hooks = { PreToolUse: [entry("./hooks/first.sh", "Bash"), entry("./hooks/guard.sh")] };
  const before = `${JSON.stringify({ hooks, model: "opus" }, null, "\t")}\n`;
  at.put(".claude/settings.json", before);
  const init = at.interlock(["init", "--yes", "--adopt"]);
  assert.equal(init.status, 0, init.stdout + init.stderr);
  assert.doesNotMatch(readFileSync(at.settings, "utf8"), /hooks\/(first|guard)\.sh/);
  rmSync(join(at.root, "order"), { force: true });

  assert.deepEqual(at.hook("PreToolUse", bash("echo fine")), {});
  assert.equal(at.read("order"), "first Bash\nguard\n");
  const refused = at.hook("PreToolUse", bash("echo forbidden")).hookSpecificOutput as JsonObject;
  assert.equal(refused.permissionDecision, "deny");
  assert.match(String(refused.permissionDecisionReason), /adopted\/2-guard\.sh[\s\S]*guard says no/);

  const again = at.interlock(["init", "--yes", "--adopt"]);
  assert.match(again.stdout, /Nothing to do/);
  const gone = at.interlock(["uninstall", "--yes"]);
  assert.equal(gone.status, 0, gone.stderr);
  assert.equal(readFileSync(at.settings, "utf8"), before);
});

test("a hook added later is adopted next to the earlier ones", (t) => {
  const at = project(t);
  at.put(".claude/settings.json", JSON.stringify({ hooks: { Stop: [entry("echo one >> order")] } }));
  assert.equal(at.interlock(["init", "--yes", "--adopt"]).status, 0);
  const json = JSON.parse(readFileSync(at.settings, "utf8")) as { hooks: { Stop: object[] } };
  json.hooks.Stop.push(entry("echo two >> order"));
  writeFileSync(at.settings, JSON.stringify(json));
  assert.equal(at.interlock(["init", "--yes", "--adopt"]).status, 0);
  rmSync(join(at.root, "order"), { force: true });
  at.hook("Stop", { stop_hook_active: false });
  assert.equal(at.read("order"), "one\ntwo\n");
  assert.equal(at.interlock(["uninstall", "--yes"]).status, 0);
  const back = hookEntries(JSON.parse(readFileSync(at.settings, "utf8"))).map((each) => each.handler.command);
  assert.deepEqual(back.sort(), ["echo one >> order", "echo two >> order"]);
});

test("hooks adopted from the user's settings run in every project", (t) => {
  const at = project(t);
  at.put(".claude/settings.json", JSON.stringify({ hooks: { Stop: [entry("echo mine >> order")] } }), at.home);
  assert.equal(at.interlock(["init", "--yes", "--adopt", "--scope", "user"]).status, 0);
  const other = join(dirname(at.root), "other");
  execFileSync("git", ["init", "-q", other]);
  const stop = { session_id: "s", cwd: other, hook_event_name: "Stop", stop_hook_active: false };
  const run = at.interlock(["hook", "claude-code"], JSON.stringify(stop));
  assert.equal(run.status, 0, run.stderr);
  assert.equal(readFileSync(join(other, "order"), "utf8"), "mine\n");
});

test("a hook that calls Interlock again does not loop; a forged token is ignored", (t) => {
  const at = project(t);
  const nested = `'${process.execPath}' '${script}' hook claude-code --event PreToolUse`;
  at.put("hooks/loop.sh", `#!/bin/sh\necho call >> calls\n${nested} > inner\nexit 0\n`);
  at.put(".claude/settings.json", JSON.stringify({ hooks: { PreToolUse: [entry("./hooks/loop.sh")] } }));
  assert.equal(at.interlock(["init", "--yes", "--adopt"]).status, 0);
  for (const file of ["calls", "inner"]) rmSync(join(at.root, file), { force: true });
  assert.deepEqual(at.hook("PreToolUse", bash("echo fine")), {});
  assert.equal(at.read("calls"), "call\n");
  assert.equal(at.read("inner"), "{}");
  const left = join(at.home, ".local/state/interlock/reentry");
  assert.deepEqual(readdirSync(left), []);

  const write = { tool_name: "Write", tool_input: { file_path: at.settings, content: "{}" }, tool_use_id: "t2" };
  const payload = JSON.stringify({ session_id: "s", cwd: at.root, hook_event_name: "PreToolUse", ...write });
  const forged = spawnSync(process.execPath, [script, "hook", "claude-code"], {
    cwd: at.root,
    env: { PATH: process.env.PATH, HOME: at.home, INTERLOCK_REENTRY: "a".repeat(32) },
    encoding: "utf8",
    input: payload,
  });
  assert.match(forged.stdout, /"deny"/);
});

test("a settings change that would disarm Interlock is refused, another is not", (t) => {
  const at = project(t);
  assert.equal(at.interlock(["init", "--yes", "--scope", "project", "--door", "command"]).status, 0);
  const change = (file_path: string) => at.hook("ConfigChange", { source: "local_settings", file_path });
  const local = at.put(".claude/settings.local.json", '{"model":"opus"}');
  assert.deepEqual(change(local), {});
  at.put(".claude/settings.local.json", '{"disableAllHooks":true}');
  const refused = change(local);
  assert.equal(refused.decision, "block");
  assert.match(String(refused.reason), /guard\/config-change[\s\S]*disableAllHooks/);
});
