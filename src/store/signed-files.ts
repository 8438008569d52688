// The signed files beside the ledger: types they share, and what happens to a file whose signature is wrong.
// Invariant: a file counts only when its signature holds; anything else it says is kept apart as a mere claim.

import { isObject, type JsonObject } from "../model/json.js";
import type { Instant } from "./record-clock.js";
import type { LastChange } from "./state/session-archive.js";

/** A point of the ledger: its newest record, where that lies, and the state up to it. */
export interface Head extends Instant {
  seq: number;
  hash: string;
  /** How many segments the ledger has by rights. */
  count: number;
  segment: number;
  /** Where the newest record's line begins and ends in its segment. */
  start: number;
  end: number;
  /** Records in this segment. */
  lines: number;
  /** First segment signed with sealed keys, if any is. */
  sealed?: number;
  /** Slices of the project and of the sessions in `live`. */
  state: JsonObject;
  /** Sessions whose slices stand in `state`, and when each last changed. */
  live: Record<string, LastChange>;
  /** Files with the slices of all other sessions: by shard, the SHA-256 of the file. */
  archive: Record<string, string>;
  /** Sessions of the archive that were put into `state` and not written yet; never on disk. */
  brought?: string[];
}

export interface HighWaterMark {
  seq: number;
  hash: string;
  segment: number;
  time: string;
}

/** What is wrong with a file although what it says counts: a writer that died half-way leaves such, and nobody else. */
export interface Flaw {
  what: string;
  /** A power cut can have done it too. */
  cut: boolean;
}

export interface Authentic<T> {
  status: "ok";
  value: T;
  flaw?: Flaw;
}

export interface Altered {
  status: "altered";
  what: string;
  empty: boolean;
  claims: { seq: number; segment: number } | undefined;
}

export type Read<T> = Authentic<T> | Altered | { status: "missing" };

export function altered(bytes: Buffer, what: string): Altered {
  return { status: "altered", what, empty: bytes.every((byte) => byte === 0), claims: claims(bytes) };
}

/** What an unauthentic file says of itself: used only to start above it, never as state. */
function claims(bytes: Buffer): { seq: number; segment: number } | undefined {
  try {
    const [first, ...entries] = bytes.toString("utf8").split("\n").filter(Boolean);
    const payload: unknown = JSON.parse(first!).payload;
    if (!isObject(payload)) return undefined;
    const { seq, segment } = payload;
    return isCount(seq) && isCount(segment) ? { seq: seq + entries.length, segment } : undefined;
  } catch {
    return undefined; // not even JSON: it claims nothing
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
