// Appends one record to the ledger and updates snapshot, copy and mark.
// Invariant: only called under the lock. The record counts once its line is whole in the ledger; the other files
// follow.

import { asFault, StoreFault, StoreFull } from "../fault.js";
import { append, cutBack, type Io, type Stamp } from "../io.js";
import { advanceSeal, readSeal, recordKeys, writeSeal } from "../key/seal.js";
import { type Layout, segmentPath } from "../layout.js";
import { type Clock, instant } from "../record-clock.js";
import type { Head } from "../signed-files.js";
import type { KnownHead, StoreCache } from "../state/head.js";
import { nextHead } from "../state/next-head.js";
import type { LiveSessions } from "../state/session-archive.js";
import { planUpdate, type StateUpdate } from "../state/update.js";
import type { Base, Finding, LedgerRecord } from "../types.js";
import { canonical } from "./canonical-json.js";
import { encodeLine, genesis, type SigningKey, type Unsealed, Written } from "./frame.js";
import { freeReserve } from "./reserve.js";
import { appendTexts, type Prepared } from "./side-texts.js";
import { formatVersion } from "./upgrade.js";

export interface WriteContext {
  io: Io;
  clock: Clock;
  at: Layout;
  key: SigningKey;
  nonce: string;
  segment: { bytes: number; records: number };
  /** Which sessions stay in the snapshot. */
  live?: LiveSessions | undefined;
  cache: StoreCache;
  /** What is to be said of the key. */
  findings: Finding[];
  /** The files may be one record apart; releasing the lock now leaves the file `unclean`. */
  unclean: boolean;
}

export type RecordContent = Pick<
  Unsealed,
  "type" | "host" | "session" | "agent" | "ids" | "body" | "patch" | "redacted"
> & {
  texts?: Prepared;
  /** Canonical texts, where they are known. */
  written?: { body?: string; patch?: string };
};

/** Where to write: after `head` (in a new segment if so wished), or at the start of a new segment from a base. */
export interface AppendPlace {
  head: Head | undefined;
  newSegment?: true;
  rebase?: { base: Base; segment: number; count: number };
}

export interface Appended {
  record: LedgerRecord;
  head: Head;
}

export const largestRecord = 4 * 1024 * 1024;
/** A base holds the state of every session. */
const largestBase = 256 * 1024 * 1024;

export interface AppendedLine {
  seq: number;
  /** Updates snapshot, copy and mark. Does not throw for a full or broken disk: the record counts already. */
  finish(): Appended;
}

/** Appends a record and updates all files. */
export const appendRecord = (...given: Parameters<typeof appendLine>): Appended => appendLine(...given).finish();

/** Appends the line of a record: from then on it counts. The other files follow with `finish`, under the same lock. */
export function appendLine(
  context: WriteContext,
  spot: AppendPlace,
  content: RecordContent,
  sync: boolean,
): AppendedLine {
  const { io, at, cache } = context;
  const { head, rebase } = spot;
  const from = rebase?.base ?? head;
  const place = placeFor(context, spot);
  const signer = signerFor(context, head, place.segment);
  const { line, patch, sealed } = encode(signer, at.id, content, {
    v: formatVersion,
    seq: (from?.seq ?? 0) + 1,
    ...instant(context.clock),
    pid: process.pid,
    base: rebase?.base,
    key: signer.id,
    prev: from?.hash ?? genesis(at.id),
  });
  const path = segmentPath(at, place.segment);

  if (content.texts) appendTexts(io, at, place.segment, sealed.seq, sealed.time, content.texts.entries);
  const { known } = cache;
  cache.known = undefined;
  context.unclean = true;
  let added: Stamp;
  try {
    added = append(io, path, line, place.start, sync);
  } catch (error) {
    // A failed append leaves nothing behind. If even that fails, the error goes on and `unclean` stays set.
    cutBack(io, path, place.start);
    context.unclean = false;
    cache.known = known && { ...known, stamps: undefined };
    throw asFault(error, "write", path);
  }
  const finish = (): Appended => {
    const record: LedgerRecord = { ...sealed, patch: patch && JSON.parse(patch) };
    const next = nextHead(head, record, { ...place, end: place.start + line.length });
    try {
      const before = rebase || known?.head !== head ? undefined : known;
      cache.known = updateState(context, planUpdate(context, before, next, patch, sync), added);
      context.unclean = false;
    } catch (error) {
      // The record is in the ledger and counts. `unclean` stays set: the next writer repairs the other files.
      if (!(error instanceof StoreFault)) throw error;
    }
    return { record, head: next };
  };
  return { seq: sealed.seq, finish };
}

/** A disk that is full now gets what was kept back for this. */
function updateState(context: WriteContext, way: StateUpdate, segment: Stamp): KnownHead {
  try {
    way.go();
  } catch (error) {
    if (!(error instanceof StoreFull) || !freeReserve(context.io, context.at)) throw error;
    context.cache.reserve = false;
    way.undo();
    way.go();
  }
  return way.known(segment);
}

/** Sealed segments have their own keys. The key of a new segment is stored, and the old one deleted, before its first
 * record is written. */
function signerFor({ io, at, key, nonce }: WriteContext, head: Head | undefined, segment: number): SigningKey {
  if (head?.sealed === undefined || segment < head.sealed) return key;
  const seal = readSeal(io, at, key);
  if (!seal) return key;
  if (segment > seal.segment) writeSeal(io, at, key, advanceSeal(seal, segment), nonce);
  return recordKeys(key, seal)(segment) ?? key;
}

/** The line, the record without its patch, and the patch as text: the state is updated from that same text. */
function encode(signer: SigningKey, id: string, content: RecordContent, frame: Omit<Unsealed, keyof RecordContent>) {
  const { written } = content;
  const patch = content.patch && (written?.patch ?? tried(() => canonical(content.patch)));
  // Keys in canonical order: merging objects here would cost as much as writing the record.
  const unsealed = {
    agent: content.agent,
    base: frame.base,
    body: written?.body === undefined ? content.body : new Written(written.body),
    boot: frame.boot,
    host: content.host,
    ids: content.ids,
    key: frame.key,
    mono: frame.mono,
    patch: patch === undefined ? undefined : new Written(patch),
    pid: frame.pid,
    prev: frame.prev,
    redacted: content.redacted,
    seq: frame.seq,
    session: content.session,
    texts: content.texts?.digests,
    time: frame.time,
    type: content.type,
    v: frame.v,
  };
  const { line, hash, mac } = tried(() => encodeLine(signer, id, unsealed));
  const most = frame.base ? largestBase : largestRecord;
  if (line.length > most)
    throw new StoreFault(
      "bad-record",
      `The record has ${line.length} bytes; at most ${most} are written.`,
      "Put long content into `texts` or leave it out.",
    );
  return { line, patch, sealed: { ...unsealed, body: content.body, patch: undefined, hash, mac } };
}

function tried<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new StoreFault(
      "bad-record",
      `The record cannot be written: ${(error as Error).message}.`,
      "This is a fault in the caller; report it.",
      error,
    );
  }
}

function placeFor({ segment: limit }: WriteContext, { head, rebase, newSegment }: AppendPlace) {
  if (rebase) return { segment: rebase.segment, count: rebase.count + 1, start: 0, lines: 1 };
  if (!head) return { segment: 1, count: 1, start: 0, lines: 1 };
  if (newSegment || head.end >= limit.bytes || head.lines >= limit.records)
    return { segment: head.segment + 1, count: head.count + 1, start: 0, lines: 1 };
  return { segment: head.segment, count: head.count, start: head.end, lines: head.lines + 1 };
}
