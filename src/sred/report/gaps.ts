// What a reviewer would miss or ask about, per project: a list to work through before filing.
// Invariant: a gap states what was counted and names the commits; it never fills one.
import { editDistance } from "../../model/nearest.js";
import type { Cycle } from "../cycles.js";
import { claimPattern, sredTypes } from "../message.js";
import { contradicts } from "./experiments.js";
import { addDays, type ClaimPeriod, daysBetween, within } from "./period.js";
import type { SredCommit } from "./period-commits.js";
import type { ReportGap, ReportLine } from "./report-schema.js";

/** What counts as a gap. */
export const gapLimits = {
  silenceDays: 30,
  backDatedDays: 7,
  postDatedSeconds: 3600,
  bulkCommits: 5,
  bulkSeconds: 60,
} as const;

export interface ProjectEvidence {
  id: string;
  /** Of the project, in the period, oldest first. */
  commits: readonly SredCommit[];
  outside: readonly SredCommit[];
  cycles: readonly Cycle<SredCommit>[];
  lines: readonly ReportLine[];
  /** Commits without a claim that change files only this project changed. */
  untagged: readonly SredCommit[];
  testRuns: number;
  period: ClaimPeriod;
}

export function gapsOf(view: ProjectEvidence): ReportGap[] {
  return checks.flatMap((check) => check(view) ?? []);
}

type Check = (view: ProjectEvidence) => ReportGap | readonly ReportGap[] | undefined;

const hashesOf = (commits: readonly SredCommit[]): string[] => commits.map((c) => c.hash);
const counted = (n: number, one: string, more = `${one}s`): string => `${n} ${n === 1 ? one : more}`;

const named: Check = ({ id, commits }) =>
  claimPattern.test(id)
    ? undefined
    : {
        kind: "malformed-identifier",
        what: "The SR&ED project identifier is not of the form PROJECT[-VARIANT] in upper case.",
        next: "Choose the right identifier and name it in the claim; later commits should use it.",
        commits: hashesOf(commits),
      };

const hypotheses: Check = ({ cycles }) => {
  const without = cycles.filter((c) => !c.commits.some((one) => one.experiments.some((e) => e.hypothesis)));
  if (!without.length) return undefined;
  return {
    kind: "no-hypothesis",
    what: `${without.length} of ${counted(cycles.length, "investigation cycle")} record no hypothesis.`,
    next: "Look for the hypothesis in design notes or issues of that time; do not write it into history.",
    commits: without.flatMap((c) => hashesOf(c.commits)),
  };
};

const results: Check = ({ cycles }) => {
  const without = cycles.filter((c) => !c.commits.some((one) => one.experiments.some((e) => e.result)));
  if (!without.length) return undefined;
  return {
    kind: "no-result",
    what: `${without.length} of ${counted(cycles.length, "investigation cycle")} record no result.`,
    next: "Find the test data or notes that show how the work ended; a failed result counts as well.",
    commits: without.flatMap((c) => hashesOf(c.commits)),
  };
};

const supportOnly: Check = ({ commits }) => {
  const types = new Set(commits.flatMap((c) => c.read.types));
  if (types.size !== 1 || !types.has("support-work")) return undefined;
  return {
    kind: "only-support-work",
    what: "Every type of SR&ED work named is support-work, which qualifies only in support of another type.",
    next: "Name the project this work supports, or leave it out of the claim.",
    commits: hashesOf(commits),
  };
};

const typed: Check = ({ commits }) => {
  const without = commits.filter((c) => c.read.types.length === 0);
  const unknown = commits.filter((c) => c.read.types.some((t) => !(sredTypes as readonly string[]).includes(t)));
  const gaps: ReportGap[] = [];
  if (without.length)
    gaps.push({
      kind: "no-type",
      what: `${counted(without.length, "commit")} name the project but no type of SR&ED work.`,
      next: "Decide the type with whoever did the work; later commits should carry SRED-Type.",
      commits: hashesOf(without),
    });
  if (unknown.length)
    gaps.push({
      kind: "unknown-type",
      what: `${counted(unknown.length, "commit")} name a type that is none of the four types of SR&ED work.`,
      next: `The four types: ${sredTypes.join(", ")}.`,
      commits: hashesOf(unknown),
    });
  return gaps;
};

