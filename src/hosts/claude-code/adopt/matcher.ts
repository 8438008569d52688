// Which hooks of a settings file an event calls, by the client's own rules for `matcher`.
// Invariant: gives the same answer as Claude Code 2.1.325; a pattern it ignores matches nothing.
import type { Event } from "../../../model/event.js";
import { asString } from "../../../model/json.js";

/** Older names of tools that a pattern may still use. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  Agent: ["Task"],
  TaskStop: ["KillShell", "KillBash"],
  ListAgents: ["ListPeers"],
  SendUserMessage: ["Brief"],
  ListMcpResourcesTool: ["ListMcpResources"],
  ReadMcpResourceTool: ["ReadMcpResource"],
  ReadMcpResourceDirTool: ["ReadMcpResourceDir"],
};

/**
 * Absent, empty and `*` match everything; names and lists of names match exactly; anything else is an unanchored
 * regular expression.
 */
export function matches(matcher: string | undefined, name: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  const names = [name, ...(Object.hasOwn(aliases, name) ? aliases[name]! : [])];
  if (/^[\w\-,| ]+$/.test(matcher)) {
    const listed = matcher.split(/[,|]/).map((word) => word.trim());
    return names.some((each) => listed.includes(each));
  }
  try {
    const pattern = new RegExp(matcher);
    return names.some((each) => pattern.test(each.slice(0, 256)));
  } catch {
    return false; // the client takes a broken expression for one that matches nothing
  }
}

const subjects: Readonly<Record<string, string>> = {
  SessionStart: "source",
  SessionEnd: "reason",
  Setup: "trigger",
  PreCompact: "trigger",
  PostCompact: "trigger",
  Notification: "notification_type",
  SubagentStart: "agent_type",
  SubagentStop: "agent_type",
  ConfigChange: "source",
  UserPromptExpansion: "command_name",
  Elicitation: "mcp_server_name",
  ElicitationResult: "mcp_server_name",
  InstructionsLoaded: "load_reason",
  StopFailure: "error",
};

/** What the matchers of this event are compared with; undefined if it has no matchers and every hook runs. */
export function matchSubject(event: Event): string | undefined {
  if (event.tool) return event.tool.name;
  const field = Object.hasOwn(subjects, event.hostEvent) ? subjects[event.hostEvent] : undefined;
  return field === undefined ? undefined : (asString(event.raw[field]) ?? "");
}
