// How a record moves the head of the ledger on.
// Invariant: pure; the state is the fold of the patches, nothing else changes it.

import type { JsonObject } from "../../model/json.js";
import type { Head } from "../signed-files.js";
import type { LedgerRecord } from "../types.js";
import { mergePatch } from "./merge-patch.js";

export function nextHead(
  head: Head | undefined,
  record: LedgerRecord,
  place: Pick<Head, "segment" | "start" | "end" | "lines" | "count">,
): Head {
  const { seq, hash, time, mono, boot } = record;
  const state = fold(record.base?.state ?? head?.state ?? {}, record);
  return { seq, hash, time, mono, boot, ...place, sealed: sealedFrom(record) ?? head?.sealed, state };
}

/** A `seal` record names the segment it begins, from which on keys are sealed. */
function sealedFrom(record: LedgerRecord): number | undefined {
  return record.type === "seal" && typeof record.body["from"] === "number" ? record.body["from"] : undefined;
}

export const fold = (state: JsonObject, record: Pick<LedgerRecord, "patch">): JsonObject =>
  record.patch ? (mergePatch(state, record.patch) as JsonObject) : state;
