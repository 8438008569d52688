// `.isdlc/state.json` as the framework writes it: read leniently, changed field by field, unknown fields kept.
// Invariant: text that is not a state throws; nothing is ever dropped from a file that is written back.
import * as v from "valibot";
import type { JsonObject } from "../../../model/json.js";

const text = v.nullish(v.string());
const number = v.nullish(v.number());
const flag = v.nullish(v.boolean());
const texts = v.nullish(v.array(v.string()));
const things = v.nullish(v.array(v.unknown()));

const constitution = v.looseObject({
  required: flag,
  completed: flag,
  status: text,
  iterations_used: number,
  max_iterations: number,
  articles_required: texts,
  articles_checked: texts,
  violations_found: things,
  history: things,
  started_at: text,
  escalation_approved: flag,
});

const elicitation = v.looseObject({
  required: flag,
  completed: flag,
  menu_interactions: number,
  selections: things,
  steps_completed: things,
  final_selection: text,
});

const tests = v.looseObject({
  required: flag,
  completed: flag,
  status: text,
  current_iteration: number,
  max_iterations: number,
  failures_count: number,
  identical_failure_count: number,
  last_test_result: text,
  last_test_command: text,
  last_test_at: text,
  history: things,
  escalation_reason: text,
  escalation_approved: flag,
});

const phase = v.looseObject({
  status: text,
  constitutional_validation: v.nullish(constitution),
  atdd_validation: v.nullish(v.looseObject({ orphan_skips_detected: number })),
  iteration_requirements: v.nullish(
    v.looseObject({ interactive_elicitation: v.nullish(elicitation), test_iteration: v.nullish(tests) }),
  ),
});

const workflow = v.looseObject({
  type: text,
  current_phase: text,
  current_phase_index: number,
  phases: texts,
  phase_status: v.nullish(v.record(v.string(), v.unknown())),
  git_branch: v.nullish(v.looseObject({ name: text, status: text, created_at: text })),
  artifact_folder: text,
  atdd_mode: flag,
  options: v.nullish(v.looseObject({ atdd_mode: v.nullish(v.unknown()) })),
});

const logEntry = v.looseObject({ timestamp: text, agent: text, agent_phase: text, current_phase: text, status: text });

export const stateSchema = v.looseObject({
  current_phase: text,
  active_workflow: v.nullish(workflow),
  phases: v.nullish(v.record(v.string(), v.nullish(phase))),
  skill_usage_log: v.nullish(v.array(logEntry)),
  skill_enforcement: v.nullish(v.looseObject({ enabled: flag, mode: text, fail_behavior: text })),
  iteration_enforcement: v.nullish(v.union([v.boolean(), v.looseObject({ enabled: flag })])),
  iteration_config: v.nullish(
    v.looseObject({ configured_at: text, testing_max: number, circuit_breaker_threshold: number }),
  ),
  pending_delegation: v.nullish(v.looseObject({ skill: text, required_agent: text, invoked_at: text, args: text })),
  pending_escalations: things,
  pending_triggers: things,
  cloud_configuration: v.nullish(v.looseObject({ provider: text })),
  code_review: v.nullish(v.looseObject({ enabled: flag, team_size: number })),
  discovery_context: v.nullish(v.looseObject({ walkthrough_completed: flag })),
  state_version: number,
  workflow_history: things,
});

export type StateFile = v.InferOutput<typeof stateSchema>;
export type PhaseState = v.InferOutput<typeof phase>;

export interface ParsedStateFile {
  state: StateFile;
  /** Invalid fields; they count as missing. */
  problems: string[];
}

/** Some editors put a byte order mark first. */
const withoutMark = (source: string): string => source.replace(/^\ufeff/, "");

/**
 * Throws if the text is no state at all. An invalid field is left out and reported, so that gates still see the rest.
 */
export function readStateFile(source: string): ParsedStateFile {
  let value: unknown;
  try {
    value = JSON.parse(withoutMark(source));
  } catch (error) {
    throw new Error(`not valid JSON (${error instanceof Error ? error.message : error})`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("not a workflow state: the top level is no object");
  const result = v.safeParse(stateSchema, value);
  if (result.success) return { state: result.output, problems: [] };
  for (const { path } of result.issues)
    leaveOut(
      value as JsonObject,
      (path ?? []).map((p) => p.key),
    );
  const problems = result.issues
    .slice(0, 5)
    .map((issue) => `${v.getDotPath(issue) ?? "the top level"}: ${issue.message}`);
  return { state: v.parse(stateSchema, value), problems };
}

export const parseStateFile = (source: string): StateFile => readStateFile(source).state;

/** Removes the field at a path; for an item of a list, the whole list. */
function leaveOut(state: JsonObject, path: unknown[]): void {
  const end = path.findIndex((key) => typeof key === "number");
  const keys = (end < 0 ? path : path.slice(0, end)).map(String);
  let here: JsonObject | undefined = state;
  for (const key of keys.slice(0, -1)) here = here?.[key] as JsonObject | undefined;
  if (here && keys.length) delete here[keys.at(-1)!];
}

/**
 * Changes fields of a state text. Keeps the framework's two-space layout and increments the version if there is one.
 */
export function changeStateText(source: string | undefined, change: (state: JsonObject) => void): string {
  const state = (source === undefined ? {} : JSON.parse(withoutMark(source))) as JsonObject;
  change(state);
  if (typeof state["state_version"] === "number") state["state_version"] += 1;
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** The object at a path of keys, made where it is missing. */
export function objectAt(state: JsonObject, ...path: string[]): JsonObject {
  let here = state;
  for (const key of path) {
    const next = here[key];
    if (typeof next === "object" && next !== null && !Array.isArray(next)) here = next;
    else here = here[key] = {};
  }
  return here;
}

/** Appends to a list and keeps its newest entries. */
export function pushBounded(state: JsonObject, key: string, entry: JsonObject, keep = 500): void {
  const list = Array.isArray(state[key]) ? state[key] : [];
  state[key] = [...list, entry].slice(-keep);
}
