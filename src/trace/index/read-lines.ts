// The lines of a large file with their places, read in chunks. Invariant: memory is bounded by one chunk and the
// longest line kept; a longer line is passed over, not read whole.
import { readSync } from "node:fs";

export interface PlacedLine {
  from: number;
  /** After its line break. */
  to: number;
  /** Undefined: longer than any record. */
  text: string | undefined;
  /** It has a line break: nobody is still writing it. */
  whole: boolean;
}

const chunkBytes = 4 << 20;
const longestRecord = 32 << 20;
const lineBreak = 10;

/** Calls `each` for every line from an offset to the file's end; `pause` between chunks. */
export async function readLines(
  fd: number,
  start: number,
  each: (line: PlacedLine) => void,
  pause: (at: number) => Promise<void>,
): Promise<void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let at = start;
  let lineFrom = start;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let tooLong = false;
  const keep = (part: Buffer): void => {
    keptBytes += part.length;
    tooLong ||= keptBytes > longestRecord;
    kept = tooLong ? [] : [...kept, Buffer.from(part)];
  };
  for (;;) {
    const length = readSync(fd, chunk, 0, chunkBytes, at);
    if (!length) break;
    let from = 0;
    for (;;) {
      const end = chunk.subarray(0, length).indexOf(lineBreak, from);
      if (end < 0) break;
      const part = chunk.subarray(from, end);
      if (kept.length || tooLong) keep(part);
      const text = tooLong ? undefined : kept.length ? Buffer.concat(kept).toString("utf8") : part.toString("utf8");
      each({ from: lineFrom, to: at + end + 1, text, whole: true });
      kept = [];
      keptBytes = 0;
      tooLong = false;
      from = end + 1;
      lineFrom = at + from;
    }
    if (from < length) keep(chunk.subarray(from, length));
    at += length;
    await pause(at);
  }
  if (lineFrom < at)
    each({ from: lineFrom, to: at, text: tooLong ? undefined : Buffer.concat(kept).toString("utf8"), whole: false });
}
