// Writes what Interlock observed into the state file, where the framework looks for it. Pure changes, applied by
// `amend`.
// Invariant: other fields are kept; lists are bounded; a file that is not JSON is left as it is.
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { changeStateText, objectAt, pushBounded } from "./state-file.js";
import type { Elicitation, TestProgress } from "./workflow-state.js";

const isoTime = (now: number) => new Date(now).toISOString();

/** For `amend`: a missing or unreadable file is left alone. */
export const stateEdit =
  (change: (state: JsonObject) => void) =>
  (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined;
    try {
      return changeStateText(text, change);
    } catch {
      // Not JSON: the memory reports it, and nothing is overwritten.
      return undefined;
    }
  };

/** A phase's object under the key the file uses for it. */
export function phaseRecord(state: JsonObject, phase: string): JsonObject {
  const active = state["active_workflow"] as JsonObject | undefined;
  const phases = objectAt(state, "phases");
  const given = typeof active?.["current_phase"] === "string" ? active["current_phase"] : phase;
  return objectAt(phases, phases[phase] === undefined && phases[given] !== undefined ? given : phase);
}

/** In the framework's words and types: its schema allows no null where a text belongs. */
export function writeTests(
  state: JsonObject,
  phase: string,
  tests: TestProgress,
  limits: { max: number; identical: number },
): void {
  const t = objectAt(phaseRecord(state, phase), "iteration_requirements", "test_iteration");
  const at = tests.at ?? isoTime(Date.now());
  const { last, command } = tests;
  t["started_at"] ??= at;
  Object.assign(t, {
    required: true,
    completed: tests.completed || tests.escalated !== undefined,
    current_iteration: tests.iteration,
    max_iterations: limits.max,
    failures_count: (Number(t["failures_count"]) || 0) + (last === "failed" ? 1 : 0),
    identical_failure_count: tests.identical,
    ...(last && { last_test_result: last }),
    ...(command && { last_test_command: command }),
    last_test_at: at,
  } satisfies Record<string, Json>);
  for (const key of ["status", "completed_at", "escalation_reason", "escalation_details"]) delete t[key];
  if (tests.completed) Object.assign(t, { status: "success", completed_at: at });
  if (tests.escalated)
    Object.assign(t, {
      status: "escalated",
      escalation_reason: tests.escalated,
      escalation_details:
        tests.escalated === "circuit_breaker"
          ? `Same error repeated ${tests.identical} times`
          : `Exceeded ${limits.max} iterations without success`,
    });
  pushBounded(
    t,
    "history",
    {
      iteration: tests.iteration,
      timestamp: at,
      ...(command && { command }),
      ...(last && { result: last.toUpperCase() }),
      failures: tests.failures ?? 0,
      ...(tests.signature && { error: tests.signature }),
    },
    50,
  );
}

export function writeElicitation(state: JsonObject, phase: string, e: Elicitation, now: number): void {
  const target = objectAt(phaseRecord(state, phase), "iteration_requirements", "interactive_elicitation");
  const at = isoTime(now);
  const written = Array.isArray(target["selections"]) ? target["selections"] : [];
  const selections = e.selections.map((selection, i): JsonObject => {
    const old = written[i];
    return isObject(old) && old["selection"] === selection ? old : { selection, timestamp: at };
  });
  const last = e.selections.at(-1);
  target["started_at"] ??= at;
  if (last && selections.length > written.length) target["last_selection_at"] = at;
  if (e.menus > (Number(target["menu_interactions"]) || 0)) target["last_menu_at"] = at;
  if (e.completed) target["completed_at"] ??= at;
  Object.assign(target, {
    required: true,
    completed: e.completed,
    menu_interactions: e.menus,
    selections,
    steps_completed: e.steps,
    ...(last && { last_selection: last }),
    ...(e.final && { final_selection: e.final }),
  } satisfies Record<string, Json>);
}

export function startConstitution(
  state: JsonObject,
  phase: string,
  articles: readonly string[],
  max: number,
  now: number,
): void {
  const record = phaseRecord(state, phase);
  if (record["constitutional_validation"]) return;
  record["constitutional_validation"] = {
    required: true,
    completed: false,
    status: "pending",
    iterations_used: 0,
    max_iterations: max,
    articles_required: [...articles],
    articles_checked: [],
    violations_found: [],
    history: [],
    started_at: isoTime(now),
  };
}

/** Keeps the last 20; the same cause is recorded at most once a minute. */
export function recordEscalation(
  state: JsonObject,
  entry: { type: string; hook: string; phase: string; detail: string },
  now: number,
): void {
  const list = Array.isArray(state["pending_escalations"]) ? (state["pending_escalations"] as JsonObject[]) : [];
  const last = list.findLast(
    (e) => e?.["type"] === entry.type && e["hook"] === entry.hook && e["phase"] === entry.phase,
  );
  if (last && now - Date.parse(String(last["timestamp"])) < 60_000) return;
  pushBounded(state, "pending_escalations", { ...entry, timestamp: isoTime(now) }, 20);
}
