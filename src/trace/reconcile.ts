// Finds the agents' lines in commits that no hook saw: squash merges and rebases on a server, picks by other people.
// Invariant: a note is only added to. Lines are taken over from a commit that git or the patch names as the same
// change, or where long lines that stand once in both texts, and whole blocks between them, are equal.
import { type LineSource, noteFor } from "./attribute-commit.js";
import { pickedByTrailer, revertedCommits } from "./commit-origin.js";
import { type CommitPlace, rangeSource } from "./finalise.js";
import { type Authors, isRecord, type LineMark } from "./marks.js";
import { rangeHash, type TraceNote } from "./note.js";
import { NotesStore } from "./notes-store.js";
import { isTelling } from "./recognise.js";
import { Resolver } from "./resolve.js";
import { type CommitInfo, type TraceGit, withGit } from "./trace-git.js";
import { withTraceLock } from "./trace-lock.js";
import type { MarkedText } from "./working-log.js";

export interface Reconciled {
  /** Commits looked at. */
  commits: number;
  changed: { commit: string; subject: string; lines: number }[];
}

const mostCommits = 500;
const mostNoted = 5_000;
const mostVersions = 20;

/** `range` as git rev-list takes it. Undefined: git does not know it. */
export function reconcile(
  place: CommitPlace,
  range: string,
  now: number,
  progress: (done: number, total: number) => void = () => {},
): Promise<Reconciled | undefined> {
  return withTraceLock(place.folder, () =>
    withGit(place, async (git) => {
      const notes = new NotesStore(git);
      const listed = await git.text(["rev-list", "--no-merges", "--reverse", `-n${mostCommits}`, range, "--"]);
      if (listed === undefined) return undefined;
      const commits = listed.split("\n").filter(Boolean);
      const found: Reconciled = { commits: commits.length, changed: [] };
      if (!commits.length || !(await notes.list()).size) return found;
      const known = await readNoted(git, notes);
      const patches = await patchIds(git, [...commits, ...known.present.map(({ oid }) => oid)]);
      const written = new Map<string, TraceNote>();
      for (const [k, commit] of commits.entries()) {
        progress(k, commits.length);
        const info = await git.commit(commit);
        const note = info && (await reconciled(git, notes, info, known, patches));
        const lines = note ? marked(note) - marked(await notes.of(commit)) : 0;
        if (!note || lines <= 0) continue;
        written.set(commit, note);
        found.changed.push({ commit, subject: info.message.split("\n")[0] ?? "", lines });
      }
      await notes.write(written, now);
      return found;
    }),
  );
}

const marked = (note: TraceNote | undefined): number =>
  note?.files.flatMap(({ ranges }) => ranges).reduce((sum, [first, last]) => sum + last - first + 1, 0) ?? 0;

interface Noted {
  present: CommitInfo[];
  /** Notes of commits whose objects are not in this clone. */
  orphans: TraceNote[];
  /** Author, date and subject -> commits. */
  twins: Map<string, string[]>;
  /** Path -> commits whose notes name it, the newest first. */
  byPath: Map<string, string[]>;
}

const twinKey = ({ author, message }: CommitInfo): string => `${author}\0${message.split("\n")[0]}`;

async function readNoted(git: TraceGit, notes: NotesStore): Promise<Noted> {
  const noted: Noted = { present: [], orphans: [], twins: new Map(), byPath: new Map() };
  for (const commit of [...(await notes.list()).keys()].slice(0, mostNoted)) {
    const [info, note] = [await git.commit(commit), await notes.of(commit)];
    if (info) noted.present.push(info);
    else if (note) noted.orphans.push(note);
  }
  noted.present.sort((a, b) => authorTime(b) - authorTime(a));
  for (const info of noted.present) {
    noted.twins.set(twinKey(info), [...(noted.twins.get(twinKey(info)) ?? []), info.oid]);
    for (const { path } of (await notes.of(info.oid))?.files ?? [])
      noted.byPath.set(path, [...(noted.byPath.get(path) ?? []), info.oid]);
  }
  return noted;
}

