// Names of the functions, classes and other declarations that ranges of lines touch. Invariant: in the order of the
// file, each once; the innermost declaration a line is in; a file that can't be read that way has none.
import { extensionOf } from "../syntax/file-kind.js";
import { parseLoosely } from "../syntax/syntax-tree.js";
import { declarationsByLine } from "./line-symbols.js";
import { declarationsInTree } from "./tree-symbols.js";

/** A declaration and the lines it takes, counted from 1. */
export interface DeclaredSymbol {
  name: string;
  start: number;
  end: number;
}

/** Lines are counted from 1; `end` is the last one. */
export function symbolsTouched(
  path: string,
  text: string,
  ranges: readonly { start: number; end: number }[],
): string[] {
  const declared = declarationsOf(path, text);
  const found = new Set<DeclaredSymbol>();
  for (const { start, end } of ranges)
    for (const one of declared)
      if (one.start <= end && one.end >= start && !isCovered(one, declared, start, end)) found.add(one);
  return [...new Set([...found].sort((a, b) => a.start - b.start || b.end - a.end).map(({ name }) => name))];
}

function declarationsOf(path: string, text: string): DeclaredSymbol[] {
  const tree = parseLoosely(path, text);
  return tree ? declarationsInTree(tree) : declarationsByLine(extensionOf(path), text);
}

/** Whether what a range touches of a declaration belongs to declarations inside it. */
function isCovered(outer: DeclaredSymbol, declared: readonly DeclaredSymbol[], start: number, end: number): boolean {
  const inner = declared.filter(
    (one) =>
      one !== outer &&
      one.start >= outer.start &&
      one.end <= outer.end &&
      one.end - one.start < outer.end - outer.start,
  );
  let line = Math.max(start, outer.start);
  const last = Math.min(end, outer.end);
  if (!inner.length) return false;
  while (line <= last) {
    const cover = inner.find((one) => one.start <= line && one.end >= line);
    if (!cover) return false;
    line = cover.end + 1;
  }
  return true;
}
