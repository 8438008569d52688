// The experiments a commit message describes: its H-E-R-A values and the outcome it states.
// Invariant: every value is text of the message; an outcome is named only where the message names it.
import { readSredMessage, type SredMessage } from "../message.js";
import type { StatedOutcome } from "./report-schema.js";
import type { QuotedLabel } from "./t661-lines.js";

export interface Experiment extends Partial<Record<QuotedLabel, string>> {
  outcome: StatedOutcome;
  saidBy?: "result" | "message";
  /** Named next to it in the message; empty: those of the whole message. */
  claims: string[];
}

export const quotedLabels: readonly QuotedLabel[] = ["hypothesis", "experiment", "result", "analysis", "advancement"];

const label = /^\s{0,3}(?:[#>*-]+\s*)?(?:\*\*)?(hypothesis|experiment|result|analysis|advancement)s?(?:\*\*)?:/i;

/** A squashed commit holds several; each begins where a label comes a second time. */
export function experimentsIn(message: string): Experiment[] {
  const blocks = blocksOf(message.replace(/\r\n?/g, "\n").split("\n"));
  return blocks.flatMap((block, i) => {
    const read = readSredMessage(block);
    const stated = outcomeOf(read.result);
    const values = Object.fromEntries(quotedLabels.flatMap((l) => (read[l] ? [[l, read[l]]] : [])));
    const failed = read.failed && stated === undefined;
    if (!Object.keys(values).length && !failed) return [];
    return [
      {
        ...values,
        outcome: stated ?? (failed ? "FAILED" : "not stated"),
        ...(stated ? { saidBy: "result" as const } : failed && { saidBy: "message" as const }),
        claims: blocks.length > 1 || i > 0 ? read.claims : [],
      },
    ];
  });
}

/** Each block begins with a line that is no value: the reader takes the first line as a subject. */
function blocksOf(lines: string[]): string[] {
  const blocks: string[][] = [[]];
  let seen = new Set<string>();
  for (const line of lines) {
    const found = label.exec(line)?.[1]?.toLowerCase();
    if (found && seen.has(found)) {
      blocks.push([""]);
      seen = new Set();
    }
    if (found) seen.add(found);
    blocks.at(-1)!.push(line);
  }
  return blocks.map((block) => block.join("\n"));
}

const words: [pattern: RegExp, outcome: StatedOutcome][] = [
  [/^\W*success(?:ful|fully)?\b/i, "SUCCESS"],
  [/^\W*fail(?:ed|ure)?\b/i, "FAILED"],
  [/^\W*partial(?:ly)?\b/i, "PARTIAL"],
];

const outcomeOf = (result: string | undefined): StatedOutcome | undefined =>
  result === undefined ? undefined : words.find(([pattern]) => pattern.test(result))?.[1];

const negated = /\b(?:no|not|never|none|zero|0|nothing)\W+(?:\w+\W+){0,2}FAILED\b/g;
const failureInText = /\bFAILED\b|\bdid(?: not|n't) achieve\b|\bcontrary to (?:the |our |my |this )?hypothesis\b/;

/** RESULT says one thing and the same message another. */
export const contradicts = (experiment: Experiment, read: SredMessage): boolean =>
  experiment.outcome === "SUCCESS" &&
  experiment.saidBy === "result" &&
  failureInText.test(
    [read.subject, experiment.result, experiment.analysis, experiment.advancement].join("\n").replace(negated, ""),
  );
