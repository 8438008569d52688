// How many lines a call changes, as the size of a change. Invariant: pure; what cannot be counted is many.
import type { Facts } from "../../../facts/index.js";

/** What a prompt calls small is small up to here: the words of a prompt alone prove little. */
export const smallLines = 80;

const uncounted = 1_000;

export function changedLines({ event: { tool } }: Facts): number {
  if (tool?.kind === "edit" && tool.edits?.length)
    return tool.edits.reduce((n, e) => n + (e.all ? uncounted : differing(e.old, e.new)), 0);
  if (tool?.kind === "write" && tool.content !== undefined) return tool.content.split("\n").length;
  return uncounted;
}

/** Lines between the common beginning and the common end of two texts. */
function differing(before: string, after: string): number {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let till = 0;
  while (till < a.length - from && till < b.length - from && a.at(-1 - till) === b.at(-1 - till)) till++;
  return Math.max(a.length, b.length) - from - till;
}
