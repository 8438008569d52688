// The phase records as `interlock kit` changes them: a phase starts, a phase ends, dead ones are forgotten.
// Invariant: pure over the project's state; the caller writes the result in one signed record.
import type { JsonObject } from "../../model/json.js";
import { type AllowedChange, type AllowedChanges, allowedChanges } from "./allowed-changes.js";
import { type KitPhaseState, type PhaseRecord, phaseMemory, sessionRunMemory } from "./phase-memory.js";

const stateIn = (state: JsonObject): KitPhaseState =>
  (state[phaseMemory.id] as KitPhaseState | undefined) ?? { runs: {} };

/** `isAlive`: whether a process of this machine still runs; the records of dead ones go. */
export function startedPhase(
  state: JsonObject,
  record: PhaseRecord,
  isAlive: (pid: number) => boolean = () => true,
): { next: Record<string, unknown> } {
  const living = Object.entries(stateIn(state).runs).filter(([, r]) => isAlive(r.pid));
  return { next: { [phaseMemory.id]: { runs: { ...Object.fromEntries(living), [record.run]: record } } } };
}

export function endedPhase(state: JsonObject, run: string): { next: Record<string, unknown> } {
  const { [run]: _, ...rest } = stateIn(state).runs;
  const { [run]: __, ...allowed } = allowedIn(state).runs;
  return { next: { [phaseMemory.id]: { runs: rest }, [allowedChanges.id]: { runs: allowed } } };
}

const allowedIn = (state: JsonObject): AllowedChanges =>
  (state[allowedChanges.id] as AllowedChanges | undefined) ?? { runs: {} };

/** The locked files of the run as calls left them that a person allowed, as far as events show. */
export const allowedOf = (state: JsonObject, run: string): Record<string, AllowedChange> =>
  allowedIn(state).runs[run] ?? {};

/** Files a run made go to the runs above it, whose own rules did not allow them. */
export function madeBelow(
  state: JsonObject,
  parent: string | undefined,
  files: Readonly<Record<string, string>>,
): { next: Record<string, unknown> } {
  const { runs } = stateIn(state);
  const next = { ...runs };
  for (let at = parent; at !== undefined && Object.hasOwn(next, at); at = next[at]!.parent)
    next[at] = {
      ...next[at]!,
      made: Object.fromEntries(Object.entries({ ...next[at]!.made, ...files }).slice(-mostMade)),
    };
  return { next: { [phaseMemory.id]: { runs: next } } };
}

const mostMade = 400;

export const recordedPhase = (state: JsonObject, run: string): PhaseRecord | undefined => {
  const { runs } = stateIn(state);
  return Object.hasOwn(runs, run) ? runs[run] : undefined;
};

/** The sessions whose hooks named this run. */
export function sessionsOf(state: JsonObject, run: string): string[] {
  const prefix = `${sessionRunMemory.id}@`;
  return Object.entries(state).flatMap(([key, value]) =>
    key.startsWith(prefix) && (value as { run?: string } | null)?.run === run ? [key.slice(prefix.length)] : [],
  );
}
