// Writes what Interlock observed into the state file, where the framework looks for it. Pure changes, applied by
// `amend`.
// Invariant: other fields are kept; lists are bounded; a file that is not JSON is left as it is.
import type { Json, JsonObject } from "../../../model/json.js";
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

export function writeTests(state: JsonObject, phase: string, tests: TestProgress, max: number): void {
  const t = objectAt(phaseRecord(state, phase), "iteration_requirements", "test_iteration");
  Object.assign(t, {
    required: true,
    completed: tests.completed,
    current_iteration: tests.iteration,
    max_iterations: max,
    failures_count: tests.failures ?? 0,
    identical_failure_count: tests.identical,
    last_test_result: tests.last ?? null,
    last_test_command: tests.command ?? null,
    last_test_at: tests.at ?? null,
  } satisfies Record<string, Json>);
  if (tests.completed) t["status"] = "success";
  if (tests.escalated) Object.assign(t, { status: "escalated", escalation_reason: tests.escalated });
  pushBounded(
    t,
    "history",
    {
      iteration: tests.iteration,
      timestamp: tests.at ?? null,
      command: tests.command ?? null,
      result: tests.last ?? null,
      failures: tests.failures ?? 0,
      error: tests.signature ?? null,
    },
    50,
  );
}

export function writeElicitation(state: JsonObject, phase: string, e: Elicitation, now: number): void {
  const target = objectAt(phaseRecord(state, phase), "iteration_requirements", "interactive_elicitation");
  Object.assign(target, {
    required: true,
    completed: e.completed,
    menu_interactions: e.menus,
    selections: e.selections,
    steps_completed: e.steps,
    final_selection: e.final ?? null,
    last_menu_at: isoTime(now),
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
