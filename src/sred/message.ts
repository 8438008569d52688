// What a commit message says about SR&ED: trailers, H-E-R-A body, scope, issue keys, whether it is routine work.
// Invariant: pure; it reports what the message says and never guesses a value that is not there.
import { issueKeysIn } from "./issue-keys.js";
import { isTrailerLine, trailersOf } from "./trailers.js";

export type SredType = "experimental-development" | "applied-research" | "basic-research" | "support-work";

export const sredTypes: readonly SredType[] = [
  "experimental-development",
  "applied-research",
  "basic-research",
  "support-work",
];

/** Terms that older tools accepted, and why they are refused. */
const removedTypes: Readonly<Record<string, string>> = {
  "systematic-investigation": "it is a method of SR&ED, not a type of SR&ED work",
  "technical-innovation": "it is not a term of the Canada Revenue Agency",
};

/** PROJECT[-VARIANT]: upper-case parts joined by hyphens; each begins with a letter, so no year or quarter slips in. */
export const claimPattern = /^[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*$/;
export const longestClaim = 64;

export interface SredMessage {
  /** The value of SRED-Type as written; `problems` says when it is not one of the four types. */
  type?: string;
  /** The SR&ED project identifier as written (the first, where there are several). */
  claim?: string;
  /** The claim is said to be none. */
  notSred: boolean;
  /** What is wrong with the values given. A trailer that is absent is no problem here. */
  problems: string[];
  issueKeys: string[];
  /** `feat(scope): ...` */
  scope?: string;
  /** `feat` of `feat(scope): ...`, in lower case. */
  prefix?: string;
  hypothesis?: string;
  experiment?: string;
  result?: string;
  analysis?: string;
  advancement?: string;
  /** The message reports an experiment that failed. */
  failed: boolean;
  /** Routine work: never asked for a claim. */
  routine: boolean;
  /** Every claim named, in order, each once, without "none": squashed commits carry several. */
  claims: string[];
  types: string[];
  subject: string;
}

const none = /^(?:none|no|n\/a)$/i;

export function readSredMessage(message: string): SredMessage {
  const text = message.replace(/\r\n?/g, "\n");
  const subject =
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "";
  const conventional = /^([A-Za-z]+)(?:\(([^()]*)\))?!?:(?=\s|$)/.exec(subject);
  const prefix = conventional?.[1]?.toLowerCase();
  const scope = conventional?.[2]?.trim() || undefined;
  const trailers = trailersOf(text);
  const values = (key: string) => trailers.flatMap((t) => (t.key === key ? [t.value] : []));
  const types = unique(values("sred-type"));
  const given = unique(values("sred-claim"));
  const claims = given.filter((c) => !none.test(c));
  const body = bodyValues(text);
  return {
    type: types[0],
    claim: claims[0],
    notSred: given.length > 0 && claims.length === 0,
    problems: problemsOf(types, given, claims),
    issueKeys: issueKeysIn(text),
    scope,
    prefix,
    ...body,
    failed: reportsFailure(text, body.result),
    routine: isRoutine(subject, prefix),
    claims,
    types,
    subject,
  };
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

function problemsOf(types: readonly string[], given: readonly string[], claims: readonly string[]): string[] {
  const problems = types.flatMap((type) => typeProblem(type) ?? []);
  for (const claim of claims) {
    if (claim === "") problems.push("SRED-Claim has no value");
    else if (!claimPattern.test(claim) || claim.length > longestClaim)
      problems.push(`SRED-Claim "${claim}" is not an SR&ED project identifier of the form PROJECT[-VARIANT]`);
  }
  if (claims.length > 0 && claims.length < given.length) problems.push("SRED-Claim names a project and none");
  return problems;
}

function typeProblem(type: string): string | undefined {
  if ((sredTypes as readonly string[]).includes(type)) return undefined;
  if (type === "") return "SRED-Type has no value";
  const removed = removedTypes[type.toLowerCase()];
  if (removed) return `SRED-Type "${type}" was removed: ${removed}`;
  return `SRED-Type "${type}" is not a type of SR&ED work (${sredTypes.join(", ")})`;
}

const routinePrefixes = new Set(["chore", "docs", "style", "ci", "build", "revert", "merge", "typo"]);
/** Subjects that git and forges write themselves. */
const madeByGit = new RegExp(
  [
    "^Merge (?:branch|branches|remote-tracking|tag|tags|commit|commits|pull request)\\b",
    "^Merged in ",
    '^(?:Revert|Reapply) "',
    "^(?:fixup|squash|amend)! ",
  ].join("|"),
);
const typo = /^(?:fix(?:es|ed)?\b.{0,20})?\btypos?\b(?!-)/i;

export function isRoutine(subject: string, prefix: string | undefined): boolean {
  if (madeByGit.test(subject)) return true;
  if (prefix !== undefined && routinePrefixes.has(prefix)) return true;
  return typo.test(subject);
}

/** Git itself wrote the subject: its words are no claim of the author's. */
export const isMadeByGit = (subject: string): boolean => madeByGit.test(subject);

const labels = ["hypothesis", "experiment", "result", "analysis", "advancement"] as const;
type Label = (typeof labels)[number];
const labelLine = new RegExp(
  `^\\s{0,3}(?:[#>*-]+\\s*)?(?:\\*\\*)?(${labels.join("|")})s?(?:\\*\\*)?:(?:\\*\\*)?\\s*(.*)$`,
  "i",
);

const anyLabel = new RegExp(`(?:${labels.join("|")})s?(?:\\*\\*)?:`, "i");

/** Values of the H-E-R-A labels; each runs on until the next label or trailer. The first of each label counts. */
function bodyValues(text: string): Partial<Record<Label, string>> {
  if (!anyLabel.test(text)) return {};
  const found: Partial<Record<Label, string[]>> = {};
  let current: string[] | undefined;
  for (const line of text.split("\n").slice(1)) {
    const match = labelLine.exec(line);
    if (match) {
      const label = match[1]!.toLowerCase() as Label;
      current = found[label] ? undefined : [match[2]!];
      if (current) found[label] = current;
    } else if (isTrailerLine(line)) current = undefined;
    else current?.push(line.trim());
  }
  const values: Partial<Record<Label, string>> = {};
  for (const label of labels) {
    const value = found[label]?.join("\n").trim();
    if (value) values[label] = value;
  }
  return values;
}

const failureWords = /(?:\b(?:no|not|never|none|zero|0|nothing)\W+(?:\w+\W+){0,2})?\bFAILED\b/g;
const failurePhrases = /\bdid(?: not|n't) achieve\b|\bcontrary to (?:the |our |my |this )?hypothesis\b/i;

/** What RESULT says decides; without a clear word there, the message's own words. */
function reportsFailure(text: string, result: string | undefined): boolean {
  if (result && /^\W*fail(?:ed|ure)?\b/i.test(result)) return true;
  if (result && /^\W*success(?:ful)?\b/i.test(result)) return false;
  // Plain searches first: every commit of a history comes by here.
  if ((text.includes("achieve") || text.includes("ontrary to")) && failurePhrases.test(text)) return true;
  return text.includes("FAILED") && [...text.matchAll(failureWords)].some(([words]) => words === "FAILED");
}
