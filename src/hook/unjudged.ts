// The answer of whoever has to answer without the engine. Small, so that a hook that gives up loads nothing else.
// Invariant: what can be refused is refused; for the rest the person is told.
import { noteOfPayload, noteUnrecorded } from "../engine/unrecorded-notes.js";
import { encode, encodeRefusal } from "../hosts/claude-code/protocol/encode.js";
import { hostEvent } from "../hosts/claude-code/protocol/events.js";
import { type BuiltInRefusalId, builtInRefusal } from "../model/refusal.js";

export function unjudged(event: string, why: string, id: BuiltInRefusalId = "interlock/server"): string {
  if (!hostEvent(event).failClosed) return encodeMessage(event, why);
  return encodeRefusal(event, builtInRefusal(id, why));
}

export const encodeMessage = (event: string, why: string): string =>
  encode({ outcome: "pass", context: [], messages: [`Interlock could not judge this event: ${why}`] }, event);

/** Leaves a note of an event that nobody judged; the next one to write the record says so. */
export function noteUnjudged(home: string, event: string, payload: Buffer): void {
  const note = noteOfPayload(event, payload);
  if (note) noteUnrecorded(home, note);
}
