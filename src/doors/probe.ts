// Probes: the hook as it is registered in the settings file, asked about calls whose answer is known.
// Invariant: the registered command itself is run, not our own idea of it; probes carry a session name of their own in the record.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { monotonic } from "../engine/clock.js";
import { asString, isObject, type JsonObject } from "../engine/json.js";
import { isOurs } from "../hosts/claude-code/ours.js";
import { hookEntries, readSettings } from "../hosts/claude-code/settings.js";
import type { Env } from "./places.js";

export const probeSession = "interlock-probe";

export interface Probe {
  event: string;
  name: string;
  expected: "refused" | "passed";
  ok: boolean;
  ms: number;
  detail: string;
}

export interface ProbeOptions {
  file: string;
  root: string;
  env: Env;
}

/** The probes `init` and `doctor` run; the refusal of the settings write is what everything rests on. */
export function probe({ file, root, env }: ProbeOptions): Probe[] {
  const settings = readSettings(readFileSync(file, "utf8"));
  if (!settings.ok) return [];
  const ours = hookEntries(settings.json).filter((e) => isOurs(e.handler));
  const call = (tool: string, input: JsonObject): JsonObject => ({
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_interlock_probe",
  });
  const rows: [string, string, Probe["expected"], JsonObject][] = [
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
      call("Write", { file_path: join(root, "interlock-probe.txt"), content: "probe" }),
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
  return rows.flatMap(([event, name, expected, payload]) => {
    const entry = ours.find((e) => e.event === event);
    if (!entry)
      return [{ event, name, expected, ok: false, ms: 0, detail: `no entry of ours for ${event} in ${file}` }];
    return [{ event, name, expected, ...ask(entry.handler, event, payload, expected, root, env) }];
  });
}

function ask(
  handler: JsonObject,
  event: string,
  payload: JsonObject,
  expected: Probe["expected"],
  root: string,
  env: Env,
): Pick<Probe, "ok" | "ms" | "detail"> {
  const input = JSON.stringify({
    session_id: probeSession,
    transcript_path: "",
    cwd: root,
    hook_event_name: event,
    permission_mode: "default",
    ...payload,
  });
  const options = {
    cwd: root,
    env: { ...env, CLAUDE_PROJECT_DIR: root } as NodeJS.ProcessEnv,
    input,
    encoding: "utf8" as const,
    timeout: 30_000,
  };
  const start = monotonic();
  const args = Array.isArray(handler["args"]) ? handler["args"].map(String) : undefined;
  const command = asString(handler["command"]) ?? "";
  const run = args ? spawnSync(command, args, options) : spawnSync(command, { ...options, shell: true });
  const ms = Math.round(monotonic() - start);
  if (run.error || run.status !== 0)
    return {
      ok: false,
      ms,
      detail: `the registered command failed: ${run.error?.message ?? `exit ${run.status}`} ${run.stderr ?? ""}`.trim(),
    };
  let answer: unknown;
  try {
    answer = JSON.parse(run.stdout);
  } catch {
    return { ok: false, ms, detail: `the answer is not one JSON object: ${run.stdout.slice(0, 120)}` };
  }
  const specific = isObject(answer) && isObject(answer["hookSpecificOutput"]) ? answer["hookSpecificOutput"] : {};
  const refused = specific["permissionDecision"] === "deny" || (isObject(answer) && answer["decision"] === "block");
  const reason = asString(specific["permissionDecisionReason"])?.split("\n")[0] ?? "";
  return { ok: refused === (expected === "refused"), ms, detail: refused ? reason : "passed" };
}
