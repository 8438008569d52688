// Checks one line of the ledger in its place.
// Invariant: a line that is not exactly what was written there is named as a problem, never guessed at.

import { isObject } from "../../model/json.js";
import { sha256 } from "../../model/sha256.js";
import type { LedgerRecord } from "../types.js";
import { decodeLine, type Problem, recordMac, type SigningKey } from "./frame.js";
import { upgradeRecord } from "./upgrade.js";

export interface Expected {
  seq: number;
  prev: string;
}

/** Checks one line where `expected` should stand; with no key, everything but the mac. */
export function checkLine(
  bytes: Buffer,
  id: string,
  key: SigningKey | undefined,
  expected: Expected | undefined,
): { record: LedgerRecord } | (Problem & { record?: LedgerRecord }) {
  const line = decodeLine(bytes);
  if ("problem" in line) return line;
  if (sha256(line.payload) !== line.hash) return { problem: "hash", what: "its content does not match its hash" };
  let parsed: unknown;
  try {
    parsed = JSON.parse(line.payload.toString("utf8"));
  } catch {
    return { problem: "json", what: "its content is not JSON" };
  }
  if (!isObject(parsed)) return { problem: "json", what: "its content is not a JSON object" };
  const upgraded = upgradeRecord(parsed);
  if ("problem" in upgraded) return upgraded as Problem;
  const record = { ...upgraded, hash: line.hash, mac: line.mac } as LedgerRecord;
  if (key) {
    if (record.key !== key.id)
      return { problem: "key", what: `was signed with another key (${String(record.key)})`, record };
    if (recordMac(key, id, line.hash) !== line.mac) return { problem: "mac", what: "its signature is wrong", record };
  }
  if (expected) {
    const start = record.base ? { seq: record.base.seq + 1, prev: record.base.hash } : expected;
    if (record.seq !== start.seq || (record.base && record.seq < expected.seq))
      return { problem: "seq", what: `record ${record.seq} stands where ${expected.seq} belongs`, record };
    if (record.prev !== start.prev)
      return { problem: "prev", what: "does not follow from the record before it", record };
  }
  return { record };
}
