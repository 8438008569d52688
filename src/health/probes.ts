// Doctor's area "probe": runs the hooks as they are registered, on calls whose answer is known.
// Invariant: runs or calls exactly what the settings file says; probes have a session name of their own in the record.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeSession } from "../facts/probe-session.js";
import type { Env } from "../hook/folders.js";
import { isOurs } from "../hosts/claude-code/install/own-entries.js";
import { registeredEvents } from "../hosts/claude-code/protocol/events.js";
import { hookEntries, readSettings } from "../hosts/claude-code/settings/settings.js";
import { monotonic } from "../model/clock.js";
import { asString, isObject, type JsonObject } from "../model/json.js";
import { readBoundedText } from "../project/bounded-read.js";
import { post } from "../server/client.js";
import type { CheckContext } from "./context.js";
import type { HealthFinding } from "./finding.js";
import { register } from "./registration.js";

export interface Probe {
  event: string;
  name: string;
  expected: "refused" | "passed";
  ok: boolean;
  ms: number;
  detail: string;
  /** The type of the registered entry: command or http. */
  way: string;
}

export interface ProbeOptions {
  file: string;
  root: string;
  env: Env;
  /** Every registered event; otherwise only the essential ones. */
  all?: boolean;
}

export async function checkProbes(context: CheckContext): Promise<HealthFinding[]> {
  const findings: HealthFinding[] = [];
  const { repository } = context.opened;
  for (const { file, scope } of context.found.scopes.filter((s) => s.ours.length > 0))
    for (const p of await probe({ file, root: repository.root, env: context.env, all: true })) {
      const outcome = p.ok ? p.expected : `must be ${p.expected}: ${p.detail}`;
      const finding = { area: "probe", ok: p.ok, what: `${p.event} (${p.way}): ${p.name} ${outcome} (${p.ms} ms)` };
      if (p.ok) findings.push(finding);
      else if (scope === "managed") findings.push({ ...finding, fix: "interlock doctor --fix" });
      else findings.push({ ...finding, fix: "interlock doctor --fix", repair: register(context, scope) });
    }
  return findings;
}

type Row = [event: string, name: string, expected: Probe["expected"], payload: JsonObject | string];

