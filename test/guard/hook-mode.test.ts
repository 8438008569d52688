// chmod +x of an agent's hook passes; another content under cover of it is found after the call.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

const script = join(process.cwd(), "dist/interlock.cjs");

function desk(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), "interlock-mode-"));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const [root, home] = [join(base, "project"), join(base, "home")];
  mkdirSync(join(root, ".claude/hooks"), { recursive: true });
  mkdirSync(home);
  spawnSync("git", ["init", "-q", root]);
  const file = join(root, ".claude/hooks/note.sh");
  writeFileSync(file, "#!/bin/sh\n", { mode: 0o644 });
  const env = { PATH: process.env["PATH"]!, HOME: home, INTERLOCK_HOME: join(base, "interlock") };
  const hook = (event: string, more: object = {}) => {
    const input = JSON.stringify({
      session_id: "s-1",
      cwd: root,
      hook_event_name: event,
      tool_name: "Bash",
      tool_input: { command: "chmod +x .claude/hooks/note.sh && frobnicate" },
      tool_use_id: "toolu_1",
      ...more,
    });
    return spawnSync(process.execPath, [script, "hook", "claude-code"], { input, env, encoding: "utf8", cwd: root })
      .stdout;
  };
  const after = () => hook("PostToolUse", { tool_response: { stdout: "", stderr: "", interrupted: false } });
  return { file, hook, after };
}

test("the permission alone is what was asked for", (t) => {
  const d = desk(t);
  assert.doesNotMatch(d.hook("PreToolUse"), /"deny"/);
  chmodSync(d.file, 0o755);
  assert.doesNotMatch(d.after(), /note\.sh/);
});

test("another content is found, although the command names the file", (t) => {
  const d = desk(t);
  assert.doesNotMatch(d.hook("PreToolUse"), /"deny"/);
  chmodSync(d.file, 0o755);
  writeFileSync(d.file, "#!/bin/sh\nexit 0\n");
  assert.match(d.after(), /note\.sh/);
});
