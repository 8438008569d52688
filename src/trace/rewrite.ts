// post-rewrite: after an amend or a rebase the notes of the old commits are carried over to the new ones.
// Invariant: a constant number of git processes, however many commits were rewritten; a changed line loses its mark.
import { type LineSource, noteFor } from "./attribute-commit.js";
import { appendFinal, finalRecords } from "./final-records.js";
import type { CommitPlace } from "./finalise.js";
import type { TraceNote } from "./note.js";
import { NotesStore } from "./notes-store.js";
import { Resolver } from "./resolve.js";
import { type CommitInfo, type FileChange, type TraceGit, withGit } from "./trace-git.js";
import { withTraceLock } from "./trace-lock.js";
import type { TraceRecord } from "./trace-record.js";
import { WorkingLog } from "./working-log.js";

export interface Rewritten {
  from: string;
  to: string;
}

/** The lines git writes to the hook: `<old> <new> [<extra>]`. */
export const parseRewritten = (text: string): Rewritten[] =>
  text.split("\n").flatMap((line) => {
    const found = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64})\b/.exec(line);
    return found && found[1] !== found[2] ? [{ from: found[1]!, to: found[2]! }] : [];
  });

export function carryOverNotes(
  place: CommitPlace,
  pairs: readonly Rewritten[],
  now: number,
): Promise<{ commits: number }> {
  if (!pairs.length) return Promise.resolve({ commits: 0 });
  return withTraceLock(place.folder, () =>
    withGit(place, async (git) => {
      const notes = new NotesStore(git);
      const carried = (await notes.list()).size ? await carry(git, notes, pairs) : [];
      await notes.write(new Map(carried.map(({ commit, note }) => [commit, note])), now);
      const records: TraceRecord[] = [];
      for (const { commit, note, files } of carried)
        records.push(...(await finalRecords(git, commit, note, files, now)));
      await appendFinal(git, place, records);
      await rebaseLog(git, new WorkingLog(place.folder, place.root), pairs);
      return { commits: carried.length };
    }),
  );
}

interface Carried {
  commit: string;
  note: TraceNote;
  files: readonly FileChange[];
}

async function carry(git: TraceGit, notes: NotesStore, pairs: readonly Rewritten[]): Promise<Carried[]> {
  const olds = [...new Set(pairs.map(({ from }) => from))];
  const news = [...new Set(pairs.map(({ to }) => to))];
  const history = await git.revisions([...olds, "--not", ...news]);
  const infos = new Map<string, CommitInfo>();
  for (const commit of [...olds, ...news]) {
    const info = await git.commit(commit);
    if (info) infos.set(commit, info);
  }
  const listed = [...infos.values()];
  const changes = await git.changes(listed.map(({ oid, parents }) => ({ commit: oid, parent: parents[0] })));
  const filesOf = new Map(listed.map(({ oid }, k) => [oid, changes[k] ?? []]));
  const resolver = new Resolver(git, notes);
  const written: Carried[] = [];
  for (const commit of news) {
    const info = infos.get(commit);
    if (!info) continue;
    const sources = pairs
      .filter(({ to }) => to === commit)
      .reverse()
      .map(
        ({ from }): LineSource => ({
          direct: true,
          text: async (path) => (history.has(from) ? resolver.within(history, from, path) : undefined),
          parentBlob: (path) => fileAt(filesOf.get(from), path)?.oldBlob,
        }),
      );
    const files = filesOf.get(commit) ?? [];
    const parent = info.parents[0];
    const note = await noteFor(git, notes, { commit, ...(parent && { parent }), files, sources });
    if (note) written.push({ commit, note, files });
  }
  return written;
}

const fileAt = (files: readonly FileChange[] | undefined, path: string): FileChange | undefined =>
  files?.find((file) => file.path === path);

/** Uncommitted lines stand on the new commit now. */
async function rebaseLog(git: TraceGit, log: WorkingLog, pairs: readonly Rewritten[]): Promise<void> {
  const newOf = new Map(pairs.map(({ from, to }) => [from, to]));
  for (const entry of log.all()) {
    const next = entry.base && newOf.get(entry.base);
    if (!next) continue;
    const [old, now] = [await git.object(`${entry.base}:${entry.path}`), await git.object(`${next}:${entry.path}`)];
    log.put({ ...entry, base: old?.oid === now?.oid ? next : undefined });
  }
}
