// The git note of one commit: which lines the commit brought are by which trace record.
// Invariant: text a person can read; what is read back is checked, and two notes joined by `git notes merge` still
// read.
import { isObject } from "../model/json.js";
import { type Authors, doubtful, type LineAuthor, type LineMark, type MarkRange, outside } from "./marks.js";
import { contentHash } from "./trace-record.js";

/** Not refs/notes/ai: that is git-ai's, with another format, and two writers would destroy each other's notes. */
export const notesRef = "refs/notes/interlock";

export interface NoteFile {
  path: string;
  blob: string;
  ranges: MarkRange[];
  /** First letters of each range's content hash, to find the lines again where the commit is gone. */
  hashes: string[];
}

export interface TraceNote {
  files: NoteFile[];
  authors: Authors;
}

const title = "interlock-trace 1";
const hashLength = 16;
const recordId = /^[0-9A-Za-z][0-9A-Za-z_.:-]{7,63}$/;
const textFields = ["session", "agent", "model", "tool", "intent", "run", "phase", "at"] as const;

export const rangeHash = (lines: readonly string[]): string =>
  contentHash(lines).slice("sha256:".length, "sha256:".length + hashLength);

export const hashesOf = (ranges: readonly MarkRange[], lines: readonly string[]): string[] =>
  ranges.map(([first, last]) => rangeHash(lines.slice(first - 1, last)));

/** A file per line, its marks indented below it: `<mark> <first>-<last>#<hash>,...` */
export function formatNote(note: TraceNote): string {
  const lines = [title];
  for (const { path, blob, ranges, hashes } of note.files) {
    lines.push(`${/^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path)} ${blob}`);
    const byMark = new Map<LineMark, string[]>();
    ranges.forEach(([first, last, mark], k) => {
      const list = byMark.get(mark) ?? [];
      list.push(`${first === last ? first : `${first}-${last}`}#${hashes[k]}`);
      byMark.set(mark, list);
    });
    for (const [mark, list] of byMark) lines.push(`  ${mark} ${list.join(",")}`);
  }
  return `${lines.join("\n")}\n---\n${JSON.stringify({ authors: note.authors }, null, 1)}\n`;
}

/** Undefined: no note of ours. */
export function parseNote(text: string): TraceNote | undefined {
  const note: TraceNote = { files: [], authors: {} };
  const documents = text.split(new RegExp(`^${title}$`, "m"));
  for (const document of documents.slice(1)) {
    const [head = "", json = ""] = document.split(/^---$/m);
    readAuthors(json, note.authors);
    let file: NoteFile | undefined;
    for (const line of head.split("\n")) {
      const named = /^(\S.*) ([0-9a-f]{40,64})$/.exec(line);
      if (named) {
        const path = named[1]!.startsWith('"') ? unquoted(named[1]!) : named[1]!;
        file = path === undefined ? undefined : { path, blob: named[2]!, ranges: [], hashes: [] };
        if (file) note.files.push(file);
      } else if (file) readMarks(line, file);
    }
  }
  for (const file of note.files) sortRanges(file);
  return documents.length > 1 ? { ...note, files: joined(note.files) } : undefined;
}

function readMarks(line: string, file: NoteFile): void {
  const found = /^ {2}(\S+) ([\d#,a-f-]+)$/.exec(line);
  if (!found || !(found[1] === outside || found[1] === doubtful || recordId.test(found[1]!))) return;
  for (const part of found[2]!.split(",")) {
    const range = /^(\d{1,9})(?:-(\d{1,9}))?(?:#([0-9a-f]*))?$/.exec(part);
    const first = Number(range?.[1]);
    const last = Number(range?.[2] ?? range?.[1]);
    if (!range || first < 1 || last < first) continue;
    file.ranges.push([first, last, found[1]!]);
    file.hashes.push(range[3] ?? "");
  }
}

function sortRanges(file: NoteFile): void {
  const order = file.ranges.map((_, k) => k).sort((a, b) => file.ranges[a]![0] - file.ranges[b]![0]);
  const { ranges, hashes } = file;
  file.ranges = order.map((k) => ranges[k]!);
  file.hashes = order.map((k) => hashes[k]!);
}

/** The same file in two joined notes: what they say differently is doubtful. */
function joined(files: readonly NoteFile[]): NoteFile[] {
  const byName = new Map<string, NoteFile>();
  for (const file of files) {
    const key = `${file.path}\0${file.blob}`;
    const known = byName.get(key);
    if (!known) byName.set(key, file);
    else if (JSON.stringify(known.ranges) !== JSON.stringify(file.ranges)) {
      const kept = file.ranges.map((range, k) => {
        const clash = known.ranges.find(
          ([first, last, mark]) => first <= range[1] && last >= range[0] && mark !== range[2],
        );
        return [clash ? [range[0], range[1], doubtful] : range, file.hashes[k]!] as [MarkRange, string];
      });
      const clean = known.ranges.map((range, k) => [range, known.hashes[k]!] as [MarkRange, string]);
      known.ranges = [...clean, ...kept].map(([range]) => range);
      known.hashes = [...clean, ...kept].map(([, hash]) => hash);
    }
  }
  return [...byName.values()];
}

function readAuthors(json: string, authors: Authors): void {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return; // damaged: the marks stand without their details
  }
  const given = isObject(value) && isObject(value["authors"]) ? value["authors"] : {};
  for (const [id, author] of Object.entries(given)) {
    if (!recordId.test(id) || !isObject(author)) continue;
    const read: LineAuthor = {};
    for (const name of textFields) if (typeof author[name] === "string") read[name] = author[name].slice(0, 300);
    authors[id] = read;
  }
}

function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
