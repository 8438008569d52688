// Words that the state refers to by a keyed hash: what a person said, what failed, why something was asked for.
// Invariant: state and ledger hold the hash alone. The words are in one file beside them, without secrets, and erasing
// them changes neither.
import { join } from "node:path";
import { closeQuietly, type Io, openMaking, readOr, removeIfThere, replaceStoreFile, writeAll } from "./io.js";
import { redact } from "./redact/redact.js";

export interface KeptWord {
  /** The mark, as the state has it. */
  word: string;
  text: string;
  at: string;
  session?: string;
}

const longest = 500;
/** Above this size the older half goes. */
const largest = 1 << 20;

export const wordsPath = (folder: string): string => join(folder, "texts", "words.jsonl");

/** Called under the lock, before the record that refers to them is written. */
export function keepWords(
  io: Io,
  folder: string,
  words: Readonly<Record<string, string>>,
  about: { at: string; session?: string; nonce: string },
): void {
  const path = wordsPath(folder);
  const known = readWords(io, folder);
  const { at, session, nonce } = about;
  const fresh = Object.entries(words)
    .filter(([word]) => !known.has(word))
    .map(([word, text]) =>
      lineOf({ word, text: redact(text).text.slice(0, longest), at, ...(session && { session }) }),
    );
  if (!fresh.length) return;
  const there = readOr(io, path)?.length ?? 0;
  if (there > largest) {
    const lines = entriesIn(io, folder);
    replaceStoreFile(
      io,
      path,
      Buffer.from(
        lines
          .slice(lines.length / 2)
          .map(lineOf)
          .join(""),
      ),
      nonce,
      false,
    );
  }
  const fd = openMaking(io, path, "a");
  try {
    writeAll(io, fd, Buffer.from(fresh.join("")), path);
  } finally {
    closeQuietly(io, fd);
  }
}

const lineOf = (entry: KeptWord): string => `${JSON.stringify(entry)}\n`;

export const readWords = (io: Io, folder: string): Map<string, string> =>
  new Map(entriesIn(io, folder).map(({ word, text }) => [word, text]));

function entriesIn(io: Io, folder: string): KeptWord[] {
  const text = readOr(io, wordsPath(folder))?.toString("utf8") ?? "";
  return text.split("\n").flatMap((line) => {
    try {
      const entry = JSON.parse(line) as KeptWord;
      return typeof entry.word === "string" && typeof entry.text === "string" ? [entry] : [];
    } catch {
      return []; // half a line of a writer that died
    }
  });
}

/** Removes the words that `goes` names; returns how many. Called under the lock. */
export function eraseWords(
  io: Io,
  folder: string,
  goes: (entry: KeptWord) => boolean,
  nonce: string,
  dry = false,
): number {
  const all = entriesIn(io, folder);
  const kept = all.filter((entry) => !goes(entry));
  if (dry || kept.length === all.length) return all.length - kept.length;
  if (kept.length) replaceStoreFile(io, wordsPath(folder), Buffer.from(kept.map(lineOf).join("")), nonce, true);
  else removeIfThere(io, wordsPath(folder));
  return all.length - kept.length;
}
