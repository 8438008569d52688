// A project with the built program installed in it, and an agent that really runs its commands between the two hooks.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

export const script = join(process.cwd(), "dist/interlock.cjs");

export interface Answer {
  refused: boolean;
  /** What the agent is told. */
  context: string;
  /** What the person is told. */
  message: string;
}

export class Hooked {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "interlock-hooked-")));
  readonly project = join(this.base, "project");
  readonly userHome = join(this.base, "home");
  readonly home = join(this.userHome, ".local/state/interlock");
  readonly env = { PATH: process.env["PATH"]!, HOME: this.userHome, GIT_CONFIG_NOSYSTEM: "1" };
  #calls = 0;

  constructor(t: TestContext, files: Record<string, string>, init: readonly string[] = []) {
    t.after(() => rmSync(this.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    mkdirSync(this.userHome);
    mkdirSync(this.project);
    this.sh("git init -q -b main; git config user.name t; git config user.email t@example.invalid");
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.sh("git add . && git commit -qm first");
    const done = this.interlock("init", "--yes", "--door", "command", ...init);
    if (done.status !== 0) throw new Error(done.stdout + done.stderr);
    // Every hook judges in its own process, and none starts a server.
    this.interlock("down", "--stay");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.project, path)), { recursive: true });
    writeFileSync(join(this.project, path), text);
  }

  read(path: string): string | undefined {
    const file = join(this.project, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  sh(command: string): string {
    const done = spawnSync("bash", ["-O", "globstar", "-c", command], {
      cwd: this.project,
      env: this.env,
      encoding: "utf8",
    });
    return done.stdout + done.stderr;
  }

  interlock(...args: string[]) {
    return spawnSync(process.execPath, [script, ...args], { cwd: this.project, env: this.env, encoding: "utf8" });
  }

  hook(event: string, payload: object): Answer {
    const whole = {
      session_id: "s-1",
      transcript_path: join(this.userHome, ".claude/projects/p/s-1.jsonl"),
      cwd: this.project,
      hook_event_name: event,
      ...payload,
    };
    const { stdout } = spawnSync(process.execPath, [script, "hook", "claude-code", "--event", event], {
      cwd: this.project,
      env: this.env,
      input: JSON.stringify(whole),
      encoding: "utf8",
    });
    const { hookSpecificOutput: said = {}, systemMessage = "" } = JSON.parse(stdout) as {
      hookSpecificOutput?: Record<string, string>;
      systemMessage?: string;
    };
    return {
      refused: said["permissionDecision"] === "deny",
      context: said["additionalContext"] ?? said["permissionDecisionReason"] ?? "",
      message: systemMessage,
    };
  }

  /** The agent is about to call a tool; nothing is run. */
  before(tool: string, input: object): Answer {
    return this.hook("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: `toolu_${++this.#calls}` });
  }

  /** Judged, run if it passes, looked at afterwards. */
  bash(command: string, really = command): { before: Answer; after?: Answer } {
    const input = { command };
    const before = this.before("Bash", input);
    if (before.refused) return { before };
    this.sh(really);
    const after = this.hook("PostToolUse", {
      tool_name: "Bash",
      tool_input: input,
      tool_use_id: `toolu_${this.#calls}`,
      tool_response: { stdout: "", stderr: "", interrupted: false },
    });
    return { before, after };
  }
}
