// The seed's cases as data: its seven destructive tools and its exempt ones, in the names agents and servers give them.
import type { JsonObject } from "../model/json.js";

/** The seven destructive tools, as Claude Code, other agents and MCP servers call them. */
export const destructiveCalls: [name: string, tool: string, input: JsonObject][] = [
  ["write_to_file", "Write", { file_path: "src/auth/new.ts", content: "x" }],
  ["edit", "Edit", { file_path: "src/auth/login.ts", old_string: "1", new_string: "2" }],
  ["edit_file", "MultiEdit", { file_path: "src/auth/login.ts", edits: [{ old_string: "1", new_string: "2" }] }],
  ["search_replace", "mcp__editor__search_replace", { path: "src/auth/login.ts", search: "1", replace: "2" }],
  [
    "apply_diff",
    "apply_diff",
    { path: "src/auth/login.ts", diff: "--- a/src/auth/login.ts\n+++ b/src/auth/login.ts\n" },
  ],
  ["apply_patch", "apply_patch", { input: "*** Begin Patch\n*** Update File: src/auth/login.ts\n*** End Patch" }],
  ["execute_command", "Bash", { command: "sed -i s/1/2/ src/auth/login.ts" }],
];

/** Reading, asking and planning need no intent. */
export const exemptCalls: [string, JsonObject][] = [
  ["mcp__interlock__select_active_intent", { intent_id: "INT-001" }],
  ["mcp__interlock__list_intents", {}],
  ["Read", { file_path: "src/other.ts" }],
  ["Glob", { pattern: "**/*.ts" }],
  ["Grep", { pattern: "x", path: "src" }],
  ["LSP", { operation: "hover", filePath: "src/other.ts" }],
  ["WebFetch", { url: "https://example.org", prompt: "x" }],
  ["WebSearch", { query: "x" }],
  ["TodoWrite", { todos: [] }],
  ["AskUserQuestion", { questions: [] }],
  ["ExitPlanMode", {}],
  ["Skill", { skill: "x" }],
  ["Agent", { description: "x", prompt: "look", subagent_type: "general-purpose" }],
  ["mcp__search__codebase_search", { query: "x" }],
  ["mcp__fs__read_file", { path: "src/other.ts" }],
  ["mcp__fs__list_files", { path: "src" }],
  ["ListMcpResourcesTool", { server: "x" }],
  ["Bash", { command: "git status && git diff | head -20; ls -la src; cat README.md" }],
  ["Write", { file_path: "/tmp/interlock-notes.txt", content: "x" }],
  ["Bash", { command: "interlock intent list" }],
  ["Bash", { command: "npx agent-interlock intent select INT-001" }],
];