const silence: Check = ({ commits }) => {
  const spans: string[] = [];
  const ends: SredCommit[] = [];
  for (const [i, commit] of commits.entries()) {
    const before = commits[i - 1];
    const days = before ? daysBetween(before.day, commit.day) : 0;
    if (!before || days <= gapLimits.silenceDays) continue;
    spans.push(`${addDays(before.day, 1)} to ${addDays(commit.day, -1)} (${days - 1} days)`);
    ends.push(before, commit);
  }
  if (!spans.length) return undefined;
  return {
    kind: "silence",
    what: `No tagged commit for at least ${gapLimits.silenceDays} days: ${spans.join(", ")}.`,
    next: "If work went on, find other records of it; if it rested, be ready to say so.",
    commits: [...new Set(hashesOf(ends))],
  };
};

const fiscalYear: Check = ({ commits, outside, period }) => {
  const { fiscalYear: year } = period;
  const inPeriod = commits.filter((c) => !within(c.day, year));
  const gaps: ReportGap[] = [];
  if (inPeriod.length)
    gaps.push({
      kind: "outside-fiscal-year",
      what:
        `${counted(inPeriod.length, "commit")} of this period lie outside the fiscal year ` +
        `${year.from} to ${year.to}.`,
      next: "Line 244 covers the tax year only: move them to the claim of their own year.",
      commits: hashesOf(inPeriod),
    });
  if (outside.length)
    gaps.push({
      kind: "outside-fiscal-year",
      what: `${counted(outside.length, "tagged commit")} of this project lie outside the period and are not counted.`,
      next: "Check --from, --to and --tz; work of other years belongs in their claims.",
      commits: hashesOf(outside),
    });
  return gaps;
};

const backDated: Check = ({ commits }) => {
  const late = commits.filter(
    ({ commit: { authored, committed } }) => committed.seconds - authored.seconds > gapLimits.backDatedDays * 86_400,
  );
  const early = commits.filter(
    ({ commit: { authored, committed } }) => authored.seconds - committed.seconds > gapLimits.postDatedSeconds,
  );
  const gaps: ReportGap[] = [];
  if (late.length)
    gaps.push({
      kind: "back-dated",
      what:
        `${counted(late.length, "commit")} were committed more than ${gapLimits.backDatedDays} days ` +
        "after their author date.",
      next: "Be ready to show why: a rebase leaves the original in a pull request or reflog.",
      commits: hashesOf(late),
    });
  if (early.length)
    gaps.push({
      kind: "back-dated",
      what: `${counted(early.length, "commit")} have an author date later than their commit date.`,
      next: "A wrong clock or a set date: find another record of when the work was done.",
      commits: hashesOf(early),
    });
  return gaps;
};

/** Many commits made within a minute that claim to be written on different days. */
const bulkDated: Check = ({ commits }) => {
  const byCommitTime = [...commits].sort((a, b) => a.commit.committed.seconds - b.commit.committed.seconds);
  const bulk = new Set<SredCommit>();
  for (let from = 0; from < byCommitTime.length; from++) {
    const start = byCommitTime[from]!.commit.committed.seconds;
    let to = from;
    while (to < byCommitTime.length && byCommitTime[to]!.commit.committed.seconds - start < gapLimits.bulkSeconds) to++;
    const group = byCommitTime.slice(from, to);
    if (group.length < gapLimits.bulkCommits || new Set(group.map((c) => c.day)).size < 2) continue;
    for (const one of group) bulk.add(one);
  }
  if (!bulk.size) return undefined;
  return {
    kind: "bulk-dated",
    what: `${bulk.size} commits were committed within a minute of each other but have author dates on different days.`,
    next: "Show the originals (pull request, reflog, a colleague's clone): a rewritten series looks reconstructed.",
    commits: hashesOf(commits.filter((c) => bulk.has(c))),
  };
};

