// Reads the ledger forward, line by line, in bounded memory.
// Invariant: yields records only while the chain holds; stops at the first line that breaks it and says where and why.

import { basename } from "node:path";
import { closeQuietly, exists, type Io, readOr, statOr } from "../io.js";
import type { RecordKeys } from "../key/seal.js";
import { type Layout, packedPath, segmentPath } from "../layout.js";
import type { Head } from "../signed-files.js";
import { nextHead } from "../state/next-head.js";
import { bringSessions, sessionsIn } from "../state/session-archive.js";
import type { LedgerRecord } from "../types.js";
import { checkLine } from "./check-line.js";
import { unpackSegment } from "./compressed-segment.js";
import { genesis, type Problem } from "./frame.js";

export interface RawLine {
  /** Without the line break. */
  bytes: Buffer;
  start: number;
  end: number;
  /** Ended by a line break. */
  whole: boolean;
  /** What is wrong with the file as a whole; then there is only this line. */
  damaged?: string;
}

const chunkBytes = 256 * 1024;

export function* rawLines(io: Io, path: string, from = 0): Generator<RawLine> {
  const fd = io.openSync(path, "r");
  try {
    let carry: Buffer = Buffer.alloc(0);
    let at = from;
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const got = io.readSync(fd, chunk, 0, chunkBytes, at + carry.length);
      if (got === 0) break;
      let rest: Buffer = carry.length ? Buffer.concat([carry, chunk.subarray(0, got)]) : chunk.subarray(0, got);
      for (let cut = rest.indexOf(10); cut >= 0; cut = rest.indexOf(10)) {
        yield { bytes: rest.subarray(0, cut), start: at, end: at + cut + 1, whole: true };
        at += cut + 1;
        rest = rest.subarray(cut + 1);
      }
      carry = rest;
    }
    if (carry.length) yield { bytes: carry, start: at, end: at + carry.length, whole: false };
  } finally {
    closeQuietly(io, fd);
  }
}

/** The lines of a segment, compressed or not. While both files are there the plain one counts. */
export function* segmentLines(io: Io, at: Layout, segment: number, from = 0): Generator<RawLine> {
  const packed = exists(io, segmentPath(at, segment)) ? undefined : readOr(io, packedPath(at, segment));
  if (!packed) {
    yield* rawLines(io, segmentPath(at, segment), from);
    return;
  }
  yield* packedLines(packed, basename(packedPath(at, segment)), from);
}

/** The lines of a compressed segment's bytes. */
export function* packedLines(packed: Buffer, name: string, from = 0): Generator<RawLine> {
  const plain = unpackSegment(packed);
  if (!plain) {
    const damaged = `cannot be read: the compressed segment ${name} is damaged`;
    yield { bytes: packed, start: 0, end: packed.length, whole: true, damaged };
    return;
  }
  for (let start = from; start < plain.length; ) {
    const end = plain.indexOf(10, start) + 1;
    yield { bytes: plain.subarray(start, end - 1), start, end, whole: true };
    start = end;
  }
}

/** Undefined where it cannot be read. */
export function segmentBytes(io: Io, at: Layout, segment: number): Buffer | undefined {
  const plain = readOr(io, segmentPath(at, segment));
  const packed = plain ? undefined : readOr(io, packedPath(at, segment));
  return plain ?? (packed && unpackSegment(packed));
}

/** Bytes on disk. */
export const segmentSize = (io: Io, at: Layout, segment: number): number =>
  (statOr(io, segmentPath(at, segment)) ?? statOr(io, packedPath(at, segment)))?.size ?? 0;

export interface Stop extends Problem {
  segment: number;
  start: number;
  /** Which record should have stood there. */
  seq: number;
}

export interface Walk {
  head: Head | undefined;
  stop: Stop | undefined;
  /** Files of archived sessions that records change and that could not be read. */
  lost: string[];
}

/** Follows the chain from `from` (or the beginning) as far as it is authentic, folding the state. */
export function walk(
  io: Io,
  at: Layout,
  keys: RecordKeys,
  segments: number[],
  from: Head | undefined,
  visit?: (record: LedgerRecord) => void,
): Walk {
  let head = from;
  const lost: string[] = [];
  for (const segment of segments) {
    if (from && segment < from.segment) continue;
    let lines = from?.segment === segment ? from.lines : 0;
    for (const line of segmentLines(io, at, segment, from?.segment === segment ? from.end : 0)) {
      const expected = { seq: (head?.seq ?? 0) + 1, prev: head?.hash ?? genesis(at.id) };
      const last = segment === segments.at(-1);
      if (!line.whole || isZeroes(line.bytes)) {
        const problem = last ? "torn" : "frame";
        return {
          head,
          lost,
          stop: { problem, what: "ends in the middle of a record", segment, start: line.start, seq: expected.seq },
        };
      }
      const checked = line.damaged
        ? ({ problem: "frame", what: line.damaged } as const)
        : checkLine(line.bytes, at.id, keys(segment), expected);
      if ("problem" in checked) {
        const { problem, what } = checked;
        return { head, lost, stop: { problem, what, segment, start: line.start, seq: expected.seq } };
      }
      const { record } = checked;
      visit?.(record);
      const found = head && bringSessions(io, at, head, record.base ? [] : sessionsIn(record.patch));
      if (found) lost.push(...found.lost);
      const place = {
        segment,
        start: line.start,
        end: line.end,
        lines: ++lines,
        count: segments.indexOf(segment) + 1,
      };
      head = nextHead(found?.head ?? head, record, place, head !== from);
    }
  }
  return { head, stop: undefined, lost };
}

/** Without a snapshot: from the newest segment whose first record carries an authentic base, or from the beginning. */
export function walkFromBase(io: Io, at: Layout, keys: RecordKeys, segments: number[]): Walk {
  for (let index = segments.length - 1; index > 0; index--) {
    const [line] = segmentLines(io, at, segments[index]!);
    const checked = line?.whole ? checkLine(line.bytes, at.id, keys(segments[index]!), undefined) : undefined;
    if (!checked || "problem" in checked || !checked.record.base) continue;
    const place = { segment: segments[index]!, start: 0, end: line!.end, lines: 1, count: index + 1 };
    return walk(io, at, keys, segments, nextHead(undefined, checked.record, place));
  }
  return walk(io, at, keys, segments, undefined);
}

/** Space a file system gave to a file before a power cut filled it. */
const isZeroes = (bytes: Buffer): boolean => bytes.length > 0 && bytes.every((byte) => byte === 0);
