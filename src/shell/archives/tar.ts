// The table of contents of a tar archive: its headers, with the long names of GNU tar and pax.
// Invariant: total: whatever the bytes are it ends after a bounded number of steps, and what a reader could take in
// two ways leaves the listing incomplete.
import { type ArchiveEntry, type ArchiveListing, archiveBounds, type ByteSource } from "./archive-disk.js";

const block = 512;
const window = 8 * 1024;
/** Longer names and attributes than any file system has. */
const longestText = 64 * 1024;
const damaged = "parts of the archive are no tar headers";

export function listTar(source: ByteSource, { ignoreZeros = false } = {}): ArchiveListing {
  const entries: ArchiveEntry[] = [];
  const view = windowed(source);
  let unlisted: string | undefined;
  let at = 0;
  let zeros = 0;
  let common: Attributes = {};
  let next: Attributes = {};
  while (at + block <= source.size) {
    if (entries.length >= archiveBounds.entries) return { entries, unlisted: "the archive has too many entries" };
    const header = view(at, block);
    if (!header) return { entries, unlisted: "the archive is too large to be listed" };
    if (isZero(header)) {
      if (++zeros >= 2 && !ignoreZeros) break;
      at += block;
      continue;
    }
    zeros = 0;
    const type = String.fromCharCode(header[156]!);
    const isAbout = /[xgLKX]/.test(type);
    const own = numberIn(header, 124, 12);
    const size = isAbout ? own : (next.size ?? common.size ?? own);
    if (!isHeader(header) || size === undefined || size < 0 || !Number.isSafeInteger(size)) {
      // tar goes on with the next block that looks like a header.
      unlisted = damaged;
      at += block;
      continue;
    }
    const stored = type === "1" ? 0 : size;
    let body = at + block;
    if (type === "S") body = afterSparse(view, header, body);
    const end = body + Math.ceil(stored / block) * block;
    if (end > source.size + block) unlisted ??= "the archive ends too early";
    if (isAbout) {
      const text = size <= longestText ? view(body, size) : undefined;
      if (!text) unlisted ??= damaged;
      else if (type === "L") next.path = textOf(text, 0, text.length);
      else if (type === "K") next.link = textOf(text, 0, text.length);
      else if (type === "g") common = { ...common, ...attributes(text) };
      else next = { ...next, ...attributes(text) };
      at = end;
      continue;
    }
    const entry = entryOf(header, type, { ...common, ...next }, size);
    next = {};
    if (entry) {
      // Readers differ in whether such an entry has a body, and so in where the next header stands.
      if (size > 0 && entry.kind !== "file" && type !== "D") unlisted ??= damaged;
      entries.push(entry);
    }
    at = end;
  }
  if (source.size > 0 && source.size < block) unlisted = damaged;
  return { entries, ...(unlisted && { unlisted }) };
}

interface Attributes {
  path?: string;
  link?: string;
  size?: number;
  modified?: number;
}

/** Reads the source in windows, a bounded number of them; undefined when the bound is reached. */
function windowed(source: ByteSource): (from: number, length: number) => Uint8Array | undefined {
  let start = 0;
  let bytes: Uint8Array = new Uint8Array(0);
  let left = archiveBounds.windows;
  return (from, length) => {
    if (from < start || from + length > start + bytes.length) {
      if (left-- <= 0) return undefined;
      bytes = source.read(from, Math.max(length, window));
      start = from;
      if (bytes.length < length) return undefined;
    }
    return bytes.subarray(from - start, from - start + length);
  };
}

const isZero = (header: Uint8Array): boolean => header.every((byte) => byte === 0);

/** The sum of all bytes, those of the sum itself counted as blanks; some old programs count them as signed. */
function isHeader(header: Uint8Array): boolean {
  let unsigned = 0;
  let signed = 0;
  for (let i = 0; i < block; i++) {
    const byte = i >= 148 && i < 156 ? 32 : header[i]!;
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  const sum = numberIn(header, 148, 8);
  return sum === unsigned || sum === signed;
}

/** Octal digits, or a binary number where the first bit is set. */
function numberIn(header: Uint8Array, from: number, length: number): number | undefined {
  const first = header[from]!;
  if (first & 0x80) {
    if (first & 0x40) return -1;
    let value = first & 0x3f;
    for (let i = from + 1; i < from + length; i++) value = value * 256 + header[i]!;
    return value;
  }
  const digits = textOf(header, from, length).trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || "0", 8) : undefined;
}

const decoder = new TextDecoder();

function textOf(bytes: Uint8Array, from: number, length: number): string {
  const field = bytes.subarray(from, from + length);
  const end = field.indexOf(0);
  return decoder.decode(end < 0 ? field : field.subarray(0, end));
}

/** "27 path=some/name\n", each record with its own length in front. */
function attributes(bytes: Uint8Array): Attributes {
  const found: Attributes = {};
  let at = 0;
  while (at < bytes.length) {
    const length = Number.parseInt(textOf(bytes, at, 12), 10);
    if (!(length > 4) || at + length > bytes.length) break;
    const record = decoder.decode(bytes.subarray(at, at + length - 1));
    const name = record.slice(record.indexOf(" ") + 1, record.indexOf("="));
    const value = record.slice(record.indexOf("=") + 1);
    if (name === "path" || name === "GNU.sparse.name") found.path = value;
    else if (name === "linkpath") found.link = value;
    else if (name === "size") found.size = /^\d+$/.test(value) ? Number(value) : -1;
    else if (name === "mtime") found.modified = Number(value);
    at += length;
  }
  return found;
}

/** A map of holes too long for its header goes on in blocks of its own. */
function afterSparse(view: ReturnType<typeof windowed>, header: Uint8Array, body: number): number {
  let more = header[482] === 1;
  let at = body;
  while (more) {
    const map = view(at, block);
    more = map?.[504] === 1;
    at += block;
  }
  return at;
}

function entryOf(header: Uint8Array, type: string, named: Attributes, size: number): ArchiveEntry | undefined {
  const isUstar = textOf(header, 257, 6) === "ustar";
  const prefix = isUstar ? textOf(header, 345, 155) : "";
  const name = named.path ?? (prefix ? `${prefix}/` : "") + textOf(header, 0, 100);
  const modified = named.modified ?? numberIn(header, 136, 12);
  const about = { name, ...(modified !== undefined && { modified }) };
  if (name === "" || type === "V" || type === "M") return undefined;
  if (type === "5" || type === "D") return { ...about, kind: "folder" };
  if (type === "1" || type === "2")
    return { ...about, kind: type === "1" ? "hardlink" : "symlink", link: named.link ?? textOf(header, 157, 100) };
  if (name.endsWith("/")) return { ...about, kind: "folder" };
  return { ...about, kind: "file", size };
}
