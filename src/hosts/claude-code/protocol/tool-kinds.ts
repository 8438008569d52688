// Claude Code's tools in our words: which kind of thing each is, and the views gates read.
// Invariant: a name that is not listed is `unknown`; a field of the wrong type leaves its view out and never throws.
import type { ToolCall, ToolKind } from "../../../model/event.js";
import { asBoolean, asNumber, asString, defined, isObject, type JsonObject } from "../../../model/json.js";

type View = (input: JsonObject) => Partial<ToolCall> & { kind: ToolKind };

const of =
  (kind: ToolKind): View =>
  () => ({ kind });

const firstString = (input: JsonObject, ...names: string[]): string | undefined => {
  for (const name of names) if (typeof input[name] === "string") return input[name];
  return undefined;
};
const filePath = (input: JsonObject) => firstString(input, "file_path", "notebook_path", "filePath", "path");

const shell: View = (input) => ({
  kind: "shell",
  command: asString(input.command),
  background: asBoolean(input.run_in_background),
});

const read: View = (input) => {
  const [offset, limit] = [asNumber(input.offset), asNumber(input.limit)];
  const whole = offset === undefined && limit === undefined;
  return { kind: "read", path: filePath(input), range: whole ? undefined : { offset, limit } };
};

const edit: View = (input) => {
  const list = Array.isArray(input.edits) ? input.edits.filter(isObject) : [input];
  const edits = list
    .filter((e) => typeof e.old_string === "string" || typeof e.new_string === "string")
    .map((e) => ({
      old: asString(e.old_string) ?? "",
      new: asString(e.new_string) ?? "",
      all: e.replace_all === true,
    }));
  return { kind: "edit", path: filePath(input), edits };
};

const notebook: View = (input) => ({ kind: "notebook", path: filePath(input), content: asString(input.new_source) });

const search: View = (input) => ({
  kind: "search",
  path: filePath(input),
  query: firstString(input, "pattern", "query"),
});

// Sub-agents run in the background unless the call says otherwise.
const agent: View = (input) => ({
  kind: "agent",
  agent: {
    type: asString(input.subagent_type),
    prompt: asString(input.prompt),
    model: asString(input.model),
    description: asString(input.description),
  },
  background: input.run_in_background !== false,
});

const skill: View = (input) => ({ kind: "skill", skill: firstString(input, "skill", "command", "name") });

/** Watches a command's output, or a web socket. */
const monitor: View = (input) => {
  if (typeof input.command === "string") return { kind: "shell", command: input.command, background: true };
  const url = isObject(input.ws) ? asString(input.ws.url) : undefined;
  return url === undefined ? { kind: "unknown" } : { kind: "web", url, background: true };
};

/** A prompt scheduled in this session comes back through the hooks; one kept on disk outlives the judged session. */
const schedule: View = (input) => ({ kind: input.durable === true ? "unknown" : "control" });

/** Remote runs start where no hook of ours sits. */
const remote: View = (input) =>
  ["list", "get", "list_runs", "get_run_log"].includes(String(input.action))
    ? { kind: "control" }
    : { kind: "agent", agent: {}, background: true };

const resource: View = (input) => ({
  kind: "mcp",
  mcp: { server: asString(input.server) ?? "", tool: "resource" },
  url: asString(input.uri),
});

const views = new Map<string, View>([
  ["Bash", shell],
  ["Monitor", monitor],
  ["PowerShell", (input) => ({ kind: "script", background: asBoolean(input.run_in_background) })],
  ["Workflow", (input) => ({ kind: "script", path: asString(input.scriptPath), background: true })],
  ["Read", read],
  ["NotebookRead", read],
  ["Write", (input) => ({ kind: "write", path: filePath(input), content: asString(input.content) })],
  ["Edit", edit],
  ["MultiEdit", edit],
  ["NotebookEdit", notebook],
  ["Glob", search],
  ["Grep", search],
  ["LS", search],
  ["LSP", search],
  ["WebFetch", (input) => ({ kind: "web", url: asString(input.url), query: asString(input.prompt) })],
  ["WebSearch", (input) => ({ kind: "web", query: asString(input.query) })],
  ["Agent", agent],
  ["Task", agent],
  ["RemoteTrigger", remote],
  ["Skill", skill],
  ["SlashCommand", skill],
  ["CronCreate", schedule],
  ["ScheduleWakeup", of("control")],
  ["ListMcpResourcesTool", resource],
  ["ListMcpResources", resource],
  ["ReadMcpResourceTool", resource],
  ["ReadMcpResource", resource],
  ["ReadMcpResourceDirTool", resource],
  ["ReadMcpResourceDir", resource],
  ["EnterPlanMode", of("plan")],
  ["ExitPlanMode", of("plan")],
  ["AskUserQuestion", of("ask")],
  ["ProposeGoal", of("ask")],
  ["propose_skills", of("ask")],
  ["OfferChromeSetup", of("ask")],
  ["ShowOnboardingRolePicker", of("ask")],
]);

const control = [
  "AgentOutputTool",
  "BashOutput",
  "Brief",
  "CronDelete",
  "CronList",
  "EndConversation",
  "KillBash",
  "KillShell",
  "ListAgents",
  "ListPeers",
  "PushNotification",
  "ReadNotifications",
  "ReportFindings",
  "SendMessage",
  "SendUserMessage",
  "SubagentHandback",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskOutput",
  "TaskStop",
  "TaskUpdate",
  "TeamCreate",
  "TeamDelete",
  "TodoRead",
  "TodoWrite",
  "ToolSearch",
  "WaitForMcpServers",
];
for (const name of control) views.set(name, of("control"));

/** `provenance` is the payload's `mcp_server`: the one field that says truly where a server comes from. */
export function toolCall(name: string, input: JsonObject, id?: string, provenance?: unknown): ToolCall {
  const mcp = mcpName(name, provenance);
  const view: Partial<ToolCall> & { kind: ToolKind } = mcp
    ? { kind: "mcp", mcp }
    : (views.get(name)?.(input) ?? { kind: "unknown" });
  return defined<ToolCall>({ id, name, input, ...view });
}

/** `mcp__server__tool`; a plugin's server is `mcp__plugin_<plugin>_<server>__tool`. */
function mcpName(name: string, provenance: unknown): ToolCall["mcp"] {
  if (!name.startsWith("mcp__")) return undefined;
  const rest = name.slice("mcp__".length);
  const given = isObject(provenance) ? asString(provenance.name) : undefined;
  const source =
    (isObject(provenance) ? asString(provenance.source) : undefined) ??
    (rest.startsWith("plugin_") ? "plugin" : undefined);
  // The client writes a server's name with every other character as `_`; the name itself may contain `__`.
  const spelled = given === undefined ? undefined : `${given.replace(/[^A-Za-z0-9_-]/g, "_")}__`;
  const split = rest.indexOf("__");
  const tool =
    spelled && rest.startsWith(spelled) ? rest.slice(spelled.length) : split < 0 ? "" : rest.slice(split + 2);
  const server = given ?? (split < 0 ? rest : rest.slice(0, split));
  return source === undefined ? { server, tool } : { server, tool, source };
}
