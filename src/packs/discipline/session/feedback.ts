// What a person said about refusals, and the figures of all sessions: refusals right and wrong, doom loops, their cost.
// Invariant: pure over the state; a verdict counts once, by the newest word on it.
import type { JsonObject } from "../../../model/json.js";
import type { HistoryState } from "./history-memory.js";

export const feedbackKey = "discipline/feedback";

export interface FeedbackState {
  verdicts: Record<string, { gate: string; said: "right" | "wrong"; at: number }>;
}

export const feedbackOf = (state: JsonObject): FeedbackState =>
  (state[feedbackKey] as unknown as FeedbackState | undefined) ?? { verdicts: {} };

export interface ValidationMetrics {
  sessions: number;
  testsPassing: number;
  breakerTripped: number;
  refusals: number;
  overrides: number;
  right: number;
  wrong: number;
  byGate: Record<string, { right: number; wrong: number }>;
  doomLoops: { caught: number; missed: number; failedCalls: number; minutes: number };
}

export function validationMetrics(history: Readonly<HistoryState>, state: JsonObject): ValidationMetrics {
  const { sessions } = history;
  const sum = (of: (s: (typeof sessions)[number]) => number) => sessions.reduce((n, s) => n + of(s), 0);
  const byGate: ValidationMetrics["byGate"] = {};
  for (const { gate, said } of Object.values(feedbackOf(state).verdicts))
    (byGate[gate] ??= { right: 0, wrong: 0 })[said]++;
  const judged = Object.values(byGate);
  return {
    sessions: sessions.length,
    testsPassing: sessions.filter((s) => s.passing > 0 && s.unverified === 0).length,
    breakerTripped: sessions.filter((s) => s.trips > 0).length,
    refusals: sum((s) => s.blocks),
    overrides: sum((s) => s.overrides),
    right: judged.reduce((n, g) => n + g.right, 0),
    wrong: judged.reduce((n, g) => n + g.wrong, 0),
    byGate,
    doomLoops: {
      caught: sum((s) => s.loops?.caught ?? 0),
      missed: sum((s) => s.loops?.missed ?? 0),
      failedCalls: sum((s) => s.loops?.failures ?? 0),
      minutes: Math.round(sum((s) => s.loops?.ms ?? 0) / 60_000),
    },
  };
}

export function metricsLines(m: ValidationMetrics): string[] {
  const { caught, missed, failedCalls, minutes } = m.doomLoops;
  return [
    `Sessions on record: ${m.sessions}; ${m.testsPassing} ended with passing tests, ` +
      `${m.breakerTripped} tripped the breaker.`,
    `Refusals: ${m.refusals}; ${m.overrides} were overridden. Judged by a person: ${m.right} right, ${m.wrong} wrong.`,
    ...Object.entries(m.byGate).map(([gate, g]) => `  ${gate}: ${g.right} right, ${g.wrong} wrong`),
    `Doom loops: ${caught} caught, ${missed} went on all the same; ` +
      `they cost ${failedCalls} failed calls and ${minutes} min.`,
    "Say what a refusal was worth: interlock feedback v-12 right|wrong",
  ];
}
