// A Claude Code hook payload -> an Event. All events of the client, leniently: what is unknown stays in `raw`.
// Invariant: pure, and it never throws, whatever the payload holds.
import type { Event } from "../../../model/event.js";
import { asString, defined, isObject, type JsonObject } from "../../../model/json.js";
import { outcomeOfFailure, outcomeOfSuccess } from "./call-outcome.js";
import { hostEvent } from "./events.js";
import { toolCall } from "./tool-kinds.js";

export const host = "claude-code";

type Environment = Readonly<Record<string, string | undefined>>;

/** `registeredAs`: the event the hook was registered for, used where the payload does not name one. */
export function decode(
  payload: JsonObject,
  env: Environment,
  wantedEnv: readonly string[],
  registeredAs?: string,
): Event {
  const name = eventName(payload) ?? registeredAs ?? inferred(payload);
  const kind = hostEvent(name).kind;
  const projectDir = env.CLAUDE_PROJECT_DIR || undefined;
  const event: Event = {
    kind,
    host,
    hostEvent: name,
    session: (asString(payload.session_id) || env.CLAUDE_CODE_SESSION_ID || "").slice(0, 200),
    cwd: asString(payload.cwd) || projectDir || env.PWD || "",
    env: pick(env, wantedEnv),
    raw: payload,
  };
  if (projectDir) event.projectDir = projectDir;
  const agentId = asString(payload.agent_id);
  if (agentId) event.agent = defined({ id: agentId, type: asString(payload.agent_type) });
  Object.assign(
    event,
    defined({
      promptId: asString(payload.prompt_id),
      transcript: asString(payload.transcript_path),
      permissionMode: asString(payload.permission_mode),
      reason: reason(name, payload),
    }),
  );

  if (typeof payload.tool_name === "string") {
    const input = isObject(payload.tool_input) ? payload.tool_input : {};
    event.tool = toolCall(payload.tool_name, input, asString(payload.tool_use_id), payload.mcp_server);
    if (kind === "tool.after") event.outcome = outcomeOfSuccess(event.tool.kind, payload);
    if (kind === "tool.failed") event.outcome = outcomeOfFailure(payload);
    if (isObject(event.outcome?.response) && event.outcome.response.backgroundTaskId) event.tool.background = true;
  }
  if (kind === "prompt" || kind === "prompt.expand") event.prompt = prompt(payload);
  if (kind === "turn.end" || kind === "agent.end") event.turn = turn(payload);
  if (kind === "config.change") {
    event.config = defined({ source: asString(payload.source), path: asString(payload.file_path) });
  }
  return event;
}

const eventName = (payload: JsonObject): string | undefined => asString(payload.hook_event_name) || undefined;

/** A payload without a name is judged as the most dangerous thing it can be. */
function inferred(payload: JsonObject): string {
  if (typeof payload.tool_name === "string") {
    if (payload.tool_response !== undefined || payload.tool_result !== undefined) return "PostToolUse";
    return payload.error === undefined ? "PreToolUse" : "PostToolUseFailure";
  }
  return typeof payload.prompt === "string" ? "UserPromptSubmit" : "";
}

function reason(name: string, payload: JsonObject): string | undefined {
  if (name === "SessionStart") return asString(payload.source);
  if (name === "StopFailure") return asString(payload.error);
  return asString(payload.reason) ?? asString(payload.trigger);
}

/** Tags that begin a turn the client wrote itself. */
const machineTags = [
  "task-notification",
  "system-reminder",
  "local-command-stdout",
  "local-command-stderr",
  "local-command-caveat",
  "bash-stdout",
  "bash-stderr",
  "user-prompt-submit-hook",
  "teammate-message",
  "agent-message",
  "channel",
  "tick",
];

/** Events whose hooks are reported in a turn of their own: "Stop hook feedback: ...". */
const reportedHooks = [
  "Stop",
  "SubagentStop",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "SessionStart",
  "Notification",
];
const hookReports = ["feedback", "blocking error", "error", "success", "stopped", "additional context"];

const machineSentences = [
  "\\[Request interrupted by user\\b",
  "Caveat: The messages below were generated",
  "This session is being continued from a previous conversation",
];

let machineText: RegExp | undefined;
const machineTextPattern = (): RegExp => {
  const openings = [
    `<(?:${machineTags.join("|")})\\b`,
    // Programs that talk into a session name their messages so: <ci-monitor-event>, <github-webhook-activity>.
    "<(?:[a-z]+-)+(?:event|notification|activity|update|status|result|output|alert|report|message)\\b",
    `(?:${reportedHooks.join("|")})(?::\\S+)? hook (?:${hookReports.join("|")})\\b`,
    ...machineSentences,
  ];
  return new RegExp(`^\\s*(?:${openings.join("|")})`);
};

/** Turns the client wrote itself reach the prompt event like a person's words, often without `source`. */
const isMachineText = (text: string): boolean =>
  /^\s*[<[A-Z]/.test(text) && (machineText ??= machineTextPattern()).test(text);

function prompt(payload: JsonObject): NonNullable<Event["prompt"]> {
  const text = asString(payload.prompt) ?? "";
  const source = asString(payload.source);
  const machine = (source !== undefined && source !== "user") || isMachineText(text);
  return defined({ text, source, machine });
}

const turn = (payload: JsonObject): NonNullable<Event["turn"]> =>
  defined({
    again: payload.stop_hook_active === true,
    lastMessage: asString(payload.last_assistant_message),
    backgroundTasks: Array.isArray(payload.background_tasks) ? payload.background_tasks.length : 0,
  });

/** The variables of the agent's environment that gates want to see. */
export function pick(env: Environment, wanted: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = Object.create(null);
  for (const name of wanted) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (typeof value === "string") picked[name] = value;
  }
  return picked;
}
