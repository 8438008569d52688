// The working log of one work tree: for each file with uncommitted agent lines its last known text and a mark per line.
// Invariant: kept in Interlock's folder, written whole; a text that is not known has no entry, never a guessed one.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../model/sha256.js";
import { follow, linesOf, type Origin } from "./align.js";
import {
  type Authors,
  authorsNamed,
  isRecord,
  type LineMark,
  type MarkRange,
  markAfter,
  marksOf,
  noMark,
  outside,
  rangesOf,
} from "./marks.js";
import { isTelling, recognise } from "./recognise.js";
import { writeAtOnce } from "./whole-file.js";

/** A text with what is known about its lines. */
export interface MarkedText {
  lines: string[];
  marks: LineMark[];
  authors: Authors;
}

export interface LogEntry extends MarkedText {
  path: string;
  /** HEAD when the text was recorded; undefined when the file was committed in another form since. */
  base?: string;
  /** When an agent's change was last recorded. */
  at?: number;
  /** Former texts whose agent lines vanished outside the calls: a stash or a checkout may bring them back. */
  shelf: MarkedText[];
}

export const mostBytes = 1 << 20;
const mostShelved = 6;
/** Former texts are forgotten this long after the agent's last change (ms). */
const shelvedMs = 60 * 24 * 3600_000;

interface StoredText {
  text: string[];
  ranges: MarkRange[];
  authors: Authors;
}

interface StoredEntry extends StoredText {
  version: 1;
  path: string;
  base?: string;
  at?: number;
  shelf: StoredText[];
}

export class WorkingLog {
  readonly #folder: string;

  /** `folder`: Interlock's folder of the project; `root`: of the work tree. */
  constructor(folder: string, root: string) {
    this.#folder = join(folder, "trace", "work", sha256(root).slice(0, 16));
  }

  get(path: string): LogEntry | undefined {
    return this.#read(this.#file(path));
  }

  all(): LogEntry[] {
    return this.#names().flatMap((name) => this.#read(join(this.#folder, name)) ?? []);
  }

  isEmpty(): boolean {
    return this.#names().length === 0;
  }

  /** An entry without marks and without former texts says nothing and is removed. */
  put(entry: LogEntry): void {
    const isOld = entry.at !== undefined && Date.now() - entry.at > shelvedMs;
    const shelf = isOld ? [] : entry.shelf.filter(({ marks }) => marks.some(isRecord)).slice(-mostShelved);
    if (!shelf.length && entry.marks.every((mark) => mark === noMark)) return this.remove(entry.path);
    const stored: StoredEntry = {
      version: 1,
      path: entry.path,
      ...(entry.base && { base: entry.base }),
      ...(entry.at !== undefined && { at: entry.at }),
      ...storedText(entry),
      shelf: shelf.map(storedText),
    };
    writeAtOnce(this.#file(entry.path), JSON.stringify(stored));
  }

  remove(path: string): void {
    rmSync(this.#file(path), { force: true });
  }

  #file(path: string): string {
    return join(this.#folder, `${sha256(path).slice(0, 32)}.json`);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith(".json"));
    } catch {
      return []; // nothing was recorded in this work tree
    }
  }

  #read(file: string): LogEntry | undefined {
    try {
      const stored = JSON.parse(readFileSync(file, "utf8")) as StoredEntry;
      if (stored.version !== 1 || !Array.isArray(stored.text)) return undefined;
      const { path, base, at } = stored;
      const given = { ...(base && { base }), ...(at !== undefined && { at }) };
      return { path, ...given, ...markedText(stored), shelf: stored.shelf.map(markedText) };
    } catch {
      return undefined; // absent or damaged: nothing is known
    }
  }
}

const storedText = ({ lines, marks, authors }: MarkedText): StoredText => ({
  text: lines,
  ranges: rangesOf(marks),
  authors: authorsNamed(marks, authors),
});

const markedText = ({ text, ranges, authors }: StoredText): MarkedText => ({
  lines: text,
  marks: marksOf(ranges, text.length),
  authors,
});

/** Lines of a file that can be followed; undefined for a large or binary one. */
export function followable(text: string): string[] | undefined {
  return text.length > mostBytes || text.includes("\0") ? undefined : linesOf(text);
}

/** The entry brought to the text found on disk: what differs was changed outside the observed calls. */
export function caughtUp(entry: LogEntry, lines: readonly string[], head: string | undefined): LogEntry {
  if (lines.length === entry.lines.length && lines.every((line, i) => line === entry.lines[i])) return entry;
  const moved = entry.base !== head;
  const { origins, jumped } = matchMarked(entry, lines, !moved);
  // Where HEAD moved or the text is another one, git may have brought the lines, and the commits know more about them.
  const fresh = moved || jumped ? noMark : outside;
  const marks = origins.map((origin) => markAfter(origin, entry.marks, fresh, entry.authors));
  const next: LogEntry = {
    path: entry.path,
    ...(!moved && head && { base: head }),
    lines: [...lines],
    marks,
    authors: entry.authors,
    shelf: losesAgentLines(entry, marks) ? [...entry.shelf, entry] : entry.shelf,
  };
  fromShelf(next, entry.shelf, (i) => origins[i] === -1);
  return next;
}

/**
 * The lines of a marked text in another one. If that is no successor of it (a stash took all of the agent's lines away,
 * or it is said not to be `direct`), only lines that can't be mistaken are matched.
 */
export function matchMarked(
  text: MarkedText,
  lines: readonly string[],
  direct: boolean,
): { origins: Origin[]; jumped: boolean } {
  const origins = direct ? follow(text.lines, lines) : [];
  const own = text.marks.flatMap((mark, i) => (isRecord(mark) ? [i] : []));
  const telling = own.filter((i) => isTelling(text.lines[i]!));
  const kept = new Set(origins.flatMap((origin) => (typeof origin === "number" ? [origin] : origin.from)));
  // Short lines alone prove nothing: with one of them gone the others may be somebody else's.
  const isSuccessor = telling.length ? telling.some((i) => kept.has(i)) : own.every((i) => kept.has(i));
  const jumped = !direct || !isSuccessor;
  return jumped ? { origins: recognise(text.lines, lines, () => true), jumped } : { origins, jumped };
}

const losesAgentLines = (entry: MarkedText, marks: readonly LineMark[]): boolean => {
  const count = (all: readonly LineMark[]) => all.filter(isRecord).length;
  return count(marks) < count(entry.marks);
};

/** Marks lines that are those of a former text. */
export function fromShelf(target: MarkedText, shelf: readonly MarkedText[], open: (line: number) => boolean): void {
  for (const former of [...shelf].reverse()) {
    const found = recognise(former.lines, target.lines, (i) => open(i) && !isRecord(target.marks[i]!));
    found.forEach((from, i) => {
      if (from < 0 || !isRecord(former.marks[from]!)) return;
      target.marks[i] = former.marks[from]!;
      target.authors = { ...target.authors, [former.marks[from]!]: former.authors[former.marks[from]!]! };
    });
  }
}
