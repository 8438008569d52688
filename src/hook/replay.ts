// An event that comes a second time because whoever was at it died: what was recorded of it is the answer, and it is not recorded twice.
// Invariant: only a record made since the event first came counts, of the same session, event and action.

import { actionDigest } from "../engine/overrides/override.js";
import { monotonic } from "../model/clock.js";
import type { Event } from "../model/event.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { Verdict } from "../model/verdict.js";
import type { Store } from "../store/index.js";

/** How many records may have come after it: the process that died had no more calls than that. */
const lookedBack = 2_500;
/** Who dies leaves many calls at once; one look at the ledger will do for all of them. */
const goodForMs = 2_000;

interface Look {
  until: number;
  /** By what the event is known by: its records, oldest first. */
  found: Map<string, { mono: number; verdict: JsonObject }[]>;
}

const looks = new WeakMap<Store, Look>();

/** `since`: when it first came, in monotonic milliseconds. What the verdict told besides its text is not in the record. */
export function verdictGiven(store: Store, event: Event, since: number): Verdict | undefined {
  const now = monotonic();
  let look = looks.get(store);
  if (!look || look.until < now || look.until < since) looks.set(store, (look = lookAt(store, now + goodForMs)));
  const name = nameOf(event.session, event.hostEvent, actionDigest(event), event.tool?.id);
  const last = look.found.get(name)?.findLast(({ mono }) => mono >= since);
  return last && ({ ...last.verdict, context: [], messages: [] } as unknown as Verdict);
}

function lookAt(store: Store, until: number): Look {
  const found: Look["found"] = new Map();
  for (const { type, session, mono, body } of store.records({ from: Math.max(1, store.read().seq - lookedBack) })) {
    const { hostEvent, digest, tool, verdict } = body;
    if (type !== "event" || !isObject(verdict)) continue;
    const name = nameOf(session ?? "", hostEvent, digest, isObject(tool) ? tool["id"] : undefined);
    found.set(name, [...(found.get(name) ?? []), { mono: Number(mono) / 1e6, verdict }]);
  }
  return { until, found };
}

const nameOf = (...parts: unknown[]): string => JSON.stringify(parts);
