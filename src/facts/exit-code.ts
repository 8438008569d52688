// Whether a call's exit code is that of the program in it.
// Invariant: an exit code that is not clearly the program's own counts as hidden.

export type Hiding = "no" | "pipe" | "masked";

/** Nobody runs tests with a page of text; what is longer is not looked through. */
const longest = 20_000;

/**
 * Whether the call's exit code is the runner's: a pipe into a pager still shows the summary, anything else may hide it.
 * If a program is called several times, the last call counts, or the first where that is asked.
 */
export function hiding(command: string, programs: readonly string[], which: "last" | "first" = "last"): Hiding {
  if (command.length > longest) return "masked";
  const bare = command
    .replace(/\\\n/g, " ")
    .replace(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"/g, "Q")
    .replace(/\d*>>?\s*(?:&\s*\d|[^\s;&|)]+)|&>>?\s*[^\s;&|)]+|\d*<\s*[^\s;&|)]+/g, " ");
  const places = programs.map((p) => placeOf(bare, p, which)).filter((at) => at >= 0);
  if (!places.length) return "masked";
  const at = which === "last" ? Math.max(...places) : Math.min(...places);
  if (/\$\(|`|(?:^|[\s;&|(])!\s|\b(?:if|while|until)\b/.test(bare.slice(0, at))) return "masked";
  const rest = bare
    .slice(at)
    .replace(/&&/g, " ")
    .trim()
    .replace(/[)\s]+$/, "");
  const after = rest.search(/[|;&\n]/);
  if (after < 0) return "no";
  const tail = rest.slice(after);
  if (/^(?:\|\s*(?:tail|head|cat|tee|less|more)\b[^|;&\n]*)+$/.test(tail))
    return /\bset\s+-\w*o?\s*pipefail|\bpipefail\b/.test(command) ? "no" : "pipe";
  return "masked";
}

function placeOf(text: string, program: string, which: "last" | "first"): number {
  let at = -1;
  for (const match of text.matchAll(
    new RegExp(`(?:^|[\\s;&|(/])${program.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?=$|[\\s;&|)])`, "g"),
  )) {
    at = match.index + match[0].length;
    if (which === "first") break;
  }
  return at;
}
