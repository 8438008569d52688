// The difference of two texts as `diff -u` writes it.
// Invariant: applying it to the first text gives the second; equal texts give an empty string.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

export function unifiedDiff(before: string, after: string, file: string): string {
  if (before === after) return "";
  const [from, to] = [before, after].map((text) => (text === "" ? "/dev/null" : file)) as [string, string];
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, options);
}

/** How many lines such a difference adds and removes. */
export function lineCounts(diff: string): { added: number; removed: number } {
  const lines = (mark: string) => diff.split("\n").filter((l) => l.startsWith(mark) && !l.startsWith(mark.repeat(3)));
  return { added: lines("+").length, removed: lines("-").length };
}
