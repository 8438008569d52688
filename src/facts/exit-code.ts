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
  // The program stands in a script of the package, not in the command: the exit code is that of the whole.
  const inScript = packageScript.test(bare) && programs.every((p) => !command.includes(p));
  if (!places.length && !inScript) return "masked";
  const at = !places.length ? 0 : which === "last" ? Math.max(...places) : Math.min(...places);
  const before = places.length ? bare.slice(0, at) : bare;
  if (/\$\(|`|(?:^|[\s;&|(])!\s|\b(?:if|while|until)\b/.test(before)) return "masked";
  // `run && show | less`: had the run failed, so had the whole.
  const behind = bare.slice(at);
  if (/^[^|;&\n]*&&/.test(behind) && !/\|\||;|\n|[^&]&[^&]/.test(behind)) return "no";
  const rest = behind
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

const packageScript = /(?:^|&&\s*)(?:npm|pnpm|yarn|bun)\s/;

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
/** Programs that run a file of the project, which may print a summary too. */
const alsoRuns = /^(?:zsh|bash|sh|node|python3?|ruby)$/;
const hidesFailures = /fail|error|not ok|[✗✖×]/iu;

/** The commands of a line, each with the sign behind it. */
const partsOf = (command: string): RegExpMatchArray[] => [
  ...command.matchAll(/((?:\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|>&|&>|[^|;&\n'"\\])+)(\|\||&&|[|;&\n]|$)/g),
];

const lastRun = (parts: readonly RegExpMatchArray[], programs: readonly string[]): number =>
  parts.map(([, text]) => programs.some((p) => placeOf(text!, p, "first") >= 0)).lastIndexOf(true);

/** Whether a filter shows failures: it names them, or a failing run's summary would pass it. */
function letsThrough(filter: string, failing: readonly string[]): boolean {
  const inverted = /\s-[a-zA-Z]*v/.test(filter);
  if (inverted === hidesFailures.test(filter)) {
    if (inverted || !failing.length || /\s-[a-zA-Z]*[of]/.test(filter)) return false;
    const word = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\s([^\s-][^\s]*)\s*$/.exec(filter);
    const given = word?.[1] ?? word?.[2] ?? word?.[3];
    if (!given || given.length > 200) return false;
    try {
      const extended = /^\s*(?:egrep|rg)\b|\s-[a-zA-Z]*[EP]/.test(filter);
      const pattern = new RegExp(
        extended ? given : given.replaceAll("\\|", "|"),
        /\s-[a-zA-Z]*i/.test(filter) ? "i" : "",
      );
      return failing.every((line) => pattern.test(line));
    } catch {
      // Not a pattern of this language: nobody knows what it drops.
      return false;
    }
  }
  return true;
}

/**
 * The runner's exit code as the command shows it: `npm test; echo "exit $?"`, or `${PIPESTATUS[0]}` after a pipe.
 */
export function echoedExitCode(command: string, programs: readonly string[], output: string): number | undefined {
  if (command.length > longest || !/\$\?|PIPESTATUS|pipestatus/.test(command)) return undefined;
  const parts = partsOf(command);
  const at = lastRun(parts, programs);
  if (at < 0) return undefined;
  let next = at + 1;
  while (parts[next - 1]![2] === "|" && parts[next]) next++;
  const printed = /^\s*(?:echo|printf)\s+(?:-\w+\s+)*["']?([^]*?)["']?\s*$/.exec(parts[next]?.[1] ?? "")?.[1];
  if (printed === undefined || !/^[;\n]$/.test(parts[next - 1]![2]!)) return undefined;
  const status =
    next === at + 1 ? /\$\?|\$\{PIPESTATUS\[0\]\}|\$pipestatus\[1\]/ : /\$\{PIPESTATUS\[0\]\}|\$pipestatus\[1\]/;
  const [before, after] = printed.split(status);
  if (after === undefined || /\$/.test(before! + after)) return undefined;
  const plain = (text: string) => text.replace(/\\n$/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = [...output.matchAll(new RegExp(`^${plain(before!)}(\\d{1,3})${plain(after)}[ \\t]*$`, "gm"))];
  return found.length === 1 ? Number(found[0]![1]) : undefined;
}

/**
 * Whether the output can hold the runner's own summary although its exit code is hidden: what follows only shows or
 * filters, no filter drops failures, and the output did not go elsewhere. `failing`: what the runner prints when a test
 * fails. `checks`: programs that may follow because they count no tests. `echoed`: text the command itself prints.
 * `others`: more of the project is run after it.
 */
export function showsOwnSummary(
  command: string,
  programs: readonly string[],
  failing: readonly string[] = [],
  checks: readonly string[] = [],
): { echoed: string; others: boolean } | undefined {
  if (command.length > longest || /\$\(|`|<<|\b(?:if|while|until|for|case)\b/.test(command)) return undefined;
  const parts = partsOf(command);
  const at = lastRun(parts, programs);
  if (at < 0 || parts.some(([, , sign]) => sign === "&")) return undefined;
  const file = /(?<![\d&])1?>\s*([^\s&;|]+)/.exec(parts[at]![1]!.replace(/\d?>&\d/g, " "))?.[1];
  let shown = file === undefined;
  let others = false;
  for (const [, text] of parts.slice(at + 1)) {
    const [program = "", ...rest] = text!.trim().split(/\s+/);
    if (alsoRuns.test(program) && /^[^-/]/.test(rest[0] ?? "") && file === undefined) {
      others = true;
      continue;
    }
    if (file === undefined && checks.some((p) => placeOf(text!, p, "last") >= 0)) continue;
    if (!onlyShows.test(program)) return undefined;
    const pattern = rest.join(" ");
    if (/^(?:e?grep|rg)$/.test(program) && !letsThrough(text!, failing)) return undefined;
    if (program === "sed" && !/-n/.test(pattern)) return undefined;
    if (file !== undefined && rest.includes(file) && /^(?:tail|head|cat|e?grep|rg)$/.test(program)) shown = true;
  }
  return shown
    ? {
        echoed: parts
          .map(([, text]) => text!)
          .filter((t) => /^\s*(?:echo|printf)\b/.test(t))
          .join("\n"),
        others,
      }
    : undefined;
}
