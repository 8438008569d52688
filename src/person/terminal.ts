// Whether a person is asking: at a terminal of their own, with no coding agent above this process.
// Invariant: no option, variable or file makes an agent a person; every check that fails says what to do instead.
import { closeSync, openSync } from "node:fs";
import { userInfo } from "node:os";
import type { Env } from "../hook/folders.js";
import { agentIn, ancestry, type Process } from "./process-tree.js";

export type Asker = { person: true; by: string } | { person: false; why: string };

export interface Circumstances {
  env: Env;
  chain: readonly Process[] | undefined;
  terminal: boolean;
  platform: NodeJS.Platform;
}

/** Variables that agents set in everything they start. */
const agentVariables = new Set([
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_PID",
  "AI_AGENT",
  "CODEX_SANDBOX",
  "CODEX_THREAD_ID",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "GEMINI_CLI",
  "OPENCODE",
  "CURSOR_AGENT",
  "COPILOT_AGENT",
  "GOOSE_TERMINAL",
]);
const isAgentVariable = (name: string): boolean => agentVariables.has(name) || /^AIDER_\w+$/.test(name);

/** What is required: a person at a terminal, or only that no agent is behind it (a person's own script). */
export type Need = "terminal" | "script";

export function whoAsks(need: Need = "terminal", here: Circumstances = circumstances()): Asker {
  const agent = agentAbove(here);
  if (agent) return { person: false, why: `${agent}. Run it in a terminal of your own, outside the agent` };
  if (need === "script") return { person: true, by: userInfo().username };
  if (!here.chain && here.platform !== "win32")
    return { person: false, why: "which processes this command descends from can't be seen here" };
  if (!here.terminal)
    return { person: false, why: "there is no terminal, so nobody typed this. Run it in a terminal of your own" };
  return { person: true, by: userInfo().username };
}

/** The evidence that an agent runs this command; undefined if there is none. */
function agentAbove({ env, chain }: Pick<Circumstances, "env" | "chain">): string | undefined {
  for (const process of chain?.slice(1) ?? []) {
    const agent = agentIn(process);
    if (agent) return `this command runs below a coding agent (${agent}, process ${process.pid})`;
  }
  const variable = Object.keys(env).find((name) => isAgentVariable(name) && env[name]);
  return variable && `this shell was started by a coding agent (${variable} is set)`;
}

function circumstances(): Circumstances {
  return { env: process.env, chain: ancestry(), terminal: atTerminal(), platform: process.platform };
}

/** Whether stdin is the controlling terminal of this process, not one that was merely passed to it. */
function atTerminal(): boolean {
  if (!process.stdin.isTTY) return false;
  if (process.platform === "win32") return true;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false; // a terminal without a session of ours: someone set it up
  }
}
