// What the terminal does to the pack's memories: the same as the prompt commands, over the whole state, for one session or all.
// Invariant: pure; the caller writes what comes back as one record. Keys are those of the engine's slices.

import { type RefusalState, refusals } from "../../facts/repeated-refusals.js";
import type { StateSpec } from "../../model/gate.js";
import type { JsonObject } from "../../model/json.js";
import { clear, type FailureState, failures } from "./breaker/failures-memory.js";
import type { StartupStep } from "./discipline-options.js";
import { end, type LoopState, loop, loopState, startLoop } from "./loop/loop-memory.js";
import { type PlanState, plan } from "./plan/plan-memory.js";
import { type SafemodeState, safemode, safemodeState } from "./prompts/safemode-memory.js";
import { type ReleaseState, release, releaseState } from "./release/release-memory.js";
import { type ResearchState, research } from "./research/research-memory.js";
import { type SeenState, seen } from "./session/progress-memory.js";
import { type WorkState, work } from "./verification/work-memory.js";

/** The next values of slices, by key. */
export type Next = Record<string, unknown>;

const value = <S>(state: JsonObject, key: string, spec: StateSpec<S>): S =>
  structuredClone((state[key] as S | undefined) ?? spec.initial);

/** The slices of a session-wide memory, by session key. */
export function slices<S>(state: JsonObject, id: string, session?: string): [string, S][] {
  return Object.entries(state)
    .filter(([key]) => key.startsWith(`${id}@`) && (session === undefined || key === `${id}@${session}`))
    .map(([key, slice]) => [key, structuredClone(slice) as S]);
}

const each = <S>(state: JsonObject, id: string, session: string | undefined, change: (s: S) => void): Next =>
  Object.fromEntries(
    slices<S>(state, id, session).map(([key, slice]) => {
      change(slice);
      return [key, slice];
    }),
  );

export const setSafemode = (state: JsonObject, on: boolean, now: number): Next => {
  const current = value<SafemodeState>(state, safemode.id, safemodeState);
  return { [safemode.id]: current.on === on ? current : { on, since: now } };
};

export const resetBreaker = (state: JsonObject, session?: string): Next =>
  each<FailureState>(state, failures.id, session, clear);

export const resetResearch = (state: JsonObject, session?: string): Next =>
  each<ResearchState>(state, research.id, session, (s) => void Object.assign(s, { marks: {}, failed: {}, empty: 0 }));

export const resetBlocks = (state: JsonObject, session?: string): Next =>
  each<RefusalState>(state, refusals.id, session, (s) => void (s.repeats = []));

export const approvePlan = (state: JsonObject, session?: string): Next =>
  each<PlanState>(state, plan.id, session, (s) => void (s.approved = true));

/** The steps no session can take here count as taken, also for one that was only refused so far. */
export function finishStartup(state: JsonObject, steps: readonly StartupStep[], session?: string): Next {
  const known = [seen.id, refusals.id].flatMap((id) =>
    slices(state, id, session).map(([key]) => key.slice(id.length + 1)),
  );
  return Object.fromEntries(
    [...new Set(known)].map((one) => {
      const key = `${seen.id}@${one}`;
      const { read, ran, ...rest } = value<SeenState>(state, key, seen.state);
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

export function clearRelease(state: JsonObject, rule: string, commit: string, until: number, by: string): Next {
  const current = value<ReleaseState>(state, release.id, releaseState);
  const others = current.clearances.filter((c) => c.rule !== rule).slice(-20);
  return { [release.id]: { ...current, clearances: [...others, { rule, commit, until, by }] } };
}

/** A loop command: what it says, and the next state when it changes something. */
export interface LoopAnswer {
  ok: boolean;
  says: string;
  next?: Next;
}

export const loopOf = (state: JsonObject): LoopState => value(state, loop.id, loopState);

export function beginLoop(
  state: JsonObject,
  task: string,
  criteria: readonly string[],
  max: number,
  now: number,
): LoopAnswer {
  const current = loopOf(state);
  if (current.active)
    return { ok: false, says: `A loop is active already: ${current.active.task}. Complete or cancel it first.` };
  const active = startLoop(
    task,
    criteria.filter((c) => c.trim()),
    max,
    now,
  );
  return {
    ok: true,
    says: `Loop started: ${active.criteria.length} criteria, at most ${max} iterations.`,
    next: { [loop.id]: { ...current, active } },
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
    next: { [loop.id]: current },
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
    next: { [loop.id]: current },
  };
}

export function finishLoop(state: JsonObject, ended: "completed" | "cancelled", now: number): LoopAnswer {
  const current = loopOf(state);
  const { active } = current;
  if (!active) return noLoop;
  if (ended === "completed") {
    const open = active.criteria.flatMap((c, i) => (c.at === undefined ? [`${i + 1}. ${c.text}`] : []));
    if (open.length) return { ok: false, says: `Not yet met: ${open.join("; ")}` };
    const unproved = slices<WorkState>(state, work.id).flatMap(([, w]) =>
      w.lastEditAt >= active.startedAt ? w.unverified : [],
    );
    if (unproved.length)
      return {
        ok: false,
        says: `Edited and not verified since: ${unproved.slice(0, 5).join(", ")}. Run the tests first.`,
      };
  }
  end(current, ended, now);
  return { ok: true, says: `Loop ${ended}.`, next: { [loop.id]: current } };
}

const noLoop: LoopAnswer = {
  ok: false,
  says: 'No loop is active. Start one: interlock loop start "<task>" --criterion "<what must hold>"',
};
