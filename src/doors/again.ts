// An event that comes a second time because whoever was at it died: what was recorded of it is the answer, and it is not recorded twice.
// Invariant: only a record made since the event first came counts, of the same session, event and action.
import type { Event } from "../engine/event.js";
import { isObject, type JsonObject } from "../engine/json.js";
import { actionDigest } from "../engine/override.js";
import type { Verdict } from "../engine/verdict.js";
import type { Store } from "../store/index.js";

/** How many records may have come after it: the process that died had no more calls than that. */
const lookedBack = 2_500;

/** `since`: when it first came, in monotonic milliseconds. What the verdict told besides its text is not in the record. */
export function verdictGiven(store: Store, event: Event, since: number): Verdict | undefined {
  const digest = actionDigest(event);
  const from = Math.max(1, store.read().seq - lookedBack);
  let found: JsonObject | undefined;
  for (const { type, session, mono, body } of store.records({ from })) {
    const same =
      type === "event" &&
      session === event.session &&
      body["hostEvent"] === event.hostEvent &&
      body["digest"] === digest &&
      toolId(body) === event.tool?.id &&
      Number(mono) / 1e6 >= since;
    if (same && isObject(body["verdict"])) found = body["verdict"];
  }
  return found && ({ ...found, context: [], messages: [] } as unknown as Verdict);
}

const toolId = (body: JsonObject): unknown => (isObject(body["tool"]) ? body["tool"]["id"] : undefined);
