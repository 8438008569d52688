// The lines of a file, read in pieces, so that a file of any size can be looked at.
// Invariant: reads only; a file that can't be read has no lines; a line above the limit is passed over.
import { closeSync, openSync, readSync } from "node:fs";

const piece = 4 << 20;
/** One for all files: a fresh one for each costs more than reading it. Nobody reads two files at the same time. */
let shared: Buffer | undefined;
const longestLine = 64 << 20;

/** A line that `skip` accepts by its first characters comes as an empty one. */
export function* fileLines(file: string, skip: (head: string) => boolean): Generator<string> {
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
      if (heldBytes > longestLine) yield* split(whole.subarray(whole.indexOf(10) + 1), skip);
      else yield* split(held.length ? Buffer.concat([...held, whole]) : whole, skip);
      held = last + 1 < n ? [Buffer.from(read.subarray(last + 1))] : [];
      heldBytes = n - last - 1;
    }
    if (heldBytes && heldBytes <= longestLine) yield* split(Buffer.concat(held), skip);
  } catch {
    return; // a folder, or a disk that fails: what was read counts
  } finally {
    closeSync(fd);
  }
}

/** Lines whose beginning `skip` accepts are not decoded: a transcript is mostly made of such lines. */
function* split(bytes: Buffer, skip: (head: string) => boolean): Generator<string> {
  let from = 0;
  while (from < bytes.length) {
    const found = bytes.indexOf(10, from);
    const end = found < 0 ? bytes.length : found;
    const head = bytes.toString("latin1", from, Math.min(end, from + headLength));
    yield skip(head) ? "" : end - from <= headLength && ascii.test(head) ? head : bytes.toString("utf8", from, end);
    from = end + 1;
  }
}

const headLength = 700;
const ascii = /^[\x00-\x7f]*$/;
