// The hook events of Claude Code: what each means in our words and what it lets a hook answer.
// Invariant: every form of answer the encoder uses is listed; an unknown event is answered by the common fields only.
import type { EventKind } from "../../../model/event.js";

/** How a refusal is said. */
export type Refusal =
  | "permission" // hookSpecificOutput.permissionDecision (deny, or ask the person) + reason
  | "request" // hookSpecificOutput.decision {behavior: "deny"}: answers an open permission question
  | "block" // decision: "block" + reason: stops the action
  | "feedback" // decision: "block" + reason: it already happened, the agent reads the reason
  | "decline" // hookSpecificOutput.action: answers for the user
  | "context" // cannot stop anything, but the agent can be told
  | "message"; // cannot stop anything and reaches only the person

export interface HostEvent {
  kind: EventKind;
  refusal: Refusal;
  /** Accepts hookSpecificOutput.additionalContext. */
  context?: true;
  /** Accepts hookSpecificOutput.updatedInput. */
  rewrite?: true;
  /** A failing hook should stop the action (`onFailure: "block"`); the client ignores it on the stop events. */
  failClosed?: true;
  /** `init` registers it. */
  register?: true;
}

// WorktreeCreate and WorktreeRemove are not registered: a hook there replaces the client's own work, so an empty answer
// would break it.
// MessageDisplay fires for every piece of text shown and can only change the screen.
const table: Readonly<Record<string, HostEvent>> = {
  PreToolUse: {
    kind: "tool.before",
    refusal: "permission",
    context: true,
    rewrite: true,
    failClosed: true,
    register: true,
  },
  PermissionRequest: { kind: "permission.ask", refusal: "request", failClosed: true },
  PermissionDenied: { kind: "permission.denied", refusal: "message" },
  PostToolUse: { kind: "tool.after", refusal: "feedback", context: true, register: true },
  PostToolUseFailure: { kind: "tool.failed", refusal: "context", context: true, register: true },
  // decision: "block" would end the turn here, which is more than any gate means after the fact.
  PostToolBatch: { kind: "tool.batch", refusal: "context", context: true },
  UserPromptSubmit: { kind: "prompt", refusal: "block", context: true, register: true },
  UserPromptExpansion: { kind: "prompt.expand", refusal: "block", context: true },
  SessionStart: { kind: "session.start", refusal: "context", context: true, register: true },
  SessionEnd: { kind: "session.end", refusal: "message", register: true },
  Setup: { kind: "other", refusal: "context", context: true },
  // Context at the end of a turn makes another turn, as a refusal does (2.1.325): silence is the only pass.
  Stop: { kind: "turn.end", refusal: "block", register: true },
  StopFailure: { kind: "turn.failed", refusal: "message" },
  SubagentStart: { kind: "agent.start", refusal: "context", context: true, register: true },
  SubagentStop: { kind: "agent.end", refusal: "block", register: true },
  PreCompact: { kind: "compact.before", refusal: "block", register: true },
  PostCompact: { kind: "compact.after", refusal: "message" },
  PreModelSwitch: { kind: "model.before", refusal: "permission", failClosed: true },
  PostModelSwitch: { kind: "model.after", refusal: "context", context: true },
  Notification: { kind: "other", refusal: "context", context: true },
  TeammateIdle: { kind: "other", refusal: "block" },
  TaskCreated: { kind: "task.before", refusal: "block", failClosed: true },
  TaskCompleted: { kind: "other", refusal: "block" },
  Elicitation: { kind: "elicitation", refusal: "decline" },
  ElicitationResult: { kind: "elicitation", refusal: "decline" },
  ConfigChange: { kind: "config.change", refusal: "block", failClosed: true, register: true },
  InstructionsLoaded: { kind: "other", refusal: "message" },
  CwdChanged: { kind: "other", refusal: "message" },
  FileChanged: { kind: "other", refusal: "message" },
  DirectoryAdded: { kind: "other", refusal: "message" },
  WorktreeCreate: { kind: "worktree.create", refusal: "block" },
  WorktreeRemove: { kind: "other", refusal: "message" },
  MessageDisplay: { kind: "other", refusal: "message" },
};

/** An event this table does not know: `decision: "block"` is a common field, harmless where it means nothing. */
const unknownEvent: HostEvent = { kind: "other", refusal: "block" };

export const hostEvents: readonly string[] = Object.keys(table);
export const registeredEvents: readonly string[] = hostEvents.filter((name) => table[name]!.register);
export const hostEvent = (name: string): HostEvent => (Object.hasOwn(table, name) ? table[name]! : unknownEvent);
