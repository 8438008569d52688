// Records a refusal that no gate gave, so that `interlock why` can show it.
// Invariant: never throws; returns the verdict's id, or undefined where the record cannot be written.
import { actionDigest } from "../engine/overrides/override.js";
import { eventBody, opinionBody } from "../engine/record.js";
import type { Event } from "../model/event.js";
import type { JsonObject } from "../model/json.js";
import { type BuiltInRefusalId, builtInDeny, refusal } from "../model/refusal.js";
import type { Verdict } from "../model/verdict.js";
import type { RecordDraft, Store } from "../store/index.js";

/** A call that was refused because judging it failed. */
export function recordFault(store: Store, event: Event, gate: BuiltInRefusalId, why: string): string | undefined {
  return recordRefusal(store, gate, why, (verdict) => ({
    type: "event",
    host: event.host,
    session: event.session,
    agent: event.agent?.id,
    body: eventBody(event, verdict, actionDigest(event)),
  }));
}

/** `draft` gets the verdict; its opinion and fault are added here. */
export function recordRefusal(
  store: Store,
  gate: BuiltInRefusalId,
  why: string,
  draft: (verdict: Pick<Verdict, "id" | "outcome" | "gate" | "text">) => RecordDraft,
): string | undefined {
  const opinion = builtInDeny(gate, why);
  const shown: JsonObject = {
    opinions: [opinionBody({ gate, mode: "enforce", opinion })],
    faults: [{ gate, policy: "deny", message: why }],
  };
  try {
    const written = store.append(({ seq }) => {
      const id = `v-${seq + 1}`;
      const made = draft({ id, outcome: "deny", gate, text: refusal(gate, id, opinion) });
      return { ...made, ids: [id], body: { ...made.body, ...shown } };
    });
    return written?.record.ids?.[0];
  } catch {
    return undefined; // the record is what is broken
  }
}
