// Finds lines of a known text in another text that is no direct successor of it: after a stash, a squash, a merge
// done elsewhere. Invariant: only long lines that stand once in both texts count, and whole blocks between two of them.

/** A line with less in it ("return null;") may have been typed twice. */
const leastLetters = 8;

/** Long enough that nobody types it twice by chance. */
export const isTelling = (line: string): boolean => {
  let letters = 0;
  for (const c of line) if (/[\p{L}\p{N}]/u.test(c) && ++letters >= leastLetters) return true;
  return false;
};

/** For each line of `target` the line of `source` it is, or -1. `open`: the lines of `target` in question. */
export function recognise(
  source: readonly string[],
  target: readonly string[],
  open: (line: number) => boolean,
): number[] {
  const found: number[] = new Array(target.length).fill(-1);
  const once = placesOnce(source);
  const inTarget = placesOnce(target);
  for (const [text, j] of inTarget) {
    const i = once.get(text);
    if (j >= 0 && i !== undefined && i >= 0 && open(j) && isTelling(text)) found[j] = i;
  }
  let last = -1;
  for (let j = 0; j < target.length; j++) {
    if (found[j]! < 0) continue;
    if (last >= 0 && found[j]! - found[last]! === j - last && isBlock(source, target, found[last]!, last, j, open))
      for (let k = last + 1; k < j; k++) found[k] = found[last]! + k - last;
    last = j;
  }
  return found;
}

function placesOnce(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [i, line] of lines.entries()) places.set(line, places.has(line) ? -1 : i);
  return places;
}

function isBlock(
  source: readonly string[],
  target: readonly string[],
  i: number,
  from: number,
  to: number,
  open: (line: number) => boolean,
): boolean {
  for (let k = from + 1; k < to; k++) if (!open(k) || source[i + k - from] !== target[k]) return false;
  return true;
}
