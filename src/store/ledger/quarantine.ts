// Takes an unfinished record out of the ledger.
// Invariant: its bytes are safe elsewhere before they leave the ledger; nothing is dropped silently.
import { join } from "node:path";
import { closeQuietly, type Io, openMaking, readRange, writeAll } from "../io.js";
import { type Layout, segmentPath } from "../layout.js";
import type { Finding } from "../types.js";
import type { Stop } from "./line-reader.js";

export function quarantine(io: Io, at: Layout, torn: Stop, nonce: string): Finding {
  const { segment, start, seq } = torn;
  const path = segmentPath(at, segment);
  const rest = readRange(io, path, start, io.statSync(path).size);
  const aside = join(at.quarantine, `${String(segment).padStart(8, "0")}-${start}-${nonce}.torn`);
  const copy = openMaking(io, aside, "wx");
  try {
    writeAll(io, copy, rest, aside);
    io.fsyncSync(copy);
  } finally {
    closeQuietly(io, copy);
  }
  const fd = io.openSync(path, "r+");
  try {
    io.ftruncateSync(fd, start);
  } finally {
    closeQuietly(io, fd);
  }
  const what = `An unfinished record ${seq} (${rest.length} bytes) was moved to ${aside}.`;
  return { kind: "torn-tail", level: "notice", what, seq };
}