export async function probe(options: ProbeOptions): Promise<Probe[]> {
  const { file, root, all } = options;
  const settings = readSettings(readBoundedText(file, 1 << 20));
  if (!settings.ok) return [];
  const ours = hookEntries(settings.json).filter((e) => isOurs(e.handler));
  const scratch = mkdtempSync(join(tmpdir(), "interlock-probe-"));
  try {
    const done: Probe[] = [];
    let silent: string | undefined;
    for (const row of [...coreRows(root), ...(all ? [...configRows(scratch), ...restOf(coreRows(root), root)] : [])]) {
      const [event, name, expected] = row;
      const entry = ours.find((e) => e.event === event);
      const way = String(entry?.handler["type"] ?? "none");
      const missing = { ok: false, ms: 0, detail: `no entry of ours for ${event} in ${file}` };
      // Wait only once for a server that does not answer.
      const again = way === "http" && silent ? { ok: false, ms: 0, detail: silent } : undefined;
      const probed = again ?? (entry ? await ask(entry.handler, row, options) : missing);
      if (way === "http" && probed.ms >= patienceMs) silent = probed.detail;
      done.push({ event, name, expected, way, ...probed });
    }
    return done;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const call = (tool: string, input: JsonObject): JsonObject => ({
  tool_name: tool,
  tool_input: input,
  tool_use_id: "toolu_interlock_probe",
});

const coreRows = (root: string): Row[] => [
  [
    "PreToolUse",
    "write of the agent's settings",
    "refused",
    call("Write", { file_path: join(root, ".claude/settings.json"), content: "{}" }),
  ],
  ["PreToolUse", "the same by the shell", "refused", call("Bash", { command: "echo '{}' > .claude/settings.json" })],
  [
    "PreToolUse",
    "write of an ordinary file",
    "passed",
    // In a temporary folder: a process gate may refuse a write in the project.
    call("Write", { file_path: join(tmpdir(), "interlock-probe.txt"), content: "probe" }),
  ],
  ["PreToolUse", "read of an ordinary file", "passed", call("Read", { file_path: join(root, "README.md") })],
  [
    "PostToolUse",
    "result of a call",
    "passed",
    { ...call("Read", { file_path: join(root, "README.md") }), tool_response: {} },
  ],
  ["UserPromptSubmit", "a prompt", "passed", { prompt: "interlock probe" }],
];

function configRows(scratch: string): Row[] {
  const off = join(scratch, "off.json");
  const plain = join(scratch, "plain.json");
  writeFileSync(off, '{"disableAllHooks":true}');
  writeFileSync(plain, "{}");
  return [
    ["ConfigChange", "settings that switch hooks off", "refused", { source: "project_settings", file_path: off }],
    ["ConfigChange", "settings that change nothing", "passed", { source: "project_settings", file_path: plain }],
  ];
}

/** For every other event: a usual payload passes; one that cannot be read is refused or reported. */
function restOf(core: readonly Row[], root: string): Row[] {
  const readable = new Set([...core.map(([event]) => event), "ConfigChange"]);
  const usual: Record<string, JsonObject> = {
    SessionStart: { source: "startup" },
    SessionEnd: { reason: "other" },
    Stop: { stop_hook_active: true },
    SubagentStart: { agent_id: "interlock-probe", agent_type: "probe" },
    SubagentStop: { agent_id: "interlock-probe", agent_type: "probe", stop_hook_active: true },
    PreCompact: { trigger: "auto" },
    PostToolUseFailure: { ...call("Read", { file_path: join(root, "README.md") }), error: "probe" },
  };
  return registeredEvents.flatMap((event): Row[] => [
    ...(readable.has(event) ? [] : ([[event, "a usual one", "passed", usual[event] ?? {}]] as Row[])),
    [event, "one that cannot be read", "refused", JSON.stringify([probeSession])],
  ]);
}

async function ask(
  handler: JsonObject,
  [event, , expected, payload]: Row,
  { root, env }: ProbeOptions,
): Promise<Pick<Probe, "ok" | "ms" | "detail">> {
  const common = {
    session_id: probeSession,
    transcript_path: "",
    cwd: root,
    hook_event_name: event,
    permission_mode: "default",
  };
  const input = typeof payload === "string" ? payload : JSON.stringify({ ...common, ...payload });
  const start = monotonic();
  let text: string;
  try {
    text = handler["type"] === "http" ? await request(handler, input, env) : command(handler, input, root, env);
  } catch (error) {
    return { ok: false, ms: Math.round(monotonic() - start), detail: (error as Error).message };
  }
  return { ms: Math.round(monotonic() - start), ...read(text, expected) };
}

/** A third of the time the client would wait. */
const patienceMs = 10_000;

/** Fills in the headers as the client would. */
function request(handler: JsonObject, input: string, env: Env): Promise<string> {
  const allowed = Array.isArray(handler["allowedEnvVars"]) ? handler["allowedEnvVars"] : [];
  const fill = (text: string) =>
    text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => (allowed.includes(name) ? (env[name] ?? "") : ""));
  const headers = Object.entries(isObject(handler["headers"]) ? handler["headers"] : {});
  return post(
    asString(handler["url"]) ?? "",
    Object.fromEntries(headers.map(([name, value]) => [name, fill(String(value))])),
    input,
    patienceMs,
  );
}

function command(handler: JsonObject, input: string, root: string, env: Env): string {
  const options = {
    cwd: root,
    // A check must not start the server.
    env: { ...env, CLAUDE_PROJECT_DIR: root, INTERLOCK_SERVER: "off" } as NodeJS.ProcessEnv,
    input,
    encoding: "utf8" as const,
    timeout: 30_000,
  };
  const args = Array.isArray(handler["args"]) ? handler["args"].map(String) : undefined;
  const line = asString(handler["command"]) ?? "";
  const run = args ? spawnSync(line, args, options) : spawnSync(line, { ...options, shell: true });
  if (!run.error && run.status === 0) return run.stdout;
  const how = run.error?.message ?? `exit ${run.status}`;
  throw new Error(`the registered command failed: ${how} ${run.stderr ?? ""}`.trim());
}

function read(text: string, expected: Probe["expected"]): Pick<Probe, "ok" | "detail"> {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { ok: false, detail: `the answer is not one JSON object: ${text.slice(0, 120)}` };
  }
  if (!isObject(answer)) return { ok: false, detail: "the answer is not a JSON object" };
  const specific = isObject(answer["hookSpecificOutput"]) ? answer["hookSpecificOutput"] : {};
  const said = [
    specific["permissionDecisionReason"],
    answer["reason"],
    specific["additionalContext"],
    answer["systemMessage"],
  ]
    .map((part) => asString(part)?.split("\n")[0] ?? "")
    .find((part) => part.startsWith("BLOCKED"));
  const refused = specific["permissionDecision"] === "deny" || answer["decision"] === "block" || said !== undefined;
  return { ok: refused === (expected === "refused"), detail: refused ? (said ?? "refused") : "passed" };
}
