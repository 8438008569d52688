// Texts kept beside the ledger so that they can be erased: the record has a salted digest, the side file text and salt.
// Invariant: the ledger never depends on a side file; erasing removes text and salt together, so the digest cannot be
// guessed back.
import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { zlib } from "../../project/node-builtins.js";
import { asFault } from "../fault.js";
import {
  closeQuietly,
  exists,
  type Io,
  listDir,
  openMaking,
  readOr,
  removeIfThere,
  replaceStoreFile,
  type Stamp,
  sameStamp,
  withStampOr,
  writeAll,
} from "../io.js";
import type { Layout } from "../layout.js";
import { redact } from "../redact/redact.js";
import type { LedgerRecord, TextDigest } from "../types.js";
import { canonical, wellFormed } from "./canonical-json.js";

interface Entry {
  name: string;
  salt: string;
  text: string;
}

export interface Prepared {
  digests: Record<string, TextDigest>;
  entries: Entry[];
  redacted: number;
}

export function prepareTexts(texts: Record<string, string>): Prepared {
  const prepared: Prepared = { digests: {}, entries: [], redacted: 0 };
  for (const [name, raw] of Object.entries(texts)) {
    const { text, count } = redact(wellFormed(raw));
    addPrepared(prepared, name, text);
    prepared.redacted += count;
  }
  return prepared;
}

/** `text`: without secrets already. */
export function addPrepared({ digests, entries }: Prepared, name: string, text: string): void {
  const salt = randomBytes(16).toString("hex");
  digests[name] = { digest: digestOf(salt, text), bytes: Buffer.byteLength(text) };
  entries.push({ name, salt, text });
}

const digestOf = (salt: string, text: string): string =>
  createHmac("sha256", Buffer.from(salt, "hex")).update(text).digest("hex");

const pathOf = (at: Layout, segment: number): string => join(at.texts, `${String(segment).padStart(8, "0")}.jsonl`);
const packedOf = (path: string): string => `${path}.br`;

/** Without the ending of packed ones, in order of their segments. */
function textFiles(io: Io, at: Pick<Layout, "texts">): string[] {
  const names = listDir(io, at.texts).flatMap((name) => /^(\d{8}\.jsonl)(?:\.br)?$/.exec(name)?.[1] ?? []);
  return [...new Set(names)].sort().map((name) => join(at.texts, name));
}

/** Written before the record that refers to them: a crash in between leaves an unused text, never a record without its
 * text. */
export function appendTexts(io: Io, at: Layout, segment: number, seq: number, time: string, entries: Entry[]): void {
  const path = pathOf(at, segment);
  const bytes = Buffer.from(entries.map((entry) => `${canonical({ ...entry, seq, time })}\n`).join(""));
  try {
    const fd = openMaking(io, path, "a");
    try {
      const { size } = io.fstatSync(fd);
      try {
        writeAll(io, fd, bytes, path);
      } catch (error) {
        io.ftruncateSync(fd, size);
        throw error;
      }
    } finally {
      closeQuietly(io, fd);
    }
  } catch (error) {
    throw asFault(error, "write", path);
  }
}

/** Finds texts by the number of their record, newest files first; each file is read once. */
export class TextReader {
  readonly #files: string[];
  readonly #read = new Map<string, Map<number, Buffer[]>>();

  constructor(
    private readonly io: Io,
    at: Pick<Layout, "texts">,
  ) {
    this.#files = textFiles(io, at).reverse();
  }

  text(record: LedgerRecord, name: string): string | undefined {
    const wanted = record.texts?.[name];
    if (!wanted) return undefined;
    for (const file of this.#files) {
      const lines = this.#linesOf(file);
      for (const line of lines.get(record.seq) ?? []) {
        const entry = parseEntry(line);
        if (entry?.name === name && digestOf(entry.salt, entry.text) === wanted.digest) return entry.text;
      }
      if ((lines.keys().next().value ?? Number.POSITIVE_INFINITY) <= record.seq) return undefined;
    }
    return undefined;
  }

  #linesOf(file: string): Map<number, Buffer[]> {
    const known = this.#read.get(file);
    if (known) return known;
    const lines = new Map<number, Buffer[]>();
    for (const line of linesIn(contentOf(this.io, file))) {
      const seq = Number(seqIn.exec(line.toString("latin1", 0, 400))?.[1]);
      lines.set(seq, [...(lines.get(seq) ?? []), line]);
    }
    // One file at a time: a reader goes through the ledger in order.
    this.#read.clear();
    this.#read.set(file, lines);
    return lines;
  }
}

