// What is known about each line of a text: a mark per line, kept as ranges.
// Invariant: a mark is evidence. No mark: nothing was seen; two kinds of evidence that differ become `doubtful`.
import { isNewLine, type Origin } from "./align.js";

/** The id of the trace record that wrote the line, or one of the words below. */
export type LineMark = string;

export const noMark = "";
/** Changed outside the observed calls: a person, git, or a tool nobody watched. */
export const outside = "outside";
/** Several explanations with different authors. */
export const doubtful = "doubtful";

/** Lines are counted from 1; `last` is included. */
export type MarkRange = [first: number, last: number, mark: LineMark];

/** Who a record's lines are by. */
export interface LineAuthor {
  session?: string;
  agent?: string;
  model?: string;
  tool?: string;
  intent?: string;
  run?: string;
  phase?: string;
  /** Of the provisional record. */
  at?: string;
}

export type Authors = Record<string, LineAuthor>;

export const isRecord = (mark: LineMark): boolean => mark !== noMark && mark !== outside && mark !== doubtful;

export function rangesOf(marks: readonly LineMark[]): MarkRange[] {
  const ranges: MarkRange[] = [];
  marks.forEach((mark, i) => {
    if (mark === noMark) return;
    const last = ranges.at(-1);
    if (last && last[2] === mark && last[1] === i) last[1] = i + 1;
    else ranges.push([i + 1, i + 1, mark]);
  });
  return ranges;
}

export function marksOf(ranges: readonly MarkRange[], lines: number): LineMark[] {
  const marks: LineMark[] = new Array(lines).fill(noMark);
  for (const [first, last, mark] of ranges) for (let n = first; n <= Math.min(last, lines); n++) marks[n - 1] = mark;
  return marks;
}

/** The mark a line has after a change; `fresh` is that of new lines. */
export function markAfter(origin: Origin, marks: readonly LineMark[], fresh: LineMark, authors: Authors): LineMark {
  if (typeof origin === "number") return origin === isNewLine ? fresh : marks[origin]!;
  const all = origin.from.map((i) => marks[i]!);
  if (origin.maybeNew) all.push(fresh);
  return agreed(all, authors);
}

/** The one mark that all candidates stand for. */
export function agreed(marks: readonly LineMark[], authors: Authors): LineMark {
  const [first = noMark] = marks;
  return marks.every((mark) => mark === first || sameAuthor(mark, first, authors)) ? first : doubtful;
}

function sameAuthor(a: LineMark, b: LineMark, authors: Authors): boolean {
  const [one, two] = [authors[a], authors[b]];
  if (!one || !two) return false;
  const { session, agent, model, intent } = one;
  return session === two.session && agent === two.agent && model === two.model && intent === two.intent;
}

/** Only the authors that the marks name. */
export function authorsNamed(marks: Iterable<LineMark>, authors: Authors): Authors {
  const named: Authors = {};
  for (const mark of marks) if (authors[mark]) named[mark] = authors[mark];
  return named;
}
