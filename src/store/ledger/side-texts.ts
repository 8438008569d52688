// Texts kept beside the ledger so that they can be erased: the record has a salted digest, the side file text and salt.
// Invariant: the ledger never depends on a side file; erasing removes text and salt together, so the digest cannot be
// guessed back.
import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  closeQuietly,
  type Io,
  listDir,
  openMaking,
  readOr,
  removeIfThere,
  replaceStoreFile,
  writeAll,
} from "../io.js";
import type { Layout } from "../layout.js";
import { redact } from "../redact/redact.js";
import type { LedgerRecord, TextDigest } from "../types.js";
import { canonical, wellFormed } from "./canonical-json.js";
import { rawLines } from "./line-reader.js";

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
    const salt = randomBytes(16).toString("hex");
    prepared.digests[name] = { digest: digestOf(salt, text), bytes: Buffer.byteLength(text) };
    prepared.entries.push({ name, salt, text });
    prepared.redacted += count;
  }
  return prepared;
}

const digestOf = (salt: string, text: string): string =>
  createHmac("sha256", Buffer.from(salt, "hex")).update(text).digest("hex");

const pathOf = (at: Layout, segment: number): string => join(at.texts, `${String(segment).padStart(8, "0")}.jsonl`);

/** Written before the record that refers to them: a crash in between leaves an unused text, never a record without its
 * text. */
export function appendTexts(io: Io, at: Layout, segment: number, seq: number, time: string, entries: Entry[]): void {
  const path = pathOf(at, segment);
  const bytes = Buffer.from(entries.map((entry) => `${canonical({ ...entry, seq, time })}\n`).join(""));
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
}

export function readText(io: Io, at: Layout, segment: number, record: LedgerRecord, name: string): string | undefined {
  const wanted = record.texts?.[name];
  const path = pathOf(at, segment);
  if (!wanted || !readOr(io, path)) return undefined;
  for (const line of rawLines(io, path)) {
    const entry = parseEntry(line.bytes);
    if (entry?.seq === record.seq && entry.name === name && digestOf(entry.salt, entry.text) === wanted.digest)
      return entry.text;
  }
  return undefined;
}

/** Removes every text older than `before`; returns how many. Called under the lock. */
export function eraseTexts(io: Io, at: Layout, before: Date, nonce: string): number {
  let erased = 0;
  for (const file of listDir(io, at.texts).filter((name) => name.endsWith(".jsonl"))) {
    const path = join(at.texts, file);
    const kept: Buffer[] = [];
    let gone = 0;
    for (const line of rawLines(io, path)) {
      const entry = parseEntry(line.bytes);
      if (entry && Date.parse(entry.time) >= before.getTime()) kept.push(line.bytes, Buffer.from("\n"));
      else gone++;
    }
    if (gone === 0) continue;
    erased += gone;
    if (kept.length) replaceStoreFile(io, path, Buffer.concat(kept), nonce, true);
    else removeIfThere(io, path);
  }
  return erased;
}

function parseEntry(bytes: Buffer): (Entry & { seq: number; time: string }) | undefined {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined; // half a line of a writer that died: nobody refers to it
  }
}
