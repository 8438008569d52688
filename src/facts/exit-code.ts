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

/** Programs that may follow a run without adding a summary of their own. */
const onlyShows =
  /^(?:tail|head|cat|tee|less|more|grep|egrep|rg|echo|printf|true|sed|awk|sort|uniq|wc|date|cut|:|cd|set)$/;
const hidesFailures = /fail|error|not ok|[✗✖×]/iu;

/**
 * Whether the output can hold the runner's own summary although its exit code is hidden: what follows only shows or
 * filters, no filter drops failures, and the output did not go elsewhere. `echoed`: text the command itself prints.
 */
export function showsOwnSummary(command: string, programs: readonly string[]): { echoed: string } | undefined {
  if (command.length > longest || /\$\(|`|<<|\b(?:if|while|until|for|case)\b/.test(command)) return undefined;
  const parts = [
    ...command.matchAll(/((?:\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|>&|&>|[^|;&\n'"\\])+)(\|\||&&|[|;&\n]|$)/g),
  ];
  const runs = parts.map(([, text]) => programs.some((p) => placeOf(text!, p, "first") >= 0));
  const at = runs.lastIndexOf(true);
  if (at < 0 || parts.some(([, , sign]) => sign === "&")) return undefined;
  const file = /(?<![\d&])1?>\s*([^\s&;|]+)/.exec(parts[at]![1]!.replace(/\d?>&\d/g, " "))?.[1];
  let shown = file === undefined;
  for (const [, text] of parts.slice(at + 1)) {
    const [program = "", ...rest] = text!.trim().split(/\s+/);
    if (!onlyShows.test(program)) return undefined;
    const pattern = rest.join(" ");
    if (/^(?:e?grep|rg)$/.test(program) && /(?:^|\s)-\w*v/.test(pattern) === hidesFailures.test(pattern))
      return undefined;
    if (program === "sed" && !/-n/.test(pattern)) return undefined;
    if (file !== undefined && rest.includes(file) && /^(?:tail|head|cat|e?grep|rg)$/.test(program)) shown = true;
  }
  return shown
    ? {
        echoed: parts
          .map(([, text]) => text!)
          .filter((t) => /^\s*(?:echo|printf)\b/.test(t))
          .join("\n"),
      }
    : undefined;
}
