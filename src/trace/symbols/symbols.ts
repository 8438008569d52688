// Names of the functions, classes and other declarations that ranges of lines touch. Invariant: in the order of the
// file, each once; the innermost declaration a line is in; a file that can't be read that way has none.
import { extensionOf } from "../syntax/file-kind.js";
import { longestParsed, parseLoosely } from "../syntax/syntax-tree.js";
import { declarationsByLine } from "./line-symbols.js";
import { declarationsInTree } from "./tree-symbols.js";

/** A declaration and the lines it takes, counted from 1. */
export interface DeclaredSymbol {
  name: string;
  start: number;
  end: number;
}

interface Nested extends DeclaredSymbol {
  inner: DeclaredSymbol[];
}

/** Lines are counted from 1; `end` is the last one. */
export function symbolsTouched(
  path: string,
  text: string,
  ranges: readonly { start: number; end: number }[],
): string[] {
  if (text.length > longestParsed) return [];
  const tree = parseLoosely(path, text);
  const declared = nested(tree ? declarationsInTree(tree) : declarationsByLine(extensionOf(path), text));
  const touched = declared.filter((one) =>
    ranges.some(({ start, end }) => one.start <= end && one.end >= start && !isCovered(one, start, end)),
  );
  return [...new Set(touched.map(({ name }) => name))];
}

/** In the order of the file, each with the declarations directly inside it. */
function nested(declared: readonly DeclaredSymbol[]): Nested[] {
  const sorted = declared.map((one): Nested => ({ ...one, inner: [] }));
  sorted.sort((a, b) => a.start - b.start || b.end - a.end);
  const around: Nested[] = [];
  for (const one of sorted) {
    while (around.length && !isInside(one, around.at(-1)!)) around.pop();
    around.at(-1)?.inner.push(one);
    around.push(one);
  }
  return sorted;
}

const isInside = (one: DeclaredSymbol, outer: DeclaredSymbol): boolean =>
  one.start >= outer.start && one.end <= outer.end && one.end - one.start < outer.end - outer.start;

/** Whether what a range touches of a declaration belongs to declarations inside it. */
function isCovered({ start, end, inner }: Nested, from: number, to: number): boolean {
  if (!inner.length) return false;
  let line = Math.max(from, start);
  for (const one of inner) {
    if (one.start > line) break;
    line = Math.max(line, one.end + 1);
  }
  return line > Math.min(to, end);
}
