// Appends one record and brings snapshot, copy and mark up to it.
// Invariant: only called under the lock. The record is whole in the ledger, and then it counts, or not there at all; the other files follow it, never lead.

import { type Clock, instant } from "../clock.js";
import { asFault, StoreFault, StoreFull } from "../fault.js";
import { cutBack, type Io, type Stamp } from "../io.js";
import { advanceSeal, readSeal, recordKeys, writeSeal } from "../key/seal.js";
import { type Layout, segmentPath } from "../layout.js";
import { appendKept } from "../open-files.js";
import type { Head } from "../signed-files.js";
import { advance } from "../state/advance-head.js";
import type { Known, Memory } from "../state/head.js";
import { type Way, wayUp } from "../state/update.js";
import type { Base, Finding, LedgerRecord } from "../types.js";
import { canonical } from "./canonical-json.js";
import { encodeLine, genesis, type SigningKey, type Unsealed, Written } from "./frame.js";
import { freeReserve } from "./reserve.js";
import { appendTexts, type Prepared } from "./side-texts.js";
import { formatVersion } from "./upgrade.js";

export interface Bench {
  io: Io;
  clock: Clock;
  at: Layout;
  key: SigningKey;
  nonce: string;
  segment: { bytes: number; records: number };
  memory: Memory;
  /** Called once the ledger holds a record. */
  recorded?: () => void;
  /** What is to be said of the key. */
  findings: Finding[];
  /** The files may be one record apart; whoever gives up the lock now leaves a sign of it. */
  apart: boolean;
}

export type Content = Pick<Unsealed, "type" | "host" | "session" | "agent" | "ids" | "body" | "patch" | "redacted"> & {
  texts?: Prepared;
  /** Canonical texts, where they are known. */
  written?: { body?: string; patch?: string };
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
  const { io, at, memory } = bench;
  const { head, rebase } = spot;
  const from = rebase?.base ?? head;
  const place = placeFor(bench, spot);
  const signer = signerFor(bench, head, place.segment);
  const { line, patch, sealed } = encode(signer, at.id, content, {
    v: formatVersion,
    seq: (from?.seq ?? 0) + 1,
    ...instant(bench.clock),
    pid: process.pid,
    base: rebase?.base,
    key: signer.id,
    prev: from?.hash ?? genesis(at.id),
  });
  const path = segmentPath(at, place.segment);

  if (content.texts) appendTexts(io, at, place.segment, sealed.seq, sealed.time, content.texts.entries);
  const { known } = memory;
  memory.known = undefined;
  bench.apart = true;
  let added: () => Stamp;
  try {
    const found = known?.head === head && place.start > 0 ? known?.stamps?.segment : undefined;
    added = appendKept(io, at.folder, path, found, line, place.start, sync);
  } catch (error) {
    // a refused commit leaves nothing behind; when even that fails the error goes on and `apart` stays
    cutBack(io, path, place.start);
    bench.apart = false;
    memory.known = known && { ...known, stamps: undefined };
    throw asFault(error, "write", path);
  }
  bench.recorded?.();
  const record: LedgerRecord = { ...sealed, patch: patch && JSON.parse(patch) };
  const next = advance(head, record, { ...place, end: place.start + line.length });
  try {
    const from = rebase || known?.head !== head ? undefined : known;
    memory.known = bringUp(bench, wayUp(bench, from, next, patch, sync), added());
    bench.apart = false;
  } catch (error) {
    // the ledger holds the record: it counts. What cannot follow it now is left to the next writer, `apart` stays
    if (!(error instanceof StoreFault)) throw error;
  }
  return { record, head: next };
}

/** A disk that is full now gets what was kept back for this. */
function bringUp(bench: Bench, way: Way, segment: Stamp): Known {
  try {
    way.go();
  } catch (error) {
    if (!(error instanceof StoreFull) || !freeReserve(bench.io, bench.at)) throw error;
    bench.memory.reserve = false;
    way.takeBack();
    way.go();
  }
  return way.known(segment);
}

/** Sealed segments have keys of their own; the key of a new one is kept, and its predecessor gone, before its first record is written. */
function signerFor({ io, at, key, nonce }: Bench, head: Head | undefined, segment: number): SigningKey {
  if (head?.sealed === undefined || segment < head.sealed) return key;
  const seal = readSeal(io, at, key);
  if (!seal) return key;
  if (segment > seal.segment) writeSeal(io, at, key, advanceSeal(seal, segment), nonce);
  return recordKeys(key, seal)(segment) ?? key;
}

/** The line, and the record without its patch; that in the form it is written in, which is also the one the state gets. */
function encode(signer: SigningKey, id: string, content: Content, frame: Omit<Unsealed, keyof Content>) {
  const { written } = content;
  const patch = content.patch && (written?.patch ?? tried(() => canonical(content.patch)));
  // Spelled out, in their order: a record is written with every event, and taking objects together costs as much as writing it.
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
  if (line.length > largestRecord)
    throw new StoreFault(
      "bad-record",
      `The record has ${line.length} bytes; at most ${largestRecord} are written.`,
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

function placeFor({ segment: limit }: Bench, { head, rebase, newSegment }: Spot) {
  if (rebase) return { segment: rebase.segment, count: rebase.count + 1, start: 0, lines: 1 };
  if (!head) return { segment: 1, count: 1, start: 0, lines: 1 };
  if (newSegment || head.end >= limit.bytes || head.lines >= limit.records)
    return { segment: head.segment + 1, count: head.count + 1, start: 0, lines: 1 };
  return { segment: head.segment, count: head.count, start: head.end, lines: head.lines + 1 };
}
