// How a record moves the head of the ledger on.
// Invariant: pure, unless the head is the caller's own; the state is the fold of the patches, nothing else changes it.

import type { Head } from "../signed-files.js";
import type { LedgerRecord } from "../types.js";
import { foldInto } from "./merge-patch.js";
import { allLive, noteChanges } from "./session-archive.js";

/** `owned`: nobody else has this head, so its state is changed instead of copied. The sessions that the patch changes
 * stand in the head's state (`bringSessions`). */
export function nextHead(
  head: Head | undefined,
  record: LedgerRecord,
  place: Pick<Head, "segment" | "start" | "end" | "lines" | "count">,
  owned = false,
): Head {
  const { seq, hash, time, mono, boot, base, patch } = record;
  const whole = base && { state: base.state, live: allLive(base.state, seq, time), archive: {} };
  const from = whole ?? head ?? { state: {}, live: {}, archive: {} };
  const mine = owned || whole !== undefined;
  const state = mine ? from.state : { ...from.state };
  const live = mine ? from.live : { ...from.live };
  if (patch) {
    foldInto(state, patch);
    noteChanges(live, patch, seq, time);
  }
  const { archive } = from;
  const brought = whole ? undefined : head?.brought;
  const sealed = sealedFrom(record) ?? head?.sealed;
  return { seq, hash, time, mono, boot, ...place, sealed, state, live, archive, ...(brought && { brought }) };
}

/** A `seal` record names the segment it begins, from which on keys are sealed. */
function sealedFrom(record: LedgerRecord): number | undefined {
  return record.type === "seal" && typeof record.body["from"] === "number" ? record.body["from"] : undefined;
}
