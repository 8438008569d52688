// Whole files, read within a limit that holds whatever stands there: what a file says of its own size is no limit.
// Invariant: never waits on a pipe, never reads a device, never holds more than the limit. (/proc/<pid>/pagemap claims
// to be an empty regular file and has 256 GiB.)
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Throws what `open` throws, and EFBIG or EINVAL for what is too large or no regular file. */
export function readBounded(path: string, most: number, flags = 0): Buffer {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw Object.assign(new Error(`${path} is no regular file`), { code: "EINVAL" });
    const pieces: Buffer[] = [];
    let total = 0;
    let room = Math.min(stat.size || 65_535, most) + 1;
    for (;;) {
      const piece = Buffer.allocUnsafe(room);
      const n = readSync(fd, piece, 0, room, null);
      total += n;
      if (total > most) throw Object.assign(new Error(`${path} is larger than ${most} bytes`), { code: "EFBIG" });
      if (n === 0) return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      pieces.push(piece.subarray(0, n));
      if (total === stat.size && n < room) return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      room = Math.min(65_536, most - total + 1);
    }
  } finally {
    closeSync(fd);
  }
}

export const readBoundedText = (path: string, most: number): string => readBounded(path, most).toString("utf8");
