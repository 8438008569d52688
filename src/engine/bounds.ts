// Bounds the engine sets for every gate: how often the end of a turn may be refused, and how long the state of a silent
// session is kept.
// Invariant: no gate can hold an agent in a loop; hosts without their own limit (Codex, Gemini) depend on this one.
import type { Event } from "../model/event.js";
import type { JsonObject } from "../model/json.js";
import type { Snapshot } from "../store/index.js";
import type { Judgement } from "./judge.js";
import { sessionName } from "./slices.js";

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

const month = 30 * 24 * 3600_000;
/** Once the times of all sessions; the record keeps them itself now. */
const formerSlice = "engine/sessions";

/** A patch that forgets the slices of sessions silent for 30 days; only computed when a session starts. */
export function forgetOldSessions(event: Event, snapshot: Snapshot, now: number): JsonObject | undefined {
  if (event.kind !== "session.start") return undefined;
  const own = `@${sessionName(event)}`;
  const old = snapshot.silentSlices(now - month).filter((key) => !`${key}/`.includes(`${own}/`));
  if (snapshot.state[formerSlice] !== undefined) old.push(formerSlice);
  return old.length ? Object.fromEntries(old.map((key) => [key, null])) : undefined;
}
