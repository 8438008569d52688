// The difference of two texts as `diff -u` writes it.
// Invariant: applying it to the first text gives the second; equal texts give an empty string.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

export function unifiedDiff(before: string, after: string, file: string): string {
  if (before === after) return "";
  const [from, to] = [before, after].map((text) => (text === "" ? "/dev/null" : file)) as [string, string];
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, options);
}
