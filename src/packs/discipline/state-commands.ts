// What `interlock discipline` and `interlock loop` change in the pack's memories, for one session or all of them.
// Invariant: pure; the caller writes the result as one record. Keys are those of the engine's state slices.

import { type RefusalState, refusals } from "../../facts/repeated-refusals.js";
import type { StateSpec } from "../../model/gate.js";
import type { JsonObject } from "../../model/json.js";
import { clearFailures, type FailureState, failuresMemory } from "./breaker/failures-memory.js";
import type { StartupStep } from "./discipline-options.js";
import { endLoop, type LoopState, loopMemory, loopState, startLoop } from "./loop/loop-memory.js";
import { type PlanState, planMemory } from "./plan/plan-memory.js";
import { type SafemodeState, safemodeMemory, safemodeState } from "./prompts/safemode-memory.js";
import { type ReleaseState, releaseMemory, releaseState } from "./release/release-memory.js";
import { type ResearchState, researchMemory } from "./research/research-memory.js";
import { type ProgressState, progressMemory } from "./session/progress-memory.js";
import { type WorkState, workMemory } from "./verification/work-memory.js";

/** New values of state slices, by key. */
export type NextSlices = Record<string, unknown>;

const value = <S>(state: JsonObject, key: string, spec: StateSpec<S>): S =>
  structuredClone((state[key] as S | undefined) ?? spec.initial);

/** The slices of a memory kept per session, with their keys. */
export function sessionSlices<S>(state: JsonObject, id: string, session?: string): [string, S][] {
  return Object.entries(state)
    .filter(([key]) => key.startsWith(`${id}@`) && (session === undefined || key === `${id}@${session}`))
    .map(([key, slice]) => [key, structuredClone(slice) as S]);
}

const each = <S>(state: JsonObject, id: string, session: string | undefined, change: (s: S) => void): NextSlices =>
  Object.fromEntries(
    sessionSlices<S>(state, id, session).map(([key, slice]) => {
      change(slice);
      return [key, slice];
    }),
  );

export const setSafemode = (state: JsonObject, on: boolean, now: number): NextSlices => {
  const current = value<SafemodeState>(state, safemodeMemory.id, safemodeState);
  return { [safemodeMemory.id]: current.on === on ? current : { on, since: now } };
};

export const resetBreaker = (state: JsonObject, session?: string): NextSlices =>
  each<FailureState>(state, failuresMemory.id, session, clearFailures);

export const resetResearch = (state: JsonObject, session?: string): NextSlices =>
  each<ResearchState>(
    state,
    researchMemory.id,
    session,
    (s) => void Object.assign(s, { marks: {}, failed: {}, empty: 0 }),
  );

export const resetBlocks = (state: JsonObject, session?: string): NextSlices =>
  each<RefusalState>(state, refusals.id, session, (s) => void (s.repeats = []));

export const approvePlan = (state: JsonObject, session?: string): NextSlices =>
  each<PlanState>(state, planMemory.id, session, (s) => void (s.approved = true));

/** Marks all start-up steps as done, also for sessions that have only been refused so far. */
export function finishStartup(state: JsonObject, steps: readonly StartupStep[], session?: string): NextSlices {
  const known = [progressMemory.id, refusals.id].flatMap((id) =>
    sessionSlices(state, id, session).map(([key]) => key.slice(id.length + 1)),
  );
  return Object.fromEntries(
    [...new Set(known)].map((one) => {
      const key = `${progressMemory.id}@${one}`;
      const { read, ran, ...rest } = value<ProgressState>(state, key, progressMemory.state);
      return [
        key,
        {
          ...rest,
          ran: [...new Set([...ran, ...steps.map((step) => step.id)])],
          read: [...new Set([...read, ...steps.flatMap((step) => step.read ?? [])])],
        },
      ];
    }),
  );
}

export function clearRelease(state: JsonObject, rule: string, commit: string, until: number, by: string): NextSlices {
  const current = value<ReleaseState>(state, releaseMemory.id, releaseState);
  const others = current.clearances.filter((c) => c.rule !== rule).slice(-20);
  return { [releaseMemory.id]: { ...current, clearances: [...others, { rule, commit, until, by }] } };
}

/** The answer to a loop command, and the new state if it changes something. */
export interface LoopAnswer {
  ok: boolean;
  says: string;
  next?: NextSlices;
}

export const loopOf = (state: JsonObject): LoopState => value(state, loopMemory.id, loopState);

export function beginLoop(
  state: JsonObject,
  task: string,
  criteria: readonly string[],
  max: number,
  now: number,
): LoopAnswer {
  const current = loopOf(state);
  if (current.active)
    return { ok: false, says: "A loop is active already: interlock loop status. Complete or cancel it first." };
  const active = startLoop(
    task,
    criteria.filter((c) => c.trim()),
    max,
    now,
  );
  return {
    ok: true,
    says: `Loop started: ${active.criteria.length} criteria, at most ${max} iterations.`,
    next: { [loopMemory.id]: { ...current, active } },
  };
}

export function tickCriterion(state: JsonObject, number: number, now: number): LoopAnswer {
  const current = loopOf(state);
  const { active } = current;
  if (!active) return noLoop;
  const criterion = active.criteria[number - 1];
  if (!criterion) return { ok: false, says: `There is no criterion ${number}; there are ${active.criteria.length}.` };
  criterion.at ??= now;
  const open = active.criteria.filter((c) => c.at === undefined).length;
  return {
    ok: true,
    says: open ? `Ticked. ${open} to go.` : "Ticked, all are met. Finish with: interlock loop complete",
    next: { [loopMemory.id]: current },
  };
}

export function logIteration(state: JsonObject, action: string, result: string, now: number): LoopAnswer {
  const current = loopOf(state);
  const { active } = current;
  if (!active) return noLoop;
  active.iteration++;
  active.log = [...active.log, { at: now, action: action.slice(0, 200), result: result.slice(0, 200) }].slice(-50);
  const left = active.max - active.iteration;
  return {
    ok: true,
    says:
      left > 0
        ? `Iteration ${active.iteration} of ${active.max}.`
        : "That was the last iteration: complete the loop, or cancel it and report.",
    next: { [loopMemory.id]: current },
  };
}

export function finishLoop(state: JsonObject, ended: "completed" | "cancelled", now: number): LoopAnswer {
  const current = loopOf(state);
  const { active } = current;
  if (!active) return noLoop;
  if (ended === "completed") {
    const open = active.criteria.flatMap((c, i) => (c.at === undefined ? [`${i + 1}. ${c.text}`] : []));
    if (open.length) return { ok: false, says: `Not yet met: ${open.join("; ")}` };
    const unproved = sessionSlices<WorkState>(state, workMemory.id).flatMap(([, w]) =>
      w.lastEditAt >= active.startedAt ? w.unverified : [],
    );
    if (unproved.length)
      return {
        ok: false,
        says: `Edited and not verified since: ${unproved.slice(0, 5).join(", ")}. Run the tests first.`,
      };
  }
  endLoop(current, ended, now);
  return { ok: true, says: `Loop ${ended}.`, next: { [loopMemory.id]: current } };
}

const noLoop: LoopAnswer = {
  ok: false,
  says: 'No loop is active. Start one: interlock loop start "<task>" --criterion "<what must hold>"',
};
