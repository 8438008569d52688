// Replaces closed segments by compressed ones.
// Invariant: the compressed file is on the disk, under its name and read back before the plain one goes; whoever dies
// in between leaves both, and the plain one counts.
import { closeQuietly, type Io, openMaking, readOr, removeIfThere, writeAll } from "../io.js";
import { type Layout, packedPath, segmentPath, segments } from "../layout.js";
import { packSegment, unpackSegment } from "./compressed-segment.js";

/** Segments before `open`, the oldest first. Needs no lock: nobody writes to a closed segment. */
export function compactSegments(io: Io, at: Layout, open: number, most: number): number {
  let done = 0;
  for (const segment of segments(io, at)) {
    if (segment >= open || done >= most) break;
    const plain = readOr(io, segmentPath(at, segment));
    if (plain?.length && compactOne(io, at, segment, plain)) done++;
  }
  return done;
}

function compactOne(io: Io, at: Layout, segment: number, plain: Buffer): boolean {
  const packed = packSegment(plain);
  if (!packed) return false; // damaged: it stays as evidence
  // Beside the ledger, where the sweep finds what a dead process left.
  const aside = `${at.folder}/segment-${segment}.${process.pid}.${Date.now().toString(16)}.tmp`;
  const fd = openMaking(io, aside, "wx");
  try {
    writeAll(io, fd, packed, aside);
    io.fsyncSync(fd);
  } catch (error) {
    removeIfThere(io, aside);
    throw error;
  } finally {
    closeQuietly(io, fd);
  }
  io.renameSync(aside, packedPath(at, segment));
  const back = readOr(io, packedPath(at, segment));
  if (!back || !unpackSegment(back)?.equals(plain)) return false;
  io.unlinkSync(segmentPath(at, segment));
  return true;
}
