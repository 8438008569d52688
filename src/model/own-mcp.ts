// The names of Interlock's own MCP server and its tools, which the server offers and the hooks recognise.

export const ownMcpServer = "interlock";

export const ownMcpToolNames = [
  "select_active_intent",
  "list_intents",
  "request_scope_expansion",
  "complete_intent",
  "record_lesson",
  "intent_history",
  "interlock_status",
  "create_request",
  "run_info",
  "query_log",
] as const;

export const ownMcpTools: ReadonlySet<string> = new Set(ownMcpToolNames);
