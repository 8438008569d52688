// interlock mcp: the MCP server on stdio that agents talk to.
import { parseOptions } from "../lib/args.js";
import { packageDir } from "../lib/current-project.js";

export const usage = `Usage: interlock mcp [--cwd <project>]

  Speaks MCP on stdin and stdout; a client starts it. \`interlock init --mcp\` registers it in .mcp.json.
  Tools: select_active_intent, list_intents, request_scope_expansion, complete_intent, record_lesson,
  intent_history, interlock_status, create_request, run_info, query_log. See docs/intents.md.
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { cwd: "text", home: "text" }, usage);
  const { serveMcp } = await import("../../mcp/mcp-server.js");
  const cwd = values.cwd ?? (process.env["CLAUDE_PROJECT_DIR"] || process.cwd());
  await serveMcp({ cwd, env: process.env, packageDir: packageDir(), ...(values.home && { home: values.home }) });
  return 0;
}