const untagged: Check = ({ untagged: found }) =>
  found.length
    ? {
        kind: "untagged-same-files",
        what: `${counted(found.length, "commit")} without SRED-Claim change files that only this project changed.`,
        next: "Decide with whoever did the work whether they belong to the project; list them by hand if so.",
        commits: hashesOf(found),
      }
    : undefined;

const businessWords = new RegExp(
  [
    "product launch|launch(?:ed)? (?:to|for) (?:customers?|users?|the market)|launch date",
    "go[- ]to[- ]market|go[- ]live",
    "customers?|clients?' needs|market(?:ing| share| demand)|sales|revenue|profit\\w*|engagement|conversion rate",
    "churn|business value|competitive advantage|moneti[sz]\\w+|upsell\\w*|return on investment|stakeholders?",
    "user acquisition|brand(?:ing)?|pricing|KPIs?",
  ]
    .map((part) => `\\b(?:${part})\\b`)
    .join("|"),
  "i",
);

const business: Check = ({ commits }) => {
  const found = commits.filter(({ read, experiments }) =>
    [
      read.subject,
      ...experiments.flatMap((e) => [e.hypothesis, e.experiment, e.result, e.analysis, e.advancement]),
    ].some((text) => text !== undefined && businessWords.test(text)),
  );
  if (!found.length) return undefined;
  return {
    kind: "business-language",
    what: `${counted(found.length, "commit")} speak of business outcomes; an advancement is technological knowledge.`,
    next: "Do not quote them in lines 242 to 246 without the technological reason behind them.",
    commits: hashesOf(found),
  };
};

const contradictions: Check = ({ commits }) => {
  const found = commits.filter((c) => c.experiments.some((e) => contradicts(e, c.read)));
  if (!found.length) return undefined;
  return {
    kind: "contradictory-result",
    what: `${counted(found.length, "commit")} call the result a success and report a failure in other words.`,
    next: "Ask the author what happened; quote both statements.",
    commits: hashesOf(found),
  };
};

const overLimit: Check = ({ lines }) =>
  lines
    .filter((l) => l.over)
    .map((l) => ({
      kind: "over-limit" as const,
      what: `The quotations for line ${l.line} have ${l.words} words; the limit is ${l.limit}.`,
      next: `Choose and shorten by hand; aim for ${l.aim} words, because counters differ.`,
      commits: [],
    }));

const testEvidenceGap: Check = ({ testRuns }) =>
  testRuns
    ? undefined
    : {
        kind: "no-test-evidence",
        what: "Interlock's record holds no test run tied to a commit of this project.",
        next: "Keep test output elsewhere, or work with Interlock's hooks on, so that runs are recorded with commits.",
        commits: [],
      };

const checks: readonly Check[] = [
  ...[named, hypotheses, results, supportOnly, typed, contradictions, silence, fiscalYear, backDated, bulkDated],
  ...[untagged, business, overLimit, testEvidenceGap],
];

/** Identifiers that are probably one: a slip of one or two characters, other case, or a hyphen more or less. */
export function lookAlikes(ids: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (const [i, a] of ids.entries()) for (const b of ids.slice(i + 1)) if (alike(a, b)) pairs.push([a, b]);
  return pairs;
}

function alike(a: string, b: string): boolean {
  const plain = (id: string) => id.toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (plain(a) === plain(b)) return true;
  // Variants of one project, by number or by name, are meant to differ.
  if (plain(a).replace(/\d/g, "") === plain(b).replace(/\d/g, "")) return false;
  const least = Math.min(a.length, b.length);
  return least > 3 && editDistance(a.toUpperCase(), b.toUpperCase()) <= (least < 7 ? 1 : 2);
}
