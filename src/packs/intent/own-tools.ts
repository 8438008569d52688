// Calls of Interlock's own tools: the MCP server's, and `interlock intent select` typed in a shell.
// Invariant: a call counts only by its name and its arguments; what it printed is not believed.
import type { Facts } from "../../facts/index.js";
import type { Event } from "../../model/event.js";
import { ownMcpServer, ownMcpTools } from "../../model/own-mcp.js";

export interface OwnCall {
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

const mcpCall = ({ tool }: Event): OwnCall | undefined =>
  tool?.mcp?.server === ownMcpServer && ownMcpTools.has(tool.mcp.tool)
    ? { tool: tool.mcp.tool, input: tool.input }
    : undefined;

/** Whether the event may be a call that changes intents; cheap, and true more often than that. */
export const handshakeTool = (event: Event): boolean =>
  mcpCall(event) !== undefined ||
  (event.tool?.kind === "shell" && /\binterlock\b[^]*\bintent\b/.test(event.tool.command ?? ""));

/** A call of our own MCP server, or the same asked for in a shell. */
export function ownCall(facts: Facts): OwnCall | undefined {
  const { event } = facts;
  const direct = mcpCall(event);
  if (direct || !handshakeTool(event)) return direct;
  const calls = (facts.shell?.commands ?? []).filter((c) => ownPrograms.has(c.program) && c.argv[0] === "intent");
  if (calls.length !== 1) return undefined;
  const words = calls[0]!.argv.slice(1).filter((word) => word === undefined || !word.startsWith("-"));
  return words[0] === "select" && words[1] !== undefined
    ? { tool: "select_active_intent", input: { intent_id: words[1] } }
    : undefined;
}

export const ownPrograms: ReadonlySet<string> = new Set(["interlock", "agent-interlock"]);
