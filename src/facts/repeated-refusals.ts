// How often the same refusal was given, so that the words can change instead of repeating themselves.
// Invariant: counted per agent of a session (a sub-agent has not read what its parent was told), by gate and reason and
// apart for each action, over half an hour; any prompt of a person starts again; at most twenty are kept.

import type { Judgement } from "../engine/judge.js";
import { at, type Memory } from "../model/gate.js";
import type { Repeats } from "../model/refusal.js";
import { speakerOf } from "../model/verdict.js";
import type { Facts } from "./index.js";

export interface RefusalState {
  /** Since the session began. */
  total: number;
  gates: Record<string, number>;
  /** Refusals a person lifted. */
  overrides: number;
  /** By a mask of agent, gate and reason; `actions`: how often by a mask of the action, only the newest few. */
  repeats: { key: string; times: number; at: number; actions?: Record<string, number> }[];
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

/** Counts the refusal that will be the answer; returns how often it was given, this time included. */
export function countRefusal({ event, mask }: Facts, judgement: Judgement, now: number): Repeats {
  const once = { action: 1, reason: 1 };
  if (judgement.used.length && judgement.slices)
    judgement.slices.slice(refusals.id, refusals.state).update((s) => void (s.overrides += judgement.used.length));
  const answer = speakerOf(judgement.opinions);
  if (!answer || !judgement.slices) return once;
  const key = mask(`${event.agent?.id ?? ""}\n${answer.gate}\n${answer.opinion.why}`.slice(0, 300));
  const state = judgement.slices.slice(refusals.id, refusals.state);
  const counted = event.kind === "tool.before";
  const before = counted ? state.value.repeats.find((r) => r.key === key && now - r.at < windowMs) : undefined;
  const action = mask(actionText(event));
  const repeats = { action: (before?.actions?.[action] ?? 0) + 1, reason: (before?.times ?? 0) + 1 };
  state.update((s) => {
    s.total++;
    s.gates[answer.gate] = (s.gates[answer.gate] ?? 0) + 1;
    if (!counted) return;
    const { [action]: _, ...others } = before?.actions ?? {};
    const actions = Object.fromEntries([...Object.entries(others), [action, repeats.action]].slice(-actionsKept));
    const row = { key, times: repeats.reason, at: now, actions };
    s.repeats = [...s.repeats.filter((r) => r.key !== key), row].slice(-kept);
  });
  return repeats;
}

const actionsKept = 8;

/** The same tool with the same input in the same folder; what only describes a call or limits its time is left out. */
function actionText({ tool, cwd, kind }: Facts["event"]): string {
  const { description: _d, timeout: _t, ...input } = tool?.input ?? {};
  return JSON.stringify([tool?.name ?? kind, input, cwd]);
}
