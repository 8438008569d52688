// Checkpoints kept outside the record, in commit trailers: `Interlock-Checkpoint: <seq>:<hash12>:<key8>`.
// Invariant: pure. A checkpoint made with another key belongs to another user's record and says nothing about this one.
import type { SigningKey } from "../ledger/frame.js";
import type { Snapshot } from "../types.js";

export const checkpointTrailer = "Interlock-Checkpoint";

export interface Anchor {
  seq: number;
  /** First twelve digits of that record's hash. */
  hash: string;
  /** First eight digits of the signing key's name. */
  key: string;
  /** Who vouches: a commit. */
  where: string;
}

export interface Anchoring {
  /** Checkpoints of this record found outside it. */
  anchors: number;
  /** Checkpoints of other records, which say nothing about this one. */
  foreign: number;
  /** The newest one that holds. */
  last: { seq: number; where: string } | undefined;
}

export const checkpoint = ({ seq, hash }: Snapshot, key: SigningKey): string =>
  `${seq}:${hash.slice(0, 12)}:${key.id.slice(0, 8)}`;

export function parseAnchor(text: string, where: string): Anchor | undefined {
  const [, seq, hash, key] = /^(\d{1,15}):([0-9a-f]{12}):([0-9a-f]{8})$/.exec(text.trim()) ?? [];
  return seq && hash && key ? { seq: Number(seq), hash, key, where } : undefined;
}
