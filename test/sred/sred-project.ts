// A repository that opted in to SR&ED and the built program run in it, as a user and as the agent's hook.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporary } from "../../src/testing/temporary.js";

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface SredProject {
  root: string;
  home: string;
  env: Record<string, string>;
  git(...args: string[]): string;
  write(path: string, text: string): void;
  /** Changes a file, stages everything and commits. */
  commit(path: string, message: string): string;
  interlock(args: readonly string[], more?: { env?: Record<string, string> | undefined; input?: string }): Ran;
  /** The same without blocking this process: it may be the server that the command talks to. */
  interlockBeside(args: readonly string[], env?: Record<string, string>): Promise<Ran>;
  /** What the hook answers to a Bash call of the agent: undefined when it has no opinion. */
  asks(command: string, env?: Record<string, string>): { decision?: string; reason?: string; context?: string };
}

export const tags = (claim: string, type = "experimental-development"): string =>
  `SRED-Type: ${type}\nSRED-Claim: ${claim}`;

export function sredProject(script: string, options: { userYaml?: string; optIn?: boolean } = {}): SredProject {
  const base = temporary("sred-project");
  const root = join(base, "project");
  const home = join(base, "home");
  const own = join(base, "interlock");
  for (const folder of [root, home, own]) mkdirSync(folder);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    INTERLOCK_HOME: own,
    GIT_CONFIG_NOSYSTEM: "1",
    NO_COLOR: "1",
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  if (options.optIn !== false) write("interlock.yaml", "packs:\n  sred:\n    enabled: true\n");
  if (options.userYaml) {
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "interlock.yaml"), options.userYaml);
  }
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", "chore: start");
  let changes = 0;
  const interlock: SredProject["interlock"] = (args, more = {}) =>
    spawnSync(process.execPath, [script, ...args], {
      cwd: root,
      env: { ...env, ...more.env },
      encoding: "utf8",
      input: more.input ?? "",
    });
  return {
    root,
    home: own,
    env,
    git,
    write,
    commit(path, message) {
      write(path, `${++changes}\n`);
      git("add", "-A");
      git("commit", "-q", "-m", message);
      return git("rev-parse", "HEAD").trim();
    },
    interlock,
    interlockBeside: (args, more = {}) =>
      new Promise((resolve) => {
        const options = { cwd: root, env: { ...env, ...more }, encoding: "utf8" } as const;
        const child = execFile(process.execPath, [script, ...args], options, (_, stdout, stderr) =>
          resolve({ status: child.exitCode, stdout, stderr }),
        );
      }),
    asks(command, more) {
      const payload = {
        session_id: `s${++changes}`,
        transcript_path: join(home, "transcript.jsonl"),
        cwd: root,
        permission_mode: "default",
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command, description: "Commit" },
        tool_use_id: `toolu_${changes}`,
      };
      const { stdout } = interlock(["hook", "claude-code"], { input: JSON.stringify(payload), env: more });
      const out = JSON.parse(stdout) as { hookSpecificOutput?: Record<string, string> };
      const { permissionDecision, permissionDecisionReason, additionalContext } = out.hookSpecificOutput ?? {};
      return { decision: permissionDecision, reason: permissionDecisionReason, context: additionalContext };
    },
  };
}
