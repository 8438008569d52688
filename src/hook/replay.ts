// The record of an event that comes a second time because its worker died: it is the answer, and no second one is made.
// Invariant: only a record made since the event first came counts, of the same session, event and action.
import { actionDigest } from "../engine/overrides/override.js";
import { monotonic } from "../model/clock.js";
import type { Event } from "../model/event.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { Verdict } from "../model/verdict.js";
import type { Store } from "../store/index.js";

/** How many records to search: a worker never has more calls than that. */
const searched = 2_500;
/** A worker that dies leaves many calls at once; one search of the ledger serves all of them. */
const goodForMs = 2_000;

interface Search {
  until: number;
  /** The newest record it saw. */
  seq: number;
  /** Records by the identity of their event, oldest first. */
  found: Map<string, { mono: number; verdict: JsonObject }[]>;
}

const searches = new WeakMap<Store, Search>();

/** `since`: when it first came, in monotonic milliseconds. The record has no context and messages of the verdict. */
export function recordedVerdict(store: Store, event: Event, since: number): { verdict?: Verdict; seq: number } {
  const now = monotonic();
  let search = searches.get(store);
  if (!search || search.until < now || search.until < since)
    searches.set(store, (search = searchLedger(store, now + goodForMs)));
  const name = identityOf(event.session, event.hostEvent, actionDigest(event), event.tool?.id);
  const last = search.found.get(name)?.findLast(({ mono }) => mono >= since);
  const verdict = last && ({ ...last.verdict, context: [], messages: [] } as unknown as Verdict);
  return { verdict, seq: search.seq };
}

/** The same for records written while the event was being judged: from this number on. */
export function recordedMeanwhile(store: Store, event: Event, from: number): Verdict | undefined {
  const name = identityOf(event.session, event.hostEvent, actionDigest(event), event.tool?.id);
  const last = recordsFrom(store, from).get(name)?.at(-1);
  return last && ({ ...last.verdict, context: [], messages: [] } as unknown as Verdict);
}

function searchLedger(store: Store, until: number): Search {
  const { seq } = store.read();
  return { until, seq, found: recordsFrom(store, Math.max(1, seq - searched)) };
}

function recordsFrom(store: Store, from: number): Search["found"] {
  const found: Search["found"] = new Map();
  for (const { type, session, mono, body } of store.records({ from })) {
    const { hostEvent, digest, tool, verdict } = body;
    if (type !== "event" || !isObject(verdict)) continue;
    const name = identityOf(session ?? "", hostEvent, digest, isObject(tool) ? tool["id"] : undefined);
    found.set(name, [...(found.get(name) ?? []), { mono: Number(mono) / 1e6, verdict }]);
  }
  return found;
}

const identityOf = (...parts: unknown[]): string => JSON.stringify(parts);
