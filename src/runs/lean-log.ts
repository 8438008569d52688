// Errors in the output of a Lean build: one per place, with a class that says what kind of repair it needs.
import type { LogLine } from "./log-lines.js";

export const leanClasses = [
  "UNIVERSE_INCOMPAT",
  "TYPE_MISMATCH",
  "UNKNOWN_IDENT",
  "TACTIC_FAIL",
  "TIMEOUT",
  "OTHER",
] as const;
export type LeanClass = (typeof leanClasses)[number];

export interface LeanError {
  class: LeanClass;
  file: string;
  line: number;
  summary: string;
  /** The first goal shown below the error. */
  goal?: string;
}

export interface LeanReport {
  errors: LeanError[];
  warnings: number;
  sorries: number;
}

/** Both spellings: `error: A.lean:3:4: text` and `A.lean:3:4: error: text`. */
const places: readonly RegExp[] = [
  /^(?<kind>error|warning): (?:\.\/)*(?<file>[^\s:]+\.lean):(?<line>\d+):\d+: (?<text>.*)$/,
  /^(?:\.\/)*(?<file>[^\s:]+\.lean):(?<line>\d+):\d+: (?<kind>error|warning): (?<text>.*)$/,
];

/** The first that matches decides: a universe error also mentions a type mismatch. */
const classes: readonly [LeanClass, RegExp][] = [
  ["UNIVERSE_INCOMPAT", /universe/i],
  ["TYPE_MISMATCH", /type mismatch|has type|expected to have type|application type|failed to synthesize/i],
  ["UNKNOWN_IDENT", /unknown (?:identifier|constant|namespace|tactic|module|package)|unknown_identifier/i],
  ["TIMEOUT", /timeout|maxHeartbeats|maximum recursion|deterministic/i],
  ["TACTIC_FAIL", /tactic|unsolved goals|linarith failed|simp made no progress|rewrite|omega could not|no goals/i],
];

export function readLeanLog(lines: Iterable<LogLine>): LeanReport {
  const report: LeanReport = { errors: [], warnings: 0, sorries: 0 };
  const seen = new Set<string>();
  let open: LeanError | undefined;
  for (const { text } of lines) {
    const hit = text.includes(".lean:") ? places.map((p) => p.exec(text)).find(Boolean)?.groups : undefined;
    if (!hit) {
      if (open && text.includes("⊢")) open.goal ??= text.trim().slice(0, 200);
      continue;
    }
    open = undefined;
    if (hit["kind"] === "warning") {
      report.warnings++;
      if (hit["text"]!.includes("'sorry'") || hit["text"]!.includes("`sorry`")) report.sorries++;
      continue;
    }
    const key = `${hit["file"]}:${hit["line"]}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const summary = hit["text"]!.trim().slice(0, 200);
    open = { class: classOf(summary), file: hit["file"]!, line: Number(hit["line"]), summary };
    if (report.errors.length < 10_000) report.errors.push(open);
  }
  return report;
}

export const classOf = (summary: string): LeanClass => classes.find(([, p]) => p.test(summary))?.[0] ?? "OTHER";
