// Checkpoints kept outside the record, in commit trailers: `Interlock-Checkpoint: <seq>:<hash12>:<key8>:<record8>`.
// Invariant: pure. A checkpoint made with another key belongs to another user's record, one that names another record
// to another clone of the same user; neither says anything about this one.
import { sha256 } from "../../model/sha256.js";
import type { SigningKey } from "../ledger/frame.js";
import type { Snapshot } from "../types.js";

export const checkpointTrailer = "Interlock-Checkpoint";

export interface Anchor {
  seq: number;
  /** First twelve digits of that record's hash. */
  hash: string;
  /** First eight digits of the signing key's name. */
  key: string;
  /** First eight digits of the record's id; checkpoints of older releases do not name it. */
  record?: string;
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

export const checkpoint = ({ seq, hash }: Snapshot, key: SigningKey, id: string): string =>
  `${seq}:${hash.slice(0, 12)}:${key.id.slice(0, 8)}:${recordName(id)}`;

/** Ids may be short: the digits of a hash name them. */
const recordName = (id: string): string => sha256(`interlock-checkpoint\n${id}`).slice(0, 8);

export function parseAnchor(text: string, where: string): Anchor | undefined {
  const form = /^(\d{1,15}):([0-9a-f]{12}):([0-9a-f]{8})(?::([0-9a-f]{8}))?$/;
  const [, seq, hash, key, record] = form.exec(text.trim()) ?? [];
  return seq && hash && key ? { seq: Number(seq), hash, key, ...(record && { record }), where } : undefined;
}

/** Whether a checkpoint is about this record. */
export const isAboutRecord = ({ key, record }: Anchor, own: SigningKey | undefined, id: string): boolean =>
  own?.id.startsWith(key) === true && (record === undefined || record === recordName(id));
