// Bounds the engine sets for every gate: how often the end of a turn may be refused, and how long the state of a silent
// session is kept.
// Invariant: no gate can hold an agent in a loop; hosts without their own limit (Codex, Gemini) depend on this one.
import type { Event } from "../model/event.js";
import type { Memory } from "../model/gate.js";
import { at } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import type { Judgement } from "./judge.js";
import { sessionKey } from "./slices.js";

const stopsSpec = { scope: "agent" as const, initial: { blocked: 0 } };

/** Softens a refused turn end once the limit is reached; a new prompt or a passed end starts the count again. */
export function boundStops(event: Event, judgement: Judgement, limit: number): void {
  if (!judgement.slices) return;
  const ends = event.kind === "turn.end" || event.kind === "agent.end";
  if (!ends && event.kind !== "prompt") return;
  const state = judgement.slices.slice("engine/stops", stopsSpec);
  const refused = judgement.opinions.filter((j) => j.opinion.kind === "deny" && j.mode === "enforce" && !j.lifted);
  if (!ends || !refused.length) {
    if (state.value.blocked) state.update((s) => void (s.blocked = 0));
    return;
  }
  if (state.value.blocked >= limit) {
    for (const judged of refused) judged.lifted = `the end of this turn was refused ${limit} times already`;
    state.update((s) => void (s.blocked = 0));
  } else {
    state.update((s) => void s.blocked++);
  }
}

const day = 24 * 3600_000;

/** When each session was last heard of, to the hour. */
export const sessions: Memory<{ seen: Record<string, number> }> = {
  id: "engine/sessions",
  on: at("session.start", "prompt", "session.end"),
  state: { scope: "project", initial: { seen: {} } },
  learn({ event, state, now }) {
    const key = sessionKey(event);
    if (now - (state.value.seen[key] ?? 0) > 3600_000) state.update((s) => void (s.seen[key] = now));
  },
};

/** A patch that forgets the slices of sessions silent for 30 days; only computed when a session starts. */
export function forgetOldSessions(event: Event, state: JsonObject, now: number): JsonObject | undefined {
  if (event.kind !== "session.start") return undefined;
  const seen = (state[sessions.id] as { seen?: Record<string, number> } | undefined)?.seen ?? {};
  const old = Object.keys(seen).filter((key) => now - seen[key]! > 30 * day);
  if (!old.length) return undefined;
  const patch: JsonObject = { [sessions.id]: { seen: Object.fromEntries(old.map((key) => [key, null])) } };
  for (const slice of Object.keys(state))
    if (old.some((key) => slice.endsWith(key) || slice.includes(`${key}/`))) patch[slice] = null;
  return patch;
}
