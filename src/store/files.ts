// The three signed files beside the ledger: snapshot, its second copy, and the high-water mark.
// Invariant: a file counts only when its signature holds; what it claims otherwise is kept apart as a mere claim.
import type { Instant } from "./clock.js";
import { decodeSigned, encodeSigned, type SigningKey } from "./frame.js";
import { type Io, readOr, replaceCopy } from "./io.js";
import { isObject, type JsonObject } from "./json.js";
import type { Layout } from "./layout.js";
import { formatVersion, readableSince, upgradeMark, upgradeState } from "./upgrade.js";

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
  state: JsonObject;
}

export interface Mark {
  seq: number;
  hash: string;
  segment: number;
  time: string;
}

export type Read<T> =
  | { status: "ok"; value: T; bytes: Buffer }
  | { status: "missing" }
  | { status: "altered"; what: string; empty: boolean; claims?: { seq: number; segment: number } };

export function readState(io: Io, path: string, key: SigningKey | undefined, id: string): Read<Head> {
  const bytes = readOr(io, path);
  return bytes ? parseState(bytes, key, id) : { status: "missing" };
}

export function parseState(bytes: Buffer, key: SigningKey | undefined, id: string): Read<Head> {
  return parse(bytes, key, "state", id, (value) => upgradeState(value) as unknown as Head);
}

export function readMark(io: Io, path: string, key: SigningKey | undefined, id: string): Read<Mark> {
  const bytes = readOr(io, path);
  if (!bytes) return { status: "missing" };
  return parse(bytes, key, "mark", id, (value) => upgradeMark(value) as unknown as Mark);
}

function parse<T>(
  bytes: Buffer,
  key: SigningKey | undefined,
  kind: "state" | "mark",
  id: string,
  upgrade: (value: Record<string, unknown>) => T,
): Read<T> {
  const isEmpty = () => bytes.every((byte) => byte === 0);
  if (!key) return { status: "altered", what: "cannot be checked without the key", empty: isEmpty(), ...claims(bytes) };
  const value = decodeSigned(bytes, key, kind, id);
  if ("problem" in value) return { status: "altered", what: String(value["what"]), empty: isEmpty(), ...claims(bytes) };
  return { status: "ok", value: upgrade(value), bytes };
}

/** What an unauthentic file says of itself: used only to start above it, never as state. */
function claims(bytes: Buffer): { claims?: { seq: number; segment: number } } {
  try {
    const payload: unknown = JSON.parse(bytes.toString("utf8")).payload;
    if (!isObject(payload)) return {};
    const { seq, segment } = payload;
    return isCount(seq) && isCount(segment) ? { claims: { seq, segment } } : {};
  } catch {
    return {}; // not even JSON: it claims nothing
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Copy, then mark, both after the snapshot: the order in which a crash may leave them a step behind. */
export function writeFollowers(
  io: Io,
  at: Layout,
  key: SigningKey,
  head: Head,
  bytes: Buffer,
  nonce: string,
  sync: boolean,
): void {
  const { seq, hash, segment, time } = head;
  const mark = { v: formatVersion, needs: readableSince, key: key.id, seq, hash, segment, time };
  replaceCopy(io, at.backup, bytes, nonce, sync);
  replaceCopy(io, at.mark, encodeSigned(key, "mark", at.id, mark), nonce, sync);
}

export function stateBytes(key: SigningKey, at: Layout, head: Head): Buffer {
  return encodeSigned(key, "state", at.id, { ...head, v: formatVersion, needs: readableSince, key: key.id });
}
