// A resident server for one test: the built program, a throw-away home, a project with git, and ways to talk to it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { ServerAddress } from "../../src/hook/server-address.js";
import { hint, tokenHeader } from "../../src/hosts/claude-code/install/own-entries.js";
import { post } from "../../src/server/client.js";
import { type Supervisor, supervise } from "../../src/server/supervisor.js";
import { until as untilTrue } from "../../src/testing/until.js";

export const program = join(process.cwd(), "dist", "interlock.cjs");

export interface Place {
  base: string;
  home: string;
  project: string;
  env: Record<string, string>;
  /** Done before the folder goes. */
  before(close: () => unknown): void;
  run(command: string, args: string[], input?: string): { status: number | null; stdout: string; stderr: string };
  interlock(...args: string[]): { status: number | null; stdout: string; stderr: string };
}

export function place(t: TestContext): Place {
  const base = mkdtempSync(join(tmpdir(), "interlock-server-"));
  const closing: (() => unknown)[] = [];
  t.after(async () => {
    for (const close of closing) await close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  });
  const project = join(base, "project");
  const home = join(base, ".local/state/interlock");
  mkdirSync(project);
  const env = { PATH: process.env.PATH ?? "", HOME: base };
  const run = (command: string, args: string[], input = "") =>
    spawnSync(command, args, { cwd: project, env, encoding: "utf8", input });
  run("git", ["init", "-q", "-b", "work"]);
  return {
    before: (close) => void closing.push(close),
    base,
    home,
    project,
    env,
    run,
    interlock: (...args) => run(process.execPath, [program, ...args]),
  };
}

/** A supervisor inside the test's process, its worker outside. */
export async function served(at: Place, times: Parameters<typeof supervise>[2] = {}): Promise<Supervisor> {
  const server = await supervise(at.home, program, times);
  at.before(() => server.end("the test is over"));
  return server;
}

export const pathOf = (event: string): string => `/hook/claude-code/${event}/${hint}`;

let calls = 0;
export const payload = (at: Place, tool: string, input: object, more: object = {}): string =>
  JSON.stringify({
    session_id: "session-1",
    transcript_path: "",
    cwd: at.project,
    hook_event_name: "PreToolUse",
    permission_mode: "default",
    tool_name: tool,
    tool_input: input,
    tool_use_id: `toolu_${++calls}`,
    ...more,
  });

export const forbidden = (at: Place): string =>
  payload(at, "Write", { file_path: join(at.project, ".claude/settings.json"), content: "{}" });

export const ordinary = (at: Place): string =>
  payload(at, "Write", { file_path: join(at.project, "a.txt"), content: "a" });

export const send = (door: ServerAddress, body: string, event = "PreToolUse", ms = 30_000): Promise<string> =>
  post(`http://127.0.0.1:${door.port}${pathOf(event)}`, { [tokenHeader]: door.token }, body, ms);

export const isRefusal = (text: string): boolean => JSON.parse(text).hookSpecificOutput?.permissionDecision === "deny";

export const logOf = (at: Place): string => readFileSync(join(at.home, "server/log"), "utf8");

export const until = (what: () => boolean | Promise<boolean>, ms?: number): Promise<void> =>
  untilTrue(what, String(what), ms);
