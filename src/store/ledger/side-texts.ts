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
  digests[name] = { digest: digestOf(salt, text).slice(0, digestLength), bytes: Buffer.byteLength(text) };
  entries.push({ name, salt, text });
}

/** Half of it is enough to notice a change; no compressor makes it smaller. Earlier releases wrote all of it. */
const digestLength = 32;

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
    const fd = openMaking(io, path, "a+");
    try {
      const size = wholeLines(io, fd, path);
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

/** The size of the file without half a line that a writer who died left at its end: that goes, nobody refers to it. */
function wholeLines(io: Io, fd: number, path: string): number {
  const { size } = io.fstatSync(fd);
  const last = Buffer.alloc(1);
  if (size === 0 || (io.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === 10)) return size;
  const whole = io.readFileSync(path).lastIndexOf(10) + 1;
  io.ftruncateSync(fd, whole);
  return whole;
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
        if (entry?.name === name && matchesDigest(entry, wanted)) return entry.text;
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
  // An erasure that leaves no line removes the file.
  if (at <= 1) return undefined;
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

/** What an erasure removes. */
export interface TextErasure {
  texts: number;
  bytes: number;
  /** Numbers of the records whose texts go, first and last of each run; no text that stays lies in a run. */
  runs: [from: number, to: number][];
  /** The files to write anew. */
  files: string[];
}

/** Every text that `goes` names, half lines and what cannot be read; changes nothing. `byAge`: runs reach over records
 * whose texts are gone already. */
export function planErasure(io: Io, at: Layout, goes: (text: SideText) => boolean, byAge: boolean): TextErasure {
  const plan: TextErasure = { texts: 0, bytes: 0, runs: [], files: [] };
  let stays = 0;
  for (const path of textFiles(io, at)) {
    const content = readableContent(io, path);
    // Half a line at the end is of a writer that died: this one holds the lock.
    let gone = content && (content.length === 0 || content.at(-1) === 10) ? 0 : 1;
    for (const line of linesIn(content ?? Buffer.alloc(0))) {
      const entry = parseEntry(line);
      if (entry && !goes(entry)) {
        stays = entry.seq;
        continue;
      }
      gone++;
      plan.bytes += line.length;
      if (entry) addToRuns(plan.runs, byAge ? stays + 1 : entry.seq, entry.seq);
    }
    // Both are there where a packer died.
    if (gone || (exists(io, path) && exists(io, packedOf(path)))) plan.files.push(path);
    plan.texts += gone;
  }
  return plan;
}

function addToRuns(runs: TextErasure["runs"], from: number, to: number): void {
  const last = runs.at(-1);
  if (last && last[1] >= from - 1) last[1] = Math.max(last[1], to);
  else runs.push([from, to]);
}

/** Writes the files of a plan anew. Called under the lock, after the erasure is on record. */
export function eraseTexts(io: Io, { files }: TextErasure, goes: (text: SideText) => boolean, nonce: string): void {
  for (const path of files) {
    const plain = exists(io, path);
    // Both are there where a packer died: the plain one counts.
    if (plain) removeIfThere(io, packedOf(path));
    const kept = linesIn(contentOf(io, path)).flatMap((line) => {
      const entry = parseEntry(line);
      return entry && !goes(entry) ? [line, lineEnd] : [];
    });
    const file = plain ? path : packedOf(path);
    const rest = Buffer.concat(kept);
    if (kept.length) replaceStoreFile(io, file, plain ? rest : compressed(rest), nonce, true);
    else io.unlinkSync(file);
  }
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

/** Undefined: half a line of a writer that died, to which no record refers, or a damaged one. */
function parseEntry(bytes: Buffer): SideText | undefined {
  try {
    const entry = JSON.parse(bytes.toString("utf8")) as SideText | null;
    return typeof entry?.text === "string" && Number.isInteger(entry.seq) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** The texts beside a segment as they stand. `strange`: a part of the file is not what a writer writes. */
export function textsBeside(io: Io, at: Layout, segment: number): { entries: SideText[]; strange: boolean } {
  const content = readableContent(io, pathOf(at, segment));
  const entries: SideText[] = [];
  let strange = !content || (content.length > 0 && content.at(-1) !== 10);
  for (const line of linesIn(content ?? Buffer.alloc(0))) {
    const entry = parseEntry(line);
    const { name, salt, seq, text, time } = entry ?? {};
    const written = JSON.stringify({ name, salt, seq, text, time });
    if (entry && /^[0-9a-f]{32}$/.test(String(salt)) && line.equals(Buffer.from(written))) entries.push(entry);
    else strange = true;
    const [before, last] = entries.slice(-2);
    if (before && last && last.seq < before.seq) strange = true;
  }
  return { entries, strange };
}

export const matchesDigest = ({ salt, text }: SideText, { digest, bytes }: TextDigest): boolean =>
  digest.length >= digestLength && digestOf(salt, text).startsWith(digest) && Buffer.byteLength(text) === bytes;
