// Which commits of the range have a trace: a note or final records, and whether those fit the commits they name.
// Invariant: a commit that should have a note and has none is a warning; a note that contradicts its commit an error.
import { trailersOf } from "../sred/trailers.js";
import { notesRef } from "../trace/note.js";
import { NotesStore } from "../trace/notes-store.js";
import { withGit } from "../trace/trace-git.js";
import { readTrace } from "../trace/trace-records.js";
import { verifyTrace } from "../trace/verify-trace.js";
import { type CheckResult, type CiFinding, type CiInput, plural } from "./ci-report.js";

const fetchNotes = `git fetch origin ${notesRef}:${notesRef}`;

export async function checkTraceCoverage(input: CiInput): Promise<CheckResult> {
  const own = input.commits.filter(({ parents }) => parents.length < 2);
  const merges = input.commits.length - own.length;
  const { noted, hasNotes } = await tracedCommits(input);
  const says = own.filter(({ message }) => trailersOf(message).some(({ key }) => key === "intent"));
  const untraced = says.filter(({ hash }) => !noted.has(hash));
  const calls = input.hasRecord ? callFindings(input) : undefined;
  const notCheckable = [
    ...(hasNotes ? [] : [`traces: ${notesRef} is not in this clone (${fetchNotes})`]),
    ...(calls ? [] : ["the agent's calls: this machine has no record and no transcripts of them"]),
  ];
  if (!noted.size && !hasNotes) {
    const used = says.length > 0;
    return {
      used: used || calls !== undefined,
      checked: calls !== undefined,
      ...said(own.length, 0, merges),
      notCheckable,
    };
  }
  const findings: CiFinding[] = untraced.map(({ hash }) => ({
    rule: "coverage/no-trace",
    level: "warning",
    message: "its Intent trailer says that an agent wrote lines, but it has no trace",
    next: "interlock trace reconcile, then push the notes",
    commit: hash,
  }));
  const check = await verifyTrace(input, new Set(own.map(({ hash }) => hash)));
  for (const { where, problem, next } of check.findings)
    findings.push({ rule: "coverage/trace", level: "error", message: `${where}: ${problem}`, next });
  const traced = own.filter(({ hash }) => noted.has(hash)).length;
  return {
    checked: true,
    ...said(own.length, traced, merges),
    notCheckable,
    findings: [...findings, ...(calls ?? [])],
  };
}

const said = (commits: number, traced: number, merges: number): { summary: string } => ({
  summary:
    `${traced} of ${plural(commits, "commit")} have a trace of agents' lines` +
    (merges ? `; ${plural(merges, "merge")} left out` : ""),
});

/** Commits with a note or a final record. */
async function tracedCommits(input: CiInput): Promise<{ noted: Set<string>; hasNotes: boolean }> {
  const noted = new Set<string>();
  const hasNotes = await withGit(input, async (git) => {
    for (const commit of (await new NotesStore(git).list()).keys()) noted.add(commit);
    return (await git.object(`${notesRef}^{commit}`)) !== undefined;
  });
  for await (const { record } of readTrace(input)) if (record?.vcs) noted.add(record.vcs.revision);
  return { noted, hasNotes };
}

/** Calls that ran while the range was made. */
function callFindings(input: CiInput): CiFinding[] | undefined {
  const covered = input.uncoveredCalls();
  if (!covered?.calls) return undefined;
  const times = input.commits.map(({ authored }) => authored.seconds * 1000);
  const first = new Date(Math.min(...times)).toISOString();
  const last = new Date(Math.max(...input.commits.map(({ committed }) => committed.seconds * 1000))).toISOString();
  return covered.missing
    .filter(({ time }) => time >= first && time <= last)
    .map(({ what }) => ({
      rule: "coverage/call",
      level: "error",
      message: `a call without a record: ${what}`,
      next: "interlock verify lists them; interlock doctor says why",
    }));
}