const authorTime = ({ author }: CommitInfo): number => Number(/ (\d+) [+-]\d+$/.exec(author)?.[1] ?? 0);

/** Commit -> the id of its change, the same wherever it was applied. */
async function patchIds(git: TraceGit, commits: readonly string[]): Promise<Map<string, string>> {
  const unique = [...new Set(commits)].join("\n");
  const patches = await git.run(["diff-tree", "--stdin", "--root", "-p", "-r", "--no-ext-diff"], `${unique}\n`);
  const ids = new Map<string, string>();
  if (!patches) return ids;
  for (const line of (await git.run(["patch-id", "--stable"], patches))?.toString("utf8").split("\n") ?? []) {
    const [id, commit] = line.split(" ");
    if (id && commit) ids.set(commit, id);
  }
  return ids;
}

async function reconciled(
  git: TraceGit,
  notes: NotesStore,
  info: CommitInfo,
  known: Noted,
  patches: ReadonlyMap<string, string>,
): Promise<TraceNote | undefined> {
  const [parent] = info.parents;
  const [files = []] = await git.changes([{ commit: info.oid, parent }]);
  const patch = patches.get(info.oid);
  const same = known.present.map(({ oid }) => oid).filter((oid) => patch !== undefined && patches.get(oid) === patch);
  const twins = known.twins.get(twinKey(info)) ?? [];
  const picked = pickedByTrailer(info.message);
  const sources: LineSource[] = [];
  for (const oid of new Set([...picked, ...same, ...twins]))
    if (oid !== info.oid) sources.push(await rangeSource(git, notes, [oid], info.oid, true));
  const resolver = new Resolver(git, notes);
  for (const reverted of revertedCommits(info.message))
    sources.push({ direct: true, text: (path) => resolver.atCommit(`${reverted}^`, path) });
  for (let k = 0; k < mostVersions; k++) sources.push(versionSource(resolver, info.oid, known.byPath, k));
  if (known.orphans.length) sources.push(orphanSource(known.orphans));
  return noteFor(git, notes, { commit: info.oid, ...(parent && { parent }), files, sources });
}

/** The k-th newest noted version of a path. */
const versionSource = (
  resolver: Resolver,
  own: string,
  byPath: ReadonlyMap<string, readonly string[]>,
  k: number,
): LineSource => ({
  direct: false,
  text: async (path) => {
    const commit = byPath.get(path)?.filter((oid) => oid !== own)[k];
    return commit === undefined ? undefined : resolver.atCommit(commit, path);
  },
});

/** Commits that are not in this clone: a range is found again by the hash of its lines, where that is in one place. */
const orphanSource = (orphans: readonly TraceNote[]): LineSource => ({
  direct: false,
  text: async () => undefined,
  fill: (target, path, isOpen) => {
    for (const { files, authors } of orphans)
      for (const file of files)
        if (file.path === path)
          file.ranges.forEach(([first, last, mark], k) => {
            if (isRecord(mark)) fillWindow(target, last - first + 1, file.hashes[k]!, mark, authors, isOpen);
          });
  },
});

function fillWindow(
  target: MarkedText,
  length: number,
  hash: string,
  mark: LineMark,
  authors: Authors,
  isOpen: (line: number) => boolean,
): void {
  const places: number[] = [];
  for (let at = 0; at + length <= target.lines.length; at++) {
    const window = target.lines.slice(at, at + length);
    if (window.some(isTelling) && rangeHash(window) === hash) places.push(at);
  }
  const [at] = places;
  if (places.length !== 1 || at === undefined) return;
  for (let j = at; j < at + length; j++) if (isOpen(j)) target.marks[j] = mark;
  if (authors[mark]) target.authors = { ...target.authors, [mark]: authors[mark] };
}
