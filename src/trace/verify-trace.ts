// Checks records and notes against each other and against the commits they name. Reads only.
// Invariant: a finding is something that contradicts; what can't be checked here (a commit that is gone) is counted.
import type { CommitPlace } from "./finalise.js";
import { isRecord } from "./marks.js";
import { rangeHash, type TraceNote } from "./note.js";
import { NotesStore } from "./notes-store.js";
import { type TraceGit, withGit } from "./trace-git.js";
import { checkTrace, contentHash, metadataKey, parseTraceLine, type TraceRecord } from "./trace-record.js";
import { readTrace } from "./trace-records.js";

export interface TraceFinding {
  where: string;
  problem: string;
  next: string;
}

export interface TraceCheck {
  records: number;
  final: number;
  /** Provisional records whose lines are in no commit: not committed yet, or deleted again. */
  open: number;
  notes: number;
  /** Notes and final records of commits that this clone does not have. */
  goneCommits: number;
  findings: TraceFinding[];
}

const mostFindings = 1_000;

/** `only`: check notes and final records of these commits alone; records that name no commit are then left out. */
export function verifyTrace(place: CommitPlace, only?: ReadonlySet<string>): Promise<TraceCheck> {
  return withGit(place, async (git) => {
    const notes = new NotesStore(git);
    const check: TraceCheck = { records: 0, final: 0, open: 0, notes: 0, goneCommits: 0, findings: [] };
    const provisional = new Set<string>();
    const finalised = new Set<string>();
    for await (const { line, text, record } of readTrace(place)) {
      if (only && !only.has(record?.vcs?.revision ?? "")) continue;
      const where = line ? `agent_trace.jsonl:${line}` : "a record that waits to be written";
      if (!record) {
        add(check, where, "no Agent Trace record", "remove the line; a write was cut off there");
        continue;
      }
      check.records++;
      for (const problem of ownProblems(text, record)) add(check, where, problem, "remove the record");
      const own = record.metadata?.[metadataKey];
      for (const id of own?.finalises ?? []) finalised.add(id);
      if (!record.vcs) provisional.add(record.id);
      else {
        check.final++;
        await checkFinal(git, notes, record, where, check);
      }
    }
    check.open = [...provisional].filter((id) => !finalised.has(id)).length;
    for (const commit of (await notes.list()).keys()) {
      if (only && !only.has(commit)) continue;
      check.notes++;
      await checkNote(git, commit, await notes.of(commit), check);
    }
    return check;
  });
}

function add(check: TraceCheck, where: string, problem: string, next: string): void {
  if (check.findings.length < mostFindings) check.findings.push({ where, problem, next });
}

/** A record in the seed's dialect is judged by the record it reads as. */
function ownProblems(text: string, record: TraceRecord): string[] {
  try {
    const strict = checkTrace(JSON.parse(text));
    return strict.length ? checkTrace(parseTraceLine(text) ?? record) : strict;
  } catch {
    return ["no JSON"];
  }
}

async function checkFinal(
  git: TraceGit,
  notes: NotesStore,
  record: TraceRecord,
  where: string,
  check: TraceCheck,
): Promise<void> {
  const { revision } = record.vcs!;
  const commit = /^[0-9a-f]{7,64}$/.test(revision) ? await git.commit(revision) : undefined;
  if (!commit) {
    check.goneCommits++;
    return;
  }
  const isOurs = record.metadata?.[metadataKey]?.finalises !== undefined;
  const note = isOurs ? await notes.of(commit.oid) : undefined;
  for (const { path, conversations } of record.files) {
    const lines = await git.lines(`${commit.oid}:${path}`);
    const noted = note?.files.find((file) => file.path === path);
    for (const { start_line: first, end_line: last, content_hash: hash } of conversations.flatMap((c) => c.ranges)) {
      const place = `${path}:${first}-${last} at ${commit.oid.slice(0, 12)}`;
      if (!lines || last > lines.length) add(check, where, `${place} does not exist`, remedy);
      else if (hash?.startsWith("sha256:") && contentHash(lines.slice(first - 1, last)) !== hash)
        add(check, where, `${place} has other content`, remedy);
      else if (isOurs && !noted?.ranges.some((range) => range[0] <= last && range[1] >= first))
        add(check, where, `${place} is not in the commit's note`, "interlock trace reconcile, or fetch the notes");
    }
  }
}

const remedy = "someone edited the record; restore agent_trace.jsonl from an earlier commit";

async function checkNote(git: TraceGit, commit: string, note: TraceNote | undefined, check: TraceCheck): Promise<void> {
  const where = `note of ${commit.slice(0, 12)}`;
  const next = `git notes --ref interlock remove ${commit.slice(0, 12)}, then interlock trace reconcile`;
  if (!note) return add(check, where, "can't be read", next);
  if (!(await git.commit(commit))) {
    check.goneCommits++;
    return;
  }
  for (const { path, blob, ranges, hashes } of note.files) {
    const found = await git.object(`${commit}:${path}`);
    if (found?.oid !== blob) {
      add(check, where, `${path} is another file in that commit`, next);
      continue;
    }
    const lines = (await git.lines(blob)) ?? [];
    ranges.forEach(([first, last, mark], k) => {
      if (last > lines.length) add(check, where, `${path} has no line ${last}`, next);
      else if (hashes[k] && rangeHash(lines.slice(first - 1, last)) !== hashes[k])
        add(check, where, `${path}:${first}-${last} has other content`, next);
      else if (isRecord(mark) && !note.authors[mark]) add(check, where, `${path}:${first}-${last} has no author`, next);
    });
  }
}
