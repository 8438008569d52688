// How often the same refusal was given, so that the words can change instead of repeating themselves.
// Invariant: counted per agent of a session (a sub-agent has not read what its parent was told), by gate and reason,
// over half an hour; any prompt of a person starts again; at most twenty are kept.

import type { Judgement } from "../engine/judge.js";
import { at, type Memory } from "../model/gate.js";
import type { Facts } from "./index.js";

export interface RefusalState {
  /** Since the session began. */
  total: number;
  gates: Record<string, number>;
  /** Refusals a person lifted. */
  overrides: number;
  /** By a mask of agent, gate and reason. */
  repeats: { key: string; times: number; at: number }[];
}

const windowMs = 30 * 60_000;
const kept = 20;

export const refusals: Memory<RefusalState> = {
  id: "engine/refusals",
  on: at("prompt"),
  state: { scope: "session", initial: { total: 0, gates: {}, overrides: 0, repeats: [] } },
  learn({ event, state }) {
    if (!event.prompt?.machine && state.value.repeats.length) state.update((s) => void (s.repeats = []));
  },
};

/** Counts the refusal that will be the answer; returns how often it was given in a row, this time included. */
export function countRefusal({ event, mask }: Facts, judgement: Judgement, now: number): number {
  if (judgement.used.length && judgement.slices)
    judgement.slices.slice(refusals.id, refusals.state).update((s) => void (s.overrides += judgement.used.length));
  const answer = judgement.opinions.find((j) => j.opinion.kind === "deny" && j.mode === "enforce" && !j.lifted);
  if (answer?.opinion.kind !== "deny" || !judgement.slices) return 1;
  const key = mask(`${event.agent?.id ?? ""}\n${answer.gate}\n${answer.opinion.why}`.slice(0, 300));
  const state = judgement.slices.slice(refusals.id, refusals.state);
  const before = state.value.repeats.find((r) => r.key === key && now - r.at < windowMs);
  const times = event.kind === "tool.before" ? (before?.times ?? 0) + 1 : 1;
  state.update((s) => {
    s.total++;
    s.gates[answer.gate] = (s.gates[answer.gate] ?? 0) + 1;
    if (event.kind === "tool.before")
      s.repeats = [...s.repeats.filter((r) => r.key !== key), { key, times, at: now }].slice(-kept);
  });
  return times;
}
