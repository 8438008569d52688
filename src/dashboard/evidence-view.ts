// Evidence for the dashboard: SR&ED commits by day and project, test runs in the record, claims that had none.
// Invariant: everything is counted from commits and records; what they do not say is not shown.
import { basename } from "node:path";
import type { Opened } from "../hook/open-project.js";
import { NoHistory, readCommits, withFiles } from "../sred/read-commits.js";
import { buildReport } from "../sred/report/build-report.js";
import { testsOfCommits } from "../sred/report/commit-tests.js";
import { claimPeriod, PeriodError } from "../sred/report/period.js";
import { sredCommit } from "../sred/report/period-commits.js";
import type { ReportGap, SredReport } from "../sred/report/report-schema.js";
import type { DashboardSource } from "./dashboard-source.js";
import { keptView } from "./kept-view.js";
import { NothingThere } from "./view-answers.js";

export interface EvidenceClaim {
  seq: number;
  at: number;
  session: string;
  gate: string;
  /** `deny`: refused; else what would have been. */
  mark: string;
  what: string;
}

export interface EvidenceView {
  period: { from: string; to: string };
  /** Why no commits could be read. */
  missing?: string;
  totals: { tagged: number; untagged: number; experiments: number; testRuns: number; gaps: number };
  days: { day: string; commits: number }[];
  projects: {
    id: string;
    first: string;
    last: string;
    commits: number;
    experiments: number;
    failed: number;
    testRuns: number;
    gaps: { kind: string; what: string; next: string }[];
  }[];
  gaps: { kind: string; what: string; next: string }[];
  tests: {
    commit: string;
    subject: string;
    day: string;
    runs: { record: number; verdict: string; runner: string; command: string; why?: string }[];
  }[];
  claims: EvidenceClaim[];
}

const mostRows = 100;
const claimGates = new Set(["discipline/claims", "discipline/evidence", "discipline/verification"]);

export function evidenceView(source: DashboardSource, query: URLSearchParams): Promise<EvidenceView> | EvidenceView {
  const period = periodAsked(query);
  const { opened } = source;
  const claims = claimsIn(source);
  if (!opened)
    return { ...empty(period), claims, missing: "Commits are read from the project; this is a ledger alone." };
  return keptView(source, `evidence ${period.from} ${period.to}`, () => {
    try {
      return { ...viewOfReport(reportOf(opened, period)), claims };
    } catch (error) {
      if (error instanceof NoHistory) return { ...empty(period), claims, missing: error.message };
      throw error;
    }
  });
}

/** A year up to today where nothing is asked for. */
function periodAsked(query: URLSearchParams): { from: string; to: string } {
  const to = query.get("to") ?? dayOf(Date.now());
  const from = query.get("from") ?? dayOf(Date.parse(to) - 364 * 86_400_000);
  return { from, to };
}

const dayOf = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : "");

const empty = (period: EvidenceView["period"]): Omit<EvidenceView, "claims"> => ({
  period,
  totals: { tagged: 0, untagged: 0, experiments: 0, testRuns: 0, gaps: 0 },
  ...{ days: [], projects: [], gaps: [], tests: [] },
});

function reportOf({ repository, store }: Opened, { from, to }: EvidenceView["period"]): SredReport {
  const { root } = repository;
  const period = (() => {
    try {
      return claimPeriod({ from, to });
    } catch (error) {
      if (error instanceof PeriodError) throw new NothingThere(error.message);
      throw error;
    }
  })();
  const history = readCommits(root);
  const read = history.commits.map((commit) => sredCommit(commit, period.zone));
  return buildReport({
    ...{ history, period, now: Date.now(), tool: "interlock dashboard" },
    repository: basename(root),
    files: (commits) => withFiles(root, commits),
    tests: testsOfCommits(store, root, read),
    ledger: { verdict: "none", records: 0 }, // the page Record verifies it
  });
}

function viewOfReport({ period, totals, days, projects, gaps, evidence }: SredReport): Omit<EvidenceView, "claims"> {
  const { tagged, untagged, experiments, testRuns } = totals;
  return {
    period: { from: period.from, to: period.to },
    totals: { tagged, untagged, experiments, testRuns, gaps: totals.gaps },
    days: [...days],
    projects: projects.map((project) => ({
      ...{ id: project.id, first: project.first, last: project.last, commits: project.commits.length },
      experiments: project.experiments.length,
      failed: project.outcomes["FAILED"] ?? 0,
      testRuns: evidence.filter((e) => e.projects.includes(project.id)).reduce((sum, e) => sum + e.tests.length, 0),
      gaps: project.gaps.slice(0, 20).map(shownGap),
    })),
    gaps: gaps.slice(0, mostRows).map(shownGap),
    tests: evidence
      .filter(({ tests }) => tests.length)
      .slice(-mostRows)
      .reverse()
      .map(({ hash, subject, day, tests }) => ({
        ...{ commit: hash.slice(0, 12), subject, day },
        runs: tests.map(({ record, verdict, runner, command, why }) => ({
          ...{ record, verdict, runner, command },
          ...(why && { why }),
        })),
      })),
  };
}

const shownGap = ({ kind, what, next }: ReportGap) => ({ kind, what, next });

/** Said, and refused or marked for want of evidence; newest first. */
function claimsIn({ index }: DashboardSource): EvidenceClaim[] {
  const found: EvidenceClaim[] = [];
  for (let i = index.rows.length - 1; i >= 0 && found.length < mostRows; i--) {
    const { seq, at, session, mark, what, gates, gate } = index.rows[i]!;
    const named = [gate, ...gates].find((one) => claimGates.has(one));
    if (named && mark !== "pass" && mark !== "note") found.push({ seq, at, session, gate: named, mark, what });
  }
  return found;
}
