// Reading records back: forward from a sequence number, or the newest that carries an id.
// Invariant: yields only lines whose content matches their hash; `verify` reports the damaged lines skipped here.

import type { Io } from "../io.js";
import { type Layout, segments } from "../layout.js";
import type { LedgerRecord } from "../types.js";
import { checkLine } from "./check-line.js";
import { segmentBytes, segmentLines } from "./line-reader.js";

export function* recordsFrom(io: Io, at: Layout, from = 1): Generator<LedgerRecord> {
  const found = segments(io, at);
  const start = firstSegmentFor(io, at, found, from);
  for (const segment of found.slice(start)) {
    for (const record of recordsOf(io, at, segment)) if (record.seq >= from) yield record;
  }
}

export function findRecord(io: Io, at: Layout, id: string): LedgerRecord | undefined {
  const needle = Buffer.from(JSON.stringify(id));
  for (const segment of segments(io, at).reverse()) {
    if (!segmentBytes(io, at, segment)?.includes(needle)) continue;
    let newest: LedgerRecord | undefined;
    for (const line of segmentLines(io, at, segment)) {
      if (!line.bytes.includes(needle)) continue;
      const record = readLine(line.bytes, at.id);
      if (record?.ids?.includes(id)) newest = record;
    }
    if (newest) return newest;
  }
  return undefined;
}

/** The last readable record, authentic or not. */
export function lastRecord(io: Io, at: Layout): LedgerRecord | undefined {
  const segment = segments(io, at).at(-1);
  return segment === undefined ? undefined : [...recordsOf(io, at, segment)].at(-1);
}

function* recordsOf(io: Io, at: Layout, segment: number): Generator<LedgerRecord> {
  for (const line of segmentLines(io, at, segment)) {
    const record = line.whole && readLine(line.bytes, at.id);
    if (record) yield record;
  }
}

function readLine(bytes: Buffer, id: string): LedgerRecord | undefined {
  const checked = checkLine(bytes, id, undefined, undefined);
  return "problem" in checked ? undefined : checked.record;
}

/** Index of the last segment that begins at or before `from`. */
function firstSegmentFor(io: Io, at: Layout, found: number[], from: number): number {
  for (let index = found.length - 1; index > 0; index--) {
    const [first] = recordsOf(io, at, found[index]!);
    if (first && first.seq <= from) return index;
  }
  return 0;
}
