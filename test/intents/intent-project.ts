// A project with intents and the built program: hooks as the client calls them, commands at a person's terminal.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { newRepository } from "../../src/testing/new-repository.js";
import { temporary } from "../../src/testing/temporary.js";
import { atTerminal } from "../guard/terminal.js";

export const program = join(process.cwd(), "dist", "interlock.cjs");

export interface IntentProject {
  root: string;
  home: string;
  env: Record<string, string>;
  put(path: string, text: string): void;
  read(path: string): string | undefined;
  /** One event through the built program; the client's answer. */
  hook(event: string, payload: JsonObject): JsonObject;
  /** Why a call is refused; undefined: it passes. */
  refusal(tool: string, input: JsonObject, session?: string): string | undefined;
  /** A call that passes and really happens. */
  does(tool: string, input: JsonObject, effect: () => void, session?: string): void;
  /** By a script, without a terminal. */
  run(...args: string[]): { status: number | null; stdout: string; stderr: string };
  /** By a person. */
  typed(...args: string[]): { status: number; text: string };
}

let calls = 0;

export function intentProject(_t: TestContext, files: Record<string, string> = {}): IntentProject {
  const base = temporary("intents");
  const [root, home, user] = ["project", "interlock", "user"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [root, user]) mkdirSync(folder, { recursive: true });
  newRepository(root, "work");
  const env = { PATH: process.env["PATH"] ?? "", HOME: user, INTERLOCK_HOME: home };
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const hook = (event: string, payload: JsonObject): JsonObject => {
    const input = JSON.stringify({ session_id: "s-1", cwd: root, hook_event_name: event, ...payload });
    const args = [program, "hook", "claude-code", "--event", event];
    const { stdout, stderr } = spawnSync(process.execPath, args, { input, env, cwd: root, encoding: "utf8" });
    if (!stdout.trim()) throw new Error(`no answer: ${stderr}`);
    return JSON.parse(stdout) as JsonObject;
  };
  const reason = (answer: JsonObject): string | undefined => {
    const output = answer["hookSpecificOutput"] as JsonObject | undefined;
    return output?.["permissionDecision"] === "deny" ? String(output["permissionDecisionReason"]) : undefined;
  };
  const call = (tool: string, input: JsonObject, session: string) => ({
    session_id: session,
    tool_name: tool,
    tool_input: input,
    tool_use_id: `toolu_${++calls}`,
  });
  return {
    root,
    home,
    env,
    put,
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined),
    hook,
    refusal: (tool, input, session = "s-1") => reason(hook("PreToolUse", call(tool, input, session))),
    does(tool, input, effect, session = "s-1") {
      const made = call(tool, input, session);
      const refused = reason(hook("PreToolUse", made));
      if (refused) throw new Error(refused);
      effect();
      hook("PostToolUse", { ...made, tool_response: { stdout: "", stderr: "", interrupted: false } });
    },
    run: (...args) => spawnSync(process.execPath, [program, ...args], { cwd: root, env, encoding: "utf8", input: "" }),
    typed: (...args) => atTerminal([process.execPath, program, ...args], root, env),
  };
}
