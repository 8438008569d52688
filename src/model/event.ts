// What is about to happen or happened, in our own terms, whatever the host calls it.
// Invariant: decoding never throws; unknown fields survive in `raw`, and an unknown event is `other`.
import type { Json, JsonObject } from "./json.js";

export const eventKinds = [
  "tool.before",
  "tool.after",
  "tool.failed",
  "tool.batch",
  "permission.ask",
  "permission.denied",
  "prompt",
  "prompt.expand",
  "session.start",
  "session.end",
  "turn.end",
  "turn.failed",
  "agent.start",
  "agent.end",
  "task.before",
  "compact.before",
  "compact.after",
  "model.before",
  "model.after",
  "elicitation",
  "config.change",
  "worktree.create",
  "other",
] as const;
export type EventKind = (typeof eventKinds)[number];

export const toolKinds = [
  "shell", // runs a POSIX shell command: `command`
  "script", // runs a program we have no parser for (PowerShell, Workflow): effects unknown
  "read",
  "write",
  "edit",
  "notebook",
  "search",
  "web",
  "agent", // starts another agent: `agent`
  "skill",
  "mcp",
  "plan",
  "ask", // asks the user
  "control", // the host's own bookkeeping (todo lists, task stop, tool search): touches nothing of the user's
  "unknown",
] as const;
export type ToolKind = (typeof toolKinds)[number];

/** A tool call, with the views that gates need filled in by the host. */
export interface ToolCall {
  id?: string;
  /** As the host names it. */
  name: string;
  kind: ToolKind;
  input: JsonObject;
  command?: string;
  /** File tools: the path as given. */
  path?: string;
  /** write, notebook: the new content. */
  content?: string;
  edits?: { old: string; new: string; all: boolean }[];
  /** read: the lines asked for. */
  range?: { offset?: number; limit?: number };
  url?: string;
  /** web, search: what was looked for. */
  query?: string;
  agent?: { type?: string; prompt?: string; model?: string; description?: string };
  skill?: string;
  mcp?: { server: string; tool: string; source?: string };
  /** The call returns before its effects are done. */
  background?: boolean;
}

/** What became of a call. */
export interface Outcome {
  ok: boolean;
  /** What the agent sees of it, as text. */
  text: string;
  exitCode?: number;
  interrupted?: boolean;
  durationMs?: number;
  response?: Json;
}

export interface Event {
  kind: EventKind;
  host: string;
  /** The event's name in the host's words. */
  hostEvent: string;
  session: string;
  /** Present only inside a sub-agent. */
  agent?: { id: string; type?: string };
  promptId?: string;
  cwd: string;
  /** The folder the host says is the project, if it says so. */
  projectDir?: string;
  transcript?: string;
  permissionMode?: string;
  tool?: ToolCall;
  outcome?: Outcome;
  /** prompt: what was submitted; `machine` when it is known not to come from a person. */
  prompt?: { text: string; source?: string; machine: boolean };
  /** turn.end, agent.end */
  turn?: { again: boolean; lastMessage?: string; backgroundTasks: number };
  /** config.change */
  config?: { source?: string; path?: string };
  /** session.start: startup, resume, clear, compact, fork; session.end: the reason. */
  reason?: string;
  /** Variables of the agent's environment that gates asked for by name. They may add rules, never lift one. */
  env: Readonly<Record<string, string>>;
  raw: JsonObject;
}
