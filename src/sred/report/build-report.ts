// Makes the report as data from commits, test evidence and the state of the record.
// Invariant: pure; the same commits, period and moment give the same report.
import { createHash } from "node:crypto";
import { investigationCycles } from "../cycles.js";
import type { CommitHistory, GitCommit } from "../read-commits.js";
import { buildProject, countBy } from "./build-project.js";
import { lookAlikes } from "./gaps.js";
import { type ClaimPeriod, within } from "./period.js";
import { type SredCommit, sortCommits, sredCommit, withoutCopies } from "./period-commits.js";
import type { RecordedTests } from "./recorded-tests.js";
import { type ReportEvidence, type ReportGap, reportSchemaVersion, type SredReport } from "./report-schema.js";
import { lineTable } from "./t661-lines.js";

export const draftNotice =
  "Made by a program from commit messages. It quotes what was written at the time and adds nothing. " +
  "Someone who did the work and a tax adviser must review it. Commits are not time sheets: no hours are stated.";

export interface ReportInput {
  history: CommitHistory;
  /** Changed files of the commits given; `readCommits` leaves them out. */
  files: (commits: readonly GitCommit[]) => GitCommit[];
  period: ClaimPeriod;
  only?: readonly string[];
  tests: RecordedTests;
  ledger: SredReport["integrity"]["ledger"];
  repository: string;
  /** Milliseconds since 1970. */
  now: number;
  tool: string;
}

export function buildReport(input: ReportInput): SredReport {
  const { history, period, tests, only } = input;
  const read = history.commits.map((commit) => sredCommit(commit, period.zone));
  const all = history.refs === "all" ? withoutCopies(read) : read;
  const sorted = sortCommits(filesRead(all, input), period);
  const wanted = (id: string) => !only?.length || only.includes(id);
  const ofPeriod = sorted.tagged.filter((c) => c.claims.some(wanted));
  const ids = [...new Set(ofPeriod.flatMap((c) => c.claims))].filter(wanted).sort();
  const owners = fileOwners(sorted.tagged);
  const cycles = investigationCycles(ofPeriod);
  const projects = ids.map((id) =>
    buildProject({
      ...{ id, tests, period },
      commits: ofPeriod.filter((c) => c.claims.includes(id)),
      outside: sorted.outside.filter((c) => c.claims.includes(id)),
      untagged: sorted.untagged.filter((c) => c.commit.files.some((f) => owners.get(f.path) === id)),
      cycles: cycles.filter((c) => c.claim === id),
    }),
  );
  const evidence = ofPeriod.map((one) => evidenceRow(one, tests));
  const known = [...new Set([...sorted.tagged, ...sorted.outside].flatMap((c) => c.claims))].sort();
  const gaps = commonGaps(input, known, sorted.tagged, wanted);
  const experiments = projects.flatMap((p) => p.experiments);
  return {
    schema: reportSchemaVersion,
    kind: "interlock-sred-report",
    draft: draftNotice,
    period,
    ...(only?.length && { only: [...only] }),
    totals: {
      commits: sorted.tagged.length + sorted.notSred.length + sorted.routine.length + sorted.untagged.length,
      tagged: ofPeriod.length,
      notSred: sorted.notSred.length,
      routine: sorted.routine.length,
      untagged: sorted.untagged.length,
      projects: projects.length,
      experiments: experiments.length,
      outcomes: Object.fromEntries(countBy(experiments.map((e) => e.outcome))),
      cycles: projects.reduce((sum, p) => sum + p.cycles.length, 0),
      contributors: new Set(evidence.map((e) => `${e.author.name}\n${e.author.email}`)).size,
      testRuns: evidence.reduce((sum, e) => sum + e.tests.length, 0),
      gaps: gaps.length + projects.reduce((sum, p) => sum + p.gaps.length, 0),
    },
    days: countBy(evidence.map((e) => e.day))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, commits]) => ({ day, commits })),
    projects,
    gaps,
    evidence,
    lineTable: { ...lineTable, sources: [...lineTable.sources] },
    integrity: {
      repository: input.repository,
      ...(history.head && { head: history.head }),
      ...(history.branch && { branch: history.branch }),
      refs: history.refs,
      shallow: history.shallow,
      commitsRead: history.commits.length,
      evidenceSha256: evidenceDigest(evidence),
      ledger: input.ledger,
      made: isoSeconds(input.now / 1000),
      tool: input.tool,
      timeZoneData: process.versions["tz"] ?? "unknown",
    },
  };
}

