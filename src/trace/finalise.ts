// post-commit: the working log's marks become the commit's note and its final trace records.
// Invariant: lines that were not committed stay in the working log; nothing in the work tree changes while git is in
// the middle of a rebase, pick or merge.
import { join } from "node:path";
import { follow, isNewLine, type Origin } from "./align.js";
import { type CommitParts, type LineSource, noteFor } from "./attribute-commit.js";
import {
  headReflog,
  isRebasing,
  pickedByTrailer,
  pickedCommit,
  type ReflogEntry,
  resetFrom,
  revertedCommits,
  takeSquash,
} from "./commit-origin.js";
import { appendFinal, finalRecords } from "./final-records.js";
import { noMark } from "./marks.js";
import { NotesStore } from "./notes-store.js";
import type { TracePlace } from "./record-change.js";
import { Resolver } from "./resolve.js";
import { type CommitInfo, type FileChange, type TraceGit, withGit } from "./trace-git.js";
import { withTraceLock } from "./trace-lock.js";
import { type LogEntry, WorkingLog } from "./working-log.js";

export interface CommitPlace extends TracePlace {
  /** Of this work tree. */
  gitDir: string;
  env?: Readonly<Record<string, string>>;
}

/** Returns how many files of the commit have marks. */
export function finaliseCommit(place: CommitPlace, name: string, now: number): Promise<{ files: number }> {
  return withTraceLock(place.folder, async () => {
    const log = new WorkingLog(place.folder, place.root);
    const squashed = takeSquash(place.folder, place.root);
    const reflog = headReflog(place.gitDir);
    const told = reflog[0]?.message ?? "";
    if (log.isEmpty() && !squashed.length && !pickedCommit(place.gitDir) && !mayTakeOver(told, reflog))
      return { files: 0 };
    return withGit(place, (git) => finalise(git, place, log, name, squashed, reflog, now));
  });
}

const mayTakeOver = (told: string, reflog: readonly ReflogEntry[]): boolean =>
  /^(?:revert|cherry-pick)\b/.test(told) || /: Revert /.test(told) || resetFrom(reflog).length > 0;

const mostCommits = 50;

/** Commits made since `before`, for a caller that holds the lock. */
export function finaliseSince(place: CommitPlace, before: string, head: string, now: number): Promise<void> {
  return withGit(place, async (git) => {
    const log = new WorkingLog(place.folder, place.root);
    const commits = [...(await git.revisions([head, "--not", before])).keys()].slice(0, mostCommits);
    for (const commit of commits.reverse()) await finalise(git, place, log, commit, [], [], now);
  });
}

async function finalise(
  git: TraceGit,
  place: CommitPlace,
  log: WorkingLog,
  name: string,
  squashed: readonly string[],
  reflog: readonly ReflogEntry[],
  now: number,
): Promise<{ files: number }> {
  const info = await git.commit(name);
  if (!info) return { files: 0 };
  const [parent] = info.parents;
  const [files = []] = await git.changes([{ commit: info.oid, parent }]);
  const notes = new NotesStore(git);
  const sources = (await notes.list()).size ? await sourcesOf(git, notes, place, info, squashed, reflog) : [];
  const parts: CommitParts = { commit: info.oid, ...(parent && { parent }), files, log, sources };
  const note = await noteFor(git, notes, parts);
  if (note) {
    await notes.write(new Map([[info.oid, note]]), now);
    await appendFinal(git, place, await finalRecords(git, info.oid, note, files, now));
  }
  for (const entry of log.all()) await settle(git, log, entry, info.oid, parent, files);
  return { files: note?.files.length ?? 0 };
}

async function sourcesOf(
  git: TraceGit,
  notes: NotesStore,
  { gitDir }: CommitPlace,
  info: CommitInfo,
  squashed: readonly string[],
  reflog: readonly ReflogEntry[],
): Promise<LineSource[]> {
  const picked = pickedCommit(gitDir) ?? pickedByTrailer(info.message).at(-1);
  const [squashTip] = squashed;
  const resets = isRebasing(gitDir) ? [] : resetFrom(reflog);
  const ranges = [
    ...(picked ? [{ commit: picked, direct: true }] : []),
    ...(squashTip ? [{ commit: squashTip, direct: true }] : []),
    ...resets,
  ];
  const sources: LineSource[] = [];
  for (const { commit, direct } of ranges) sources.push(await rangeSource(git, notes, [commit], info.oid, direct));
  const resolver = new Resolver(git, notes);
  for (const reverted of revertedCommits(info.message))
    sources.push({ direct: true, text: (path) => resolver.atCommit(`${reverted}^`, path) });
  return sources;
}

/** The lines of commits that the new one does not have as ancestors. */
export async function rangeSource(
  git: TraceGit,
  notes: NotesStore,
  tips: readonly string[],
  newCommit: string,
  direct: boolean,
): Promise<LineSource> {
  const history = await git.revisions([...tips, "--not", newCommit]);
  const resolver = new Resolver(git, notes);
  const [tip = ""] = tips;
  return { direct, text: async (path) => (history.has(tip) ? resolver.within(history, tip, path) : undefined) };
}

/** What the commit took leaves the working log. */
async function settle(
  git: TraceGit,
  log: WorkingLog,
  entry: LogEntry,
  commit: string,
  parent: string | undefined,
  files: readonly FileChange[],
): Promise<void> {
  const file = files.find(({ path, from }) => path === entry.path || from === entry.path);
  if (!file?.newBlob) {
    if (entry.base === parent) log.put({ ...entry, base: commit });
    return;
  }
  if (file.path !== entry.path) log.remove(entry.path);
  const lines = await git.lines(file.newBlob);
  if (!lines) return log.remove(file.path);
  const same = lines.length === entry.lines.length && lines.every((line, i) => line === entry.lines[i]);
  if (same) return log.put({ ...entry, path: file.path, base: commit, marks: entry.marks.map(() => noMark) });
  const origins = follow(lines, entry.lines);
  const marks = entry.marks.map((mark, i) => (isOld(origins[i]!) ? noMark : mark));
  const old = file.oldBlob ? ((await git.lines(file.oldBlob)) ?? []) : [];
  const continues = entry.base === parent && isPart(old, lines, entry.lines);
  log.put({ ...entry, path: file.path, base: continues ? commit : undefined, marks });
}

const isOld = (origin: Origin): boolean => typeof origin === "number" && origin !== isNewLine;

/** The commit took some of the log's changes and made no others: a partial commit. */
function isPart(old: readonly string[], committed: readonly string[], logged: readonly string[]): boolean {
  const fromOld = follow(old, committed);
  const fromLog = follow(logged, committed);
  if (fromOld.some((origin, j) => !isOld(origin) && !isOld(fromLog[j]!))) return false;
  const kept = new Set(fromOld);
  return !follow(old, logged).some((origin) => isOld(origin) && !kept.has(origin));
}

export const placeOf = (root: string, folder: string, gitDir: string | undefined): CommitPlace => ({
  root,
  folder,
  gitDir: gitDir ?? join(root, ".git"),
});
