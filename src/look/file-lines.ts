// The lines of a file, read in pieces, so that a file of any size can be looked at.
// Invariant: reads only; a file that can't be read has no lines; a line above the limit is passed over.
import { closeSync, openSync, readSync } from "node:fs";

const piece = 4 << 20;
/** One for all files: a fresh one for each costs more than reading it. Nobody reads two files at the same time. */
let shared: Buffer | undefined;
const longestLine = 64 << 20;

export function* fileLines(file: string): Generator<string> {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch {
    return; // gone, or not ours to read: the caller counts it as skipped
  }
  try {
    const buffer = (shared ??= Buffer.allocUnsafeSlow(piece));
    let held: Buffer[] = [];
    let heldBytes = 0;
    for (let n = readSync(fd, buffer, 0, piece, null); n > 0; n = readSync(fd, buffer, 0, piece, null)) {
      const read = buffer.subarray(0, n);
      const last = read.lastIndexOf(10);
      if (last < 0) {
        heldBytes += n;
        if (heldBytes <= longestLine) held.push(Buffer.from(read));
        continue;
      }
      const whole = read.subarray(0, last);
      if (heldBytes > longestLine) yield* split(whole.subarray(whole.indexOf(10) + 1));
      else yield* split(held.length ? Buffer.concat([...held, whole]) : whole);
      held = last + 1 < n ? [Buffer.from(read.subarray(last + 1))] : [];
      heldBytes = n - last - 1;
    }
    if (heldBytes && heldBytes <= longestLine) yield* split(Buffer.concat(held));
  } catch {
    return; // a folder, or a disk that fails: what was read counts
  } finally {
    closeSync(fd);
  }
}

function* split(bytes: Buffer): Generator<string> {
  const text = bytes.toString("utf8");
  let from = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
    yield text.slice(from, end);
    from = end + 1;
  }
  if (from < text.length) yield text.slice(from);
}