export const evidenceDigest = (evidence: readonly Pick<ReportEvidence, "hash" | "messageSha256">[]): string =>
  createHash("sha256")
    .update(
      evidence
        .map((e) => `${e.hash} ${e.messageSha256}\n`)
        .sort()
        .join(""),
    )
    .digest("hex");

export const isoSeconds = (seconds: number): string =>
  Math.abs(seconds) > 8.64e12
    ? "0000-01-01T00:00:00Z"
    : `${new Date(Math.trunc(seconds) * 1000).toISOString().slice(0, -5)}Z`;

/** Files are asked for only where they matter: what lies in the period. */
function filesRead(commits: SredCommit[], { period, files }: ReportInput): SredCommit[] {
  const inPeriod = commits.filter((c) => within(c.day, period));
  const read = new Map(files(inPeriod.map((c) => c.commit)).map((commit) => [commit.hash, commit]));
  return commits.map((one) => ({ ...one, commit: read.get(one.hash) ?? one.commit }));
}

/** Which project alone changed a file; files of several projects belong to none. */
function fileOwners(tagged: readonly SredCommit[]): Map<string, string | undefined> {
  const owners = new Map<string, string | undefined>();
  for (const { claims, commit } of tagged)
    for (const { path } of commit.files) {
      const owner = claims.length === 1 ? claims[0] : undefined;
      owners.set(path, owners.has(path) && owners.get(path) !== owner ? undefined : owner);
    }
  return owners;
}

function evidenceRow({ commit, day, time, claims, read, copies }: SredCommit, tests: RecordedTests): ReportEvidence {
  const sum = (of: "added" | "removed") => commit.files.reduce((total, f) => total + (f[of] ?? 0), 0);
  return {
    ...{ hash: commit.hash, messageSha256: commit.messageHash, subject: read.subject, day, time },
    ...{ authored: isoSeconds(commit.authored.seconds), committed: isoSeconds(commit.committed.seconds) },
    ...{ author: { ...commit.author }, projects: [...claims], types: [...read.types] },
    ...{ files: commit.files.length, added: sum("added"), removed: sum("removed") },
    ...(commit.parents.length > 1 && { merge: true as const }),
    ...(copies.length && { copies }),
    ...(commit.guessedEncoding && { guessedEncoding: true as const }),
    tests: [...(tests.get(commit.hash) ?? [])],
  };
}

/** What concerns no single project. */
function commonGaps(
  { history, ledger }: ReportInput,
  ids: readonly string[],
  tagged: readonly SredCommit[],
  wanted: (id: string) => boolean,
): ReportGap[] {
  const gaps: ReportGap[] = lookAlikes(ids)
    .filter((pair) => pair.some(wanted))
    .map((pair) => ({
      kind: "look-alike-identifier" as const,
      what: `The SR&ED project identifiers ${pair.join(" and ")} look alike; one may be a slip.`,
      next: "If they are one project, claim them as one and use one identifier from now on.",
      commits: tagged.filter((c) => pair.some((id) => c.claims.includes(id))).map((c) => c.hash),
    }));
  if (history.shallow)
    gaps.push({
      kind: "shallow-history",
      what: "This is a shallow clone: older commits exist and were not read.",
      next: "Run git fetch --unshallow, then make the report again.",
      commits: [],
    });
  if (ledger.verdict === "tampered")
    gaps.push({
      kind: "record-damaged",
      what: "Interlock's record does not verify; test evidence from it proves little.",
      next: "Run interlock verify and keep its answer with the claim.",
      commits: [],
    });
  return gaps;
}
