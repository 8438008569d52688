// The MCP server on stdio, with the official SDK: the handshake's tools and those about runs.
// Invariant: stdout carries the protocol and nothing else; it ends when the client closes the pipe.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { version } from "../hook/folders.js";
import { ownMcpServer } from "../model/own-mcp.js";
import { addIntentTools } from "./intent-tools.js";
import type { Place } from "./project-here.js";
import { addRunTools } from "./run-tools.js";

const instructions =
  "This project works by intents: call select_active_intent before you change files, stay inside its scope, ask for " +
  "more with request_scope_expansion.";

/** Resolves when the client has gone. */
export async function serveMcp(place: Place): Promise<void> {
  const server = new McpServer({ name: ownMcpServer, version }, { instructions });
  addIntentTools(server, place);
  addRunTools(server, place);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once("end", resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
}
