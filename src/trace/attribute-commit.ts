// The note of one commit, from the working log and from commits whose lines it took over.
// Invariant: a line that surely is the parent's is not the commit's; each other line gets a mark on evidence or none.
import { follow, isNewLine, type Origin } from "./align.js";
import {
  type Authors,
  authorsNamed,
  doubtful,
  isRecord,
  type LineMark,
  markAfter,
  marksOf,
  noMark,
  rangesOf,
} from "./marks.js";
import { hashesOf, type TraceNote } from "./note.js";
import type { NotesStore } from "./notes-store.js";
import type { FileChange, TraceGit } from "./trace-git.js";
import { fromShelf, type LogEntry, type MarkedText, matchMarked, type WorkingLog } from "./working-log.js";

/** A commit or text that lines were taken over from. */
export interface LineSource {
  text(path: string): Promise<MarkedText | undefined>;
  /** It is the direct predecessor; otherwise only lines that can't be mistaken are taken. */
  direct: boolean;
  /** The blob its parent has at a path: where it is the commit's parent's too, doubtful places are the same. */
  parentBlob?(path: string): string | undefined;
  /** For a source whose text is not at hand. */
  fill?(target: MarkedText, path: string, isOpen: (line: number) => boolean): void;
}

export interface CommitParts {
  commit: string;
  parent?: string;
  files: readonly FileChange[];
  log?: WorkingLog;
  sources: readonly LineSource[];
}

/** Undefined: nothing is known about any of its lines. */
export async function noteFor(git: TraceGit, notes: NotesStore, parts: CommitParts): Promise<TraceNote | undefined> {
  const existing = await notes.of(parts.commit);
  const note: TraceNote = { files: [], authors: {} };
  for (const file of parts.files) {
    const marked = file.newBlob ? await markFile(git, existing, parts, file) : undefined;
    if (!marked?.marks.some((mark) => mark !== noMark)) continue;
    const ranges = rangesOf(marked.marks);
    note.files.push({ path: file.path, blob: file.newBlob!, ranges, hashes: hashesOf(ranges, marked.lines) });
    Object.assign(note.authors, authorsNamed(marked.marks, marked.authors));
  }
  return note.files.length ? note : undefined;
}

async function markFile(
  git: TraceGit,
  existing: TraceNote | undefined,
  { parent, log, sources }: CommitParts,
  file: FileChange,
): Promise<MarkedText | undefined> {
  const lines = await git.lines(file.newBlob!);
  if (!lines) return undefined;
  const old = file.oldBlob ? await git.lines(file.oldBlob) : [];
  const origins = follow(old ?? [], lines);
  const noted = existing?.files.find((one) => one.path === file.path && one.blob === file.newBlob);
  const target: MarkedText = {
    lines,
    marks: marksOf(noted?.ranges ?? [], lines.length),
    authors: { ...existing?.authors },
  };
  const entry = log?.get(file.path) ?? (file.from === undefined ? undefined : log?.get(file.from));
  if (entry) fillFromLog(target, origins, entry, entry.base !== undefined && entry.base === parent);
  for (const source of sources) {
    const text = (await source.text(file.path)) ?? (file.from ? await source.text(file.from) : undefined);
    if (text) fillFromSource(target, origins, text, source, file);
    source.fill?.(target, file.path, (j) => target.marks[j] === noMark && origins[j] === isNewLine);
  }
  return target;
}

/** `continuous`: the log was kept since the parent, so that it knows better than a comparison with the parent. */
export function fillFromLog(
  target: MarkedText,
  origins: readonly Origin[],
  entry: LogEntry,
  continuous: boolean,
): void {
  const { origins: inLog } = matchMarked(entry, target.lines, continuous);
  Object.assign(target.authors, entry.authors);
  target.lines.forEach((_, j) => {
    if (target.marks[j] !== noMark) return;
    const mark = markAfter(inLog[j]!, entry.marks, noMark, entry.authors);
    const origin = origins[j]!;
    if (origin === isNewLine) target.marks[j] = mark;
    else if (typeof origin === "number") target.marks[j] = continuous && isAgents(mark) ? mark : noMark;
    else target.marks[j] = continuous || !isRecord(mark) ? mark : doubtful;
  });
  fromShelf(target, entry.shelf, (j) => origins[j] === isNewLine && target.marks[j] === noMark);
}

const isAgents = (mark: LineMark): boolean => isRecord(mark) || mark === doubtful;

function fillFromSource(
  target: MarkedText,
  origins: readonly Origin[],
  text: MarkedText,
  source: LineSource,
  file: FileChange,
): void {
  const sameParent = source.parentBlob !== undefined && source.parentBlob(file.path) === file.oldBlob;
  const isOpen = (j: number) =>
    target.marks[j] === noMark && (origins[j] === isNewLine || (sameParent && typeof origins[j] !== "number"));
  const { origins: found } = matchMarked(text, target.lines, source.direct);
  const authors: Authors = { ...target.authors, ...text.authors };
  target.lines.forEach((_, j) => {
    if (isOpen(j)) target.marks[j] = markAfter(found[j]!, text.marks, noMark, authors);
  });
  target.authors = authors;
}
