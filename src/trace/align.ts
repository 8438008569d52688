// Which line of the new text is which line of the old one. Pure.
// Invariant: no guess. Where several alignments explain a change equally well (a repeated "}" beside an inserted
// block), all candidates are named, and the caller may only use what they agree on.

/** Candidates of one line: indices in the old text, and whether it may be new. */
export interface Candidates {
  from: readonly number[];
  maybeNew: boolean;
}

/** The index of the old line, -1 for a new line, or the candidates. */
export type Origin = number | Candidates;

export const isNewLine = -1;
/** Cells of the table for a stretch without unique lines. A larger stretch gets candidates only. */
const mostCells = 400_000;

/** Lines without their ends, so that CRLF and LF are the same; the last line end starts no line. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** For each line of `b` its origin in `a`. */
export function follow(a: readonly string[], b: readonly string[]): Origin[] {
  const origins: Origin[] = new Array(b.length).fill(isNewLine);
  const pairs = uniquePairs(a, b, { a0: 0, a1: a.length, b0: 0, b1: b.length });
  const anchors = longestIncreasing(pairs);
  const kept = new Set(anchors);
  const moved = pairs.filter((pair) => !kept.has(pair));
  for (const [i, j] of moved) origins[j] = i;
  between(a, b, { a0: 0, a1: a.length, b0: 0, b1: b.length }, anchors, origins);
  for (const [i, j] of moved) doubtBeside(a, b, i, j, origins);
  return origins;
}

interface Stretch {
  a0: number;
  a1: number;
  b0: number;
  b1: number;
}

function between(
  a: readonly string[],
  b: readonly string[],
  whole: Stretch,
  anchors: readonly (readonly [number, number])[],
  origins: Origin[],
): void {
  let { a0, b0 } = whole;
  for (const [i, j] of anchors) {
    origins[j] = i;
    stretch(a, b, { a0, a1: i, b0, b1: j }, origins);
    a0 = i + 1;
    b0 = j + 1;
  }
  stretch(a, b, { a0, a1: whole.a1, b0, b1: whole.b1 }, origins);
}

function stretch(a: readonly string[], b: readonly string[], s: Stretch, origins: Origin[]): void {
  if (s.a0 === s.a1 || s.b0 === s.b1) return;
  if (sameStretch(a, b, s)) {
    for (let k = 0; k < s.b1 - s.b0; k++) if (origins[s.b0 + k] === isNewLine) origins[s.b0 + k] = s.a0 + k;
    return;
  }
  const pairs = uniquePairs(a, b, s).filter(([, j]) => origins[j] === isNewLine);
  const increasing = pairs.every(([i], k) => k === 0 || i > pairs[k - 1]![0]);
  if (pairs.length && increasing) between(a, b, s, pairs, origins);
  else allAlignments(a, b, s, origins);
}

function sameStretch(a: readonly string[], b: readonly string[], s: Stretch): boolean {
  if (s.a1 - s.a0 !== s.b1 - s.b0) return false;
  for (let k = 0; k < s.a1 - s.a0; k++) if (a[s.a0 + k] !== b[s.b0 + k]) return false;
  return true;
}

/** Lines whose text stands once in both, in the order of `b`. */
function uniquePairs(a: readonly string[], b: readonly string[], s: Stretch): [number, number][] {
  const inA = places(a, s.a0, s.a1);
  const inB = places(b, s.b0, s.b1);
  const pairs: [number, number][] = [];
  for (const [text, j] of inB) {
    const i = inA.get(text);
    if (j >= 0 && i !== undefined && i >= 0) pairs.push([i, j]);
  }
  return pairs;
}

/** Text -> its place, -1 for a text that stands there more than once. */
function places(lines: readonly string[], from: number, to: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let i = from; i < to; i++) found.set(lines[i]!, found.has(lines[i]!) ? -1 : i);
  return found;
}

/** Patience sorting on the indices in `a`. */
function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before: number[] = [];
  pairs.forEach(([i], at) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![0] < i) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = at;
  });
  const chain: [number, number][] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) chain.push(pairs[at]!);
  return chain.reverse();
}

/** All longest common subsequences at once: each line gets every origin it has in one of them. */
function allAlignments(a: readonly string[], b: readonly string[], s: Stretch, origins: Origin[]): void {
  const textsA = new Set(a.slice(s.a0, s.a1));
  const open: number[] = [];
  for (let j = s.b0; j < s.b1; j++) if (origins[j] === isNewLine && textsA.has(b[j]!)) open.push(j);
  if (!open.length) return;
  const textsB = new Set(open.map((j) => b[j]!));
  const rows: number[] = [];
  for (let i = s.a0; i < s.a1; i++) if (textsB.has(a[i]!)) rows.push(i);
  if (rows.length * open.length > mostCells) {
    for (const j of open) origins[j] = { from: rows.filter((i) => a[i] === b[j]), maybeNew: true };
    return;
  }
  const width = open.length + 1;
  const same = (r: number, c: number) => a[rows[r]!] === b[open[c]!];
  const head = new Uint32Array((rows.length + 1) * width);
  const tail = new Uint32Array((rows.length + 1) * width);
  for (let r = 1; r <= rows.length; r++)
    for (let c = 1; c < width; c++)
      head[r * width + c] = same(r - 1, c - 1)
        ? head[(r - 1) * width + c - 1]! + 1
        : Math.max(head[(r - 1) * width + c]!, head[r * width + c - 1]!);
  for (let r = rows.length - 1; r >= 0; r--)
    for (let c = width - 2; c >= 0; c--)
      tail[r * width + c] = same(r, c)
        ? tail[(r + 1) * width + c + 1]! + 1
        : Math.max(tail[(r + 1) * width + c]!, tail[r * width + c + 1]!);
  const longest = head[rows.length * width + width - 1]!;
  open.forEach((j, c) => {
    const from: number[] = [];
    let maybeNew = false;
    for (let r = 0; r <= rows.length; r++) {
      if (head[r * width + c]! + tail[r * width + c + 1]! === longest) maybeNew = true;
      if (r < rows.length && same(r, c) && head[r * width + c]! + 1 + tail[(r + 1) * width + c + 1]! === longest)
        from.push(rows[r]!);
    }
    if (from.length === 1 && !maybeNew) origins[j] = from[0]!;
    else if (from.length) origins[j] = { from, maybeNew };
  });
}

/** Repeated lines that moved together with a unique one may have moved with it. */
function doubtBeside(a: readonly string[], b: readonly string[], i: number, j: number, origins: Origin[]): void {
  for (const step of [-1, 1])
    for (let k = step; a[i + k] !== undefined && a[i + k] === b[j + k] && origins[j + k] === isNewLine; k += step)
      origins[j + k] = { from: [i + k], maybeNew: true };
}
