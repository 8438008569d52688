// What a tool of the MCP server answers.
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

export const answer = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

/** The agent is told what is wrong and what to do instead. */
export const failure = (text: string): CallToolResult => ({ ...answer(text), isError: true });

export const jsonAnswer = (value: object): CallToolResult => answer(JSON.stringify(value, null, 2));
