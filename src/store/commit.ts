// Appends one record and brings snapshot, copy and mark up to it.
// Invariant: only called under the lock. The record is whole in the ledger or not there at all; the other files follow it, never lead.
import { type Clock, instant } from "./clock.js";
import { asFault, StoreFault } from "./fault.js";
import { type Head, stateBytes, writeFollowers } from "./files.js";
import { encodeLine, genesis, type SigningKey, type Unsealed } from "./frame.js";
import { closeQuietly, exists, type Io, openMaking, removeIfThere, replaceFile, writeAll } from "./io.js";
import { type Layout, segmentPath } from "./layout.js";
import { advanceSeal, readSeal, recordKeys, writeSeal } from "./seal.js";
import type { Memory } from "./survey.js";
import { appendTexts, type Prepared } from "./texts.js";
import type { Base, LedgerRecord } from "./types.js";
import { formatVersion } from "./upgrade.js";
import { advance } from "./walk.js";

export interface Bench {
  io: Io;
  clock: Clock;
  at: Layout;
  key: SigningKey;
  nonce: string;
  segment: { bytes: number; records: number };
  memory: Memory;
  /** The files may be one record apart; whoever gives up the lock now leaves a sign of it. */
  apart: boolean;
}

export type Content = Pick<Unsealed, "type" | "host" | "session" | "agent" | "ids" | "body" | "patch" | "redacted"> & {
  texts?: Prepared;
};

/** Where to write: after `head` (in a new segment if so wished), or at the start of a new segment from a base. */
export interface Spot {
  head: Head | undefined;
  newSegment?: true;
  rebase?: { base: Base; segment: number; count: number };
}

export interface Committed {
  record: LedgerRecord;
  head: Head;
}

const largestRecord = 4 * 1024 * 1024;

export function commit(bench: Bench, spot: Spot, content: Content, sync: boolean): Committed {
  const { io, at, key, nonce } = bench;
  const { head, rebase } = spot;
  const from = rebase?.base ?? head;
  const place = placeFor(bench, spot);
  const signer = signerFor(bench, head, place.segment);
  const unsealed: Unsealed = {
    v: formatVersion,
    seq: (from?.seq ?? 0) + 1,
    ...instant(bench.clock),
    pid: process.pid,
    ...content,
    texts: content.texts?.digests,
    ...(rebase ? { base: rebase.base } : {}),
    key: signer.id,
    prev: from?.hash ?? genesis(at.id),
  };
  const { line, hash, mac } = encode(signer, at.id, unsealed);
  const record: LedgerRecord = { ...unsealed, hash, mac };
  const path = segmentPath(at, place.segment);
  const next = advance(head, record, { ...place, end: place.start + line.length });
  const bytes = stateBytes(key, at, next);

  if (content.texts) appendTexts(io, at, place.segment, record.seq, record.time, content.texts.entries);
  bench.apart = true;
  try {
    append(io, path, line, place.start, sync);
    replaceFile(io, at.state, bytes, nonce, sync);
  } catch (error) {
    takeBack(io, path, place.start);
    bench.apart = false;
    throw asFault(error, "write", path);
  }
  follow(bench, next, bytes, sync);
  return { record, head: next };
}

/** Ledger and snapshot hold the record: it counts. Copy and mark that cannot follow now are left to the next writer, `apart` stays. */
function follow(bench: Bench, head: Head, bytes: Buffer, sync: boolean): void {
  const { io, at, key, nonce } = bench;
  try {
    writeFollowers(io, at, key, head, bytes, nonce, sync);
    bench.apart = false;
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
  }
}

/** Sealed segments have keys of their own; the key of a new one is kept, and its predecessor gone, before its first record is written. */
function signerFor({ io, at, key, nonce }: Bench, head: Head | undefined, segment: number): SigningKey {
  if (head?.sealed === undefined || segment < head.sealed) return key;
  const seal = readSeal(io, at, key);
  if (!seal) return key;
  if (segment > seal.segment) writeSeal(io, at, key, advanceSeal(seal, segment), nonce);
  return recordKeys(key, seal)(segment) ?? key;
}

function encode(signer: SigningKey, id: string, unsealed: Unsealed) {
  let encoded: ReturnType<typeof encodeLine>;
  try {
    encoded = encodeLine(signer, id, unsealed);
  } catch (error) {
    throw new StoreFault(
      "bad-record",
      `The record cannot be written: ${(error as Error).message}.`,
      "This is a fault in the caller; report it.",
      error,
    );
  }
  if (encoded.line.length > largestRecord)
    throw new StoreFault(
      "bad-record",
      `The record has ${encoded.line.length} bytes; at most ${largestRecord} are written.`,
      "Put long content into `texts` or leave it out.",
    );
  return encoded;
}

function placeFor({ segment: limit }: Bench, { head, rebase, newSegment }: Spot) {
  if (rebase) return { segment: rebase.segment, count: rebase.count + 1, start: 0, lines: 1 };
  if (!head) return { segment: 1, count: 1, start: 0, lines: 1 };
  if (newSegment || head.end >= limit.bytes || head.lines >= limit.records)
    return { segment: head.segment + 1, count: head.count + 1, start: 0, lines: 1 };
  return { segment: head.segment, count: head.count, start: head.end, lines: head.lines + 1 };
}

function append(io: Io, path: string, line: Buffer, start: number, sync: boolean): void {
  const fd = openMaking(io, path, "a");
  try {
    const { size } = io.fstatSync(fd);
    if (size !== start) throw changed(path, size, start);
    writeAll(io, fd, line, path);
    if (sync) io.fsyncSync(fd);
  } finally {
    closeQuietly(io, fd);
  }
}

/** A refused commit leaves nothing behind. When even that fails the error goes on and `apart` stays. */
function takeBack(io: Io, path: string, start: number): void {
  if (!exists(io, path)) return;
  const fd = io.openSync(path, "r+");
  try {
    if (io.fstatSync(fd).size > start) io.ftruncateSync(fd, start);
  } finally {
    closeQuietly(io, fd);
  }
  if (start === 0) removeIfThere(io, path);
}

const changed = (path: string, size: number, start: number): StoreFault =>
  new StoreFault(
    "io",
    `${path} changed while it was locked (${size} bytes instead of ${start}).`,
    "Run `interlock verify`; something writes to the ledger without its lock.",
  );
