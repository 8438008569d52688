// The table of contents of a zip archive: its central directory, at the end of the file.
// Invariant: total: whatever the bytes are it ends after a bounded number of steps; a count that does not agree with
// the directory leaves the listing incomplete.
import {
  type ArchiveDisk,
  type ArchiveEntry,
  type ArchiveListing,
  archiveBounds,
  type ByteSource,
} from "./archive-disk.js";

const endMark = 0x06054b50;
const end64Mark = 0x06064b50;
const locator64Mark = 0x07064b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
const linkMode = 0o120000;
const longestPath = 4_096;

export function listZip(source: ByteSource, inflate: ArchiveDisk["inflate"]): ArchiveListing | undefined {
  const directory = directoryOf(source);
  if (!directory) return undefined;
  const { bytes, count, shift } = directory;
  const entries: ArchiveEntry[] = [];
  let links = 0;
  let unlisted = bytes.length < directory.size ? "the archive has too many entries" : undefined;
  let at = 0;
  while (at + 46 <= bytes.length && numberAt(bytes, at, 4) === entryMark) {
    if (entries.length >= archiveBounds.entries) return { entries, unlisted: "the archive has too many entries" };
    const nameLength = numberAt(bytes, at + 28, 2);
    const extraLength = numberAt(bytes, at + 30, 2);
    const nameEnd = at + 46 + nameLength;
    const end = nameEnd + extraLength + numberAt(bytes, at + 32, 2);
    if (end > bytes.length) break;
    const name = decoder.decode(bytes.subarray(at + 46, nameEnd)).replaceAll("\0", "");
    const mode = numberAt(bytes, at + 38, 4) >>> 16;
    const extra = bytes.subarray(nameEnd, nameEnd + extraLength);
    const about = { name, modified: timeIn(extra) ?? dosTime(numberAt(bytes, at + 12, 4)) };
    if ((mode & 0o170000) === linkMode) {
      const link = links++ < archiveBounds.links ? linkTarget(source, bytes, at, shift, inflate) : undefined;
      entries.push({ ...about, kind: "symlink", ...(link !== undefined && { link }) });
    } else if (/[/\\]$/.test(name)) entries.push({ ...about, kind: "folder" });
    else entries.push({ ...about, kind: "file", size: numberAt(bytes, at + 24, 4) });
    at = end;
  }
  if (entries.length !== count) unlisted ??= "the archive's own count of entries is wrong";
  return { entries, ...(unlisted && { unlisted }) };
}

interface Directory {
  bytes: Uint8Array;
  size: number;
  count: number;
  /** How much further back everything stands than the archive says: a program may stand in front of it. */
  shift: number;
}

function directoryOf(source: ByteSource): Directory | undefined {
  const tailAt = Math.max(0, source.size - 22 - 0xffff - 20);
  const tail = source.read(tailAt, source.size - tailAt);
  let end = tail.length - 22;
  while (end >= 0 && numberAt(tail, end, 4) !== endMark) end--;
  if (end < 0) return undefined;
  let count = numberAt(tail, end + 10, 2);
  let size = numberAt(tail, end + 12, 4);
  let offset = numberAt(tail, end + 16, 4);
  let endsAt = tailAt + end;
  if (end >= 20 && numberAt(tail, end - 20, 4) === locator64Mark) {
    const at = numberAt(tail, end - 12, 8);
    const large = Number.isSafeInteger(at) && at < source.size ? source.read(at, 56) : new Uint8Array(0);
    if (large.length === 56 && numberAt(large, 0, 4) === end64Mark) {
      count = numberAt(large, 32, 8);
      size = numberAt(large, 40, 8);
      offset = numberAt(large, 48, 8);
      endsAt = at;
    }
  }
  const from = endsAt - size;
  if (!Number.isSafeInteger(size) || from < 0) return undefined;
  return { bytes: source.read(from, Math.min(size, archiveBounds.directory)), size, count, shift: from - offset };
}

/** Bytes in little-endian order. */
function numberAt(bytes: Uint8Array, from: number, length: number): number {
  let value = 0;
  for (let i = from + length - 1; i >= from; i--) value = value * 256 + (bytes[i] ?? 0);
  return value;
}

const decoder = new TextDecoder();

/** The extra field that holds the time in seconds; others are skipped. */
function timeIn(extra: Uint8Array): number | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + numberAt(extra, at + 2, 2))
    if (numberAt(extra, at, 2) === 0x5455 && extra[at + 4]! & 1 && at + 9 <= extra.length)
      return numberAt(extra, at + 5, 4);
  return undefined;
}

/** Date and time as people of the place saw it, to two seconds. */
function dosTime(packed: number): number {
  const date = packed >>> 16;
  const at = new Date(
    1980 + (date >>> 9),
    ((date >>> 5) & 15) - 1,
    date & 31,
    (packed >>> 11) & 31,
    (packed >>> 5) & 63,
    (packed & 31) * 2,
  );
  return at.getTime() / 1000;
}

/** A link's target is the entry's content. */
function linkTarget(
  source: ByteSource,
  bytes: Uint8Array,
  at: number,
  shift: number,
  inflate: ArchiveDisk["inflate"],
): string | undefined {
  const method = numberAt(bytes, at + 10, 2);
  const packed = numberAt(bytes, at + 20, 4);
  const local = numberAt(bytes, at + 42, 4) + shift;
  if (packed > longestPath || local < 0 || local + 30 > source.size) return undefined;
  const header = source.read(local, 30);
  if (numberAt(header, 0, 4) !== localMark) return undefined;
  const from = local + 30 + numberAt(header, 26, 2) + numberAt(header, 28, 2);
  const content = source.read(from, packed);
  const plain = method === 0 ? content : method === 8 ? inflate(content, "raw", longestPath) : undefined;
  return plain && decoder.decode(plain);
}
