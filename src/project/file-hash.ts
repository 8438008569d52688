// Content hashes of files, and the stat data that says a file may have changed.
// Invariant: a stat key is a hint to skip work, never evidence: times can be set back, hashes can't.
import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const CHUNK = 1 << 20;

/**
 * SHA-256 of a regular file, read in 1 MB pieces; undefined for what is no regular file or can't be read.
 * Opened without waiting, so that a pipe in the place of a file can't hang the caller.
 */
export function hashFile(path: string, limit = Number.POSITIVE_INFINITY): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > limit) return undefined;
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(stat.size, 4_096)));
    for (let n = readSync(fd, buffer); n > 0; n = readSync(fd, buffer))
      hash.update(n === buffer.length ? buffer : buffer.subarray(0, n));
    return hash.digest("hex");
  } catch {
    return undefined; // gone or not ours to read: there is no content to speak for
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Size, both times in nanoseconds, inode, mode and links in one comparable text. */
export function statKey(stat: BigIntStats): string {
  return [stat.size, stat.mtimeNs, stat.ctimeNs, stat.ino, stat.mode.toString(8), stat.nlink].join(":");
}
