// One project of the report: identification, people, experiments, cycles, drafts of lines 242 to 246, boxes, gaps.
// Invariant: counts are counts of commits shown, texts are quotations of commits shown, nothing else.
import type { Cycle } from "../cycles.js";
import { gapsOf } from "./gaps.js";
import { type ClaimPeriod, type Day, dayIn, yearAndQuarter } from "./period.js";
import type { SredCommit } from "./period-commits.js";
import type { RecordedTests } from "./recorded-tests.js";
import type { ReportExperiment, ReportLine, ReportProject } from "./report-schema.js";
import { type BoxSupport, evidenceBoxes, type NarrativeLine, narrativeLines, type QuotedLabel } from "./t661-lines.js";

export interface ProjectInput {
  id: string;
  commits: readonly SredCommit[];
  outside: readonly SredCommit[];
  untagged: readonly SredCommit[];
  cycles: readonly Cycle<SredCommit>[];
  tests: RecordedTests;
  period: ClaimPeriod;
}

export function buildProject(input: ProjectInput): ReportProject {
  const { id, commits, outside, cycles, tests, period } = input;
  const experiments = commits.flatMap((c) => experimentRows(id, c, tests));
  const lines = narrativeLines.map((line) => draftLine(line, id, commits));
  const testRuns = commits.reduce((sum, c) => sum + (tests.get(c.hash)?.length ?? 0), 0);
  const all = [...commits, ...outside].map((c) => c.day).sort();
  return {
    id,
    types: countBy(commits.flatMap((c) => c.read.types)).map(([type, n]) => ({ type, commits: n })),
    first: commits[0]!.day,
    last: commits.at(-1)!.day,
    history: { first: all[0]!, last: all.at(-1)!, commits: all.length },
    quarters: quartersOf(commits, period),
    contributors: contributorsOf(commits),
    commits: commits.map((c) => c.hash),
    files: new Set(commits.flatMap((c) => c.commit.files.map((f) => f.path))).size,
    experiments,
    outcomes: Object.fromEntries(countBy(experiments.map((e) => e.outcome))),
    cycles: cycles.map((cycle, i) => cycleRow(cycle, i + 1, id, period)),
    lines,
    boxes: evidenceBoxes.map(({ line, title, by, note }) => {
      const support = by ? commits.filter((c) => supports[by](c, id, tests)) : [];
      const runs = by === "tests" ? testRuns : 0;
      return {
        ...{ line, title, note, supported: support.length > 0 || runs > 0 },
        ...{ commits: support.map((c) => c.hash), testRuns: runs },
      };
    }),
    gaps: gapsOf({ ...input, lines, testRuns }),
  };
}

/** The experiments of a commit that belong to a project. */
export const experimentsFor = (id: string, { experiments }: SredCommit) =>
  experiments.filter((e) => e.claims.length === 0 || e.claims.includes(id));

function experimentRows(id: string, one: SredCommit, tests: RecordedTests): ReportExperiment[] {
  return experimentsFor(id, one).map(({ claims: _, ...experiment }) => ({
    ...{ commit: one.hash, day: one.day, ...experiment, tests: [...(tests.get(one.hash) ?? [])] },
  }));
}

function cycleRow(cycle: Cycle<SredCommit>, number: number, id: string, { zone }: ClaimPeriod) {
  const experiments = cycle.commits.flatMap((c) => experimentsFor(id, c));
  return {
    ...{ number, from: dayIn(cycle.from / 1000, zone), to: dayIn(cycle.to / 1000, zone) },
    ...{ links: cycle.links, issues: cycle.issueKeys, commits: cycle.commits.map((c) => c.hash) },
    experiments: experiments.length,
    failed: experiments.filter((e) => e.outcome === "FAILED").length,
  };
}

/** Quotations in the order of the work. */
function draftLine(spec: NarrativeLine, id: string, commits: readonly SredCommit[]): ReportLine {
  const quotations: { label: QuotedLabel; text: string; commits: string[] }[] = [];
  for (const one of commits)
    for (const experiment of experimentsFor(id, one))
      for (const label of spec.quotes) {
        const text = experiment[label];
        if (text === undefined) continue;
        const before = spec.once ? quotations.find((q) => q.label === label && q.text === text) : undefined;
        if (!before) quotations.push({ label, text, commits: [one.hash] });
        else if (before.commits.at(-1) !== one.hash) before.commits.push(one.hash);
      }
  const words = quotations.reduce((sum, q) => sum + wordsIn(q.text), 0);
  return {
    ...{ line: spec.line, title: spec.title, draft: true as const, words, limit: spec.limit, aim: spec.aim },
    ...{ over: words > spec.limit, prompts: [...spec.prompts], quotations },
  };
}

export const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

const planningFile = /(?:^|\/)(?:adrs?|rfcs?|designs?|plans?|planning|specs|proposals?|decisions)\//i;
const testFile = /(?:^|\/)(?:tests?|__tests__|spec)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)\.[^/.]+$|_test\.[^/.]+$/i;

const supports: Record<BoxSupport, (one: SredCommit, id: string, tests: RecordedTests) => boolean> = {
  planning: ({ commit }) => commit.files.some((f) => planningFile.test(f.path)),
  design: (one, id) => experimentsFor(id, one).some((e) => e.hypothesis && e.experiment),
  records: () => true,
  source: ({ commit }) => commit.files.length > 0,
  trials: (one, id) => experimentsFor(id, one).some((e) => e.result),
  tests: (one, _, tests) => tests.has(one.hash) || one.commit.files.some((f) => testFile.test(f.path)),
};

function quartersOf(commits: readonly SredCommit[], { fiscalYearEnd }: ClaimPeriod) {
  const names = commits.map(({ day }) => {
    const { year, quarter } = yearAndQuarter(day, fiscalYearEnd);
    return `${year}-${quarter}`;
  });
  return countBy(names)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => ({ year: Number(name.slice(0, -2)), quarter: Number(name.slice(-1)), commits: n }));
}

function contributorsOf(commits: readonly SredCommit[]) {
  const people = new Map<string, { name: string; email: string; commits: number; first: Day; last: Day }>();
  for (const { commit, day } of commits) {
    const { name, email } = commit.author;
    const known = people.get(`${name}\n${email}`);
    if (known) Object.assign(known, { commits: known.commits + 1, last: day });
    else people.set(`${name}\n${email}`, { name, email, commits: 1, first: day, last: day });
  }
  return [...people.values()].sort((a, b) => b.commits - a.commits || (a.name < b.name ? -1 : 1));
}

/** Most frequent first. */
export function countBy(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}
