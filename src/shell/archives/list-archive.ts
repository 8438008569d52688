// Lists an archive by what its first bytes say it is, never by its name.
// Invariant: total and bounded; an archive that can't be listed says why, and what is no archive has no listing.
import { type ArchiveDisk, type ArchiveListing, archiveBounds, type ByteSource } from "./archive-disk.js";
import { listTar } from "./tar.js";
import { listZip } from "./zip.js";

const packers: readonly (readonly [name: string, beginning: readonly number[]])[] = [
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["lz4", [0x04, 0x22, 0x4d, 0x18]],
  ["lzip", [0x4c, 0x5a, 0x49, 0x50]],
  ["7z", [0x37, 0x7a, 0xbc, 0xaf]],
  ["rar", [0x52, 0x61, 0x72, 0x21]],
  ["compress", [0x1f, 0x9d]],
];

export function listArchive(
  source: ByteSource,
  inflate: ArchiveDisk["inflate"],
  options?: { ignoreZeros?: boolean },
): ArchiveListing | undefined {
  const start = source.read(0, 8);
  const begins = (bytes: readonly number[]) => bytes.every((byte, index) => start[index] === byte);
  if (begins([0x1f, 0x8b])) return packedTar(source, inflate, options);
  const packer = packers.find(([, bytes]) => begins(bytes));
  if (packer) return { entries: [], unlisted: `an archive packed by ${packer[0]} is not listed` };
  const tar = looksLikeTar(source);
  const zip = tar ? undefined : listZip(source, inflate);
  const listing = zip ?? listTar(source, options);
  return listing.entries.length === 0 && listing.unlisted ? undefined : listing;
}

const looksLikeTar = (source: ByteSource): boolean => String.fromCharCode(...source.read(257, 5)) === "ustar";

function packedTar(
  source: ByteSource,
  inflate: ArchiveDisk["inflate"],
  options?: { ignoreZeros?: boolean },
): ArchiveListing {
  const packed = source.read(0, archiveBounds.packed);
  const bytes = inflate(packed, "gzip", archiveBounds.unpacked);
  if (!bytes) return { entries: [], unlisted: "the archive is damaged, or too large to be listed" };
  const inner: ByteSource = { size: bytes.length, read: (from, length) => bytes.subarray(from, from + length) };
  const listing = listTar(inner, options);
  return packed.length < source.size ? { ...listing, unlisted: "the archive is too large to be listed" } : listing;
}