const seqIn = /","seq":(\d+),"text":/;

/** While both files are there the plain one counts. Undefined: damaged; its texts are gone, the records stand. */
function readableContent(io: Io, path: string): Buffer | undefined {
  const plain = readOr(io, path);
  if (plain) return plain;
  const packed = readOr(io, packedOf(path));
  return packed ? unpacked(packed) : Buffer.alloc(0);
}

const contentOf = (io: Io, path: string): Buffer => readableContent(io, path) ?? Buffer.alloc(0);

/** Salts, which no compressor makes smaller, stand as bytes after the lines and a byte 0, in the same order. */
const saltIn = /^(\{"name":"[^"\\]*","salt":")([0-9a-f]{32})?"/gm;

function unpacked(packed: Buffer): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = zlib().brotliDecompressSync(packed);
  } catch {
    return undefined;
  }
  let at = bytes.indexOf(0) + 1;
  const lines = bytes.toString("latin1", 0, at - 1);
  const whole = lines.replace(saltIn, (_, head: string) => `${head}${bytes.toString("hex", at, (at += 16))}"`);
  return at === bytes.length ? Buffer.from(whole, "latin1") : undefined;
}

function compressed(plain: Buffer): Buffer {
  const { brotliCompressSync, constants } = zlib();
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  const salts: string[] = [];
  const lines = plain.toString("latin1").replace(saltIn, (_, head: string, salt: string) => {
    salts.push(salt);
    return `${head}"`;
  });
  const content = [Buffer.from(`${lines}\0`, "latin1"), Buffer.from(salts.join(""), "hex")];
  return brotliCompressSync(Buffer.concat(content), { params });
}

function linesIn(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

export interface SideText extends Entry {
  seq: number;
  time: string;
}

/** Removes every text that `goes` names, half lines and what cannot be read. `dry`: only counts. Called under the
 * lock. */
export function eraseTexts(
  io: Io,
  at: Layout,
  goes: (text: SideText) => boolean,
  nonce: string,
  dry = false,
): { texts: number; bytes: number } {
  const erased = { texts: 0, bytes: 0 };
  for (const path of textFiles(io, at)) {
    const plain = exists(io, path);
    // Both are there where a packer died: the plain one counts.
    if (plain && !dry) removeIfThere(io, packedOf(path));
    const content = readableContent(io, path);
    const kept: Buffer[] = [];
    // Half a line at the end is of a writer that died: this one holds the lock.
    let gone = content && (content.length === 0 || content.at(-1) === 10) ? 0 : 1;
    for (const line of linesIn(content ?? Buffer.alloc(0))) {
      const entry = parseEntry(line);
      if (entry && !goes(entry)) kept.push(line, lineEnd);
      else {
        gone++;
        erased.bytes += line.length;
      }
    }
    if (gone === 0) continue;
    erased.texts += gone;
    if (dry) continue;
    const file = plain ? path : packedOf(path);
    const rest = Buffer.concat(kept);
    if (kept.length) replaceStoreFile(io, file, plain ? rest : compressed(rest), nonce, true);
    else io.unlinkSync(file);
  }
  return erased;
}

const lineEnd = Buffer.from("\n");

export interface PackedTexts {
  path: string;
  stamp: Stamp;
  packed: Buffer;
}

/** Compresses the texts of segments before `open`, the oldest first, and writes nothing. Needs no lock. */
export function* packTexts(io: Io, at: Layout, open: number, most: number): Generator<PackedTexts> {
  let done = 0;
  for (const path of textFiles(io, at)) {
    if (path >= pathOf(at, open) || done >= most) return;
    const found = withStampOr(io, path);
    if (!found) continue;
    done++;
    yield { path, stamp: found.stamp, packed: compressed(found.bytes) };
  }
}

/** Puts packed texts in the place of the plain ones, unless something was erased meanwhile. Called under the lock. */
export function placePacked(io: Io, { path, stamp, packed }: PackedTexts, nonce: string): void {
  const now = withStampOr(io, path);
  if (!now || !sameStamp(stamp, now.stamp)) return;
  replaceStoreFile(io, packedOf(path), packed, nonce, true);
  const back = readOr(io, packedOf(path));
  if (back && unpacked(back)?.equals(now.bytes)) io.unlinkSync(path);
}

function parseEntry(bytes: Buffer): SideText | undefined {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined; // half a line of a writer that died: nobody refers to it
  }
}
