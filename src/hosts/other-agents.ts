// Other coding agents: whether they are installed here, and what that means while Interlock has no hook in them.
// Invariant: a program is only asked for its version, with a time limit; one that does not answer still counts.
import type { RunProgram } from "./claude-code/install/installed-client.js";

export interface KnownAgent {
  name: string;
  program: string;
  /** What someone who relies on Interlock has to know of it. */
  note: string;
}

export const knownAgents: readonly KnownAgent[] = [
  { name: "Gemini CLI", program: "gemini", note: "its calls are not governed" },
  { name: "Codex", program: "codex", note: "its calls are not governed" },
  {
    name: "Copilot CLI",
    program: "copilot",
    note: "it reads a project's .claude/settings.json, but lets a call pass when a hook there is slow or is http",
  },
  {
    name: "Cursor",
    program: "cursor-agent",
    note: "it may read Claude Code's settings, and lets a call pass when a hook fails",
  },
  { name: "opencode", program: "opencode", note: "its calls are not governed" },
];

/** "0.61.0"; "?" where it is installed and does not say; undefined where it is not installed. */
export async function versionOfAgent(program: string, run: RunProgram): Promise<string | undefined> {
  try {
    return /\b(\d+\.\d+[\w.-]*)/.exec(await run(program, ["--version"]))?.[1] ?? "?";
  } catch (error) {
    // EACCES: a folder of the PATH cannot be looked into, or what lies there cannot be run.
    return ["ENOENT", "EACCES"].includes(String((error as NodeJS.ErrnoException).code)) ? undefined : "?";
  }
}
