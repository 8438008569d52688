// The marks of every line of a file at a commit: the commits' notes, followed through the file's history.
// Invariant: a commit without a note adds nothing; a line takes its mark from a parent only when it surely is its line.
import { follow, isNewLine, type Origin } from "./align.js";
import { type Authors, agreed, doubtful, isRecord, type LineMark, markAfter, marksOf, noMark } from "./marks.js";
import type { NotesStore } from "./notes-store.js";
import { isTelling } from "./recognise.js";
import type { TraceGit } from "./trace-git.js";
import type { MarkedText } from "./working-log.js";

const mostRenames = 10;

/** Commits, newest first, with their parents. */
export type History = ReadonlyMap<string, readonly string[]>;

export class Resolver {
  readonly #authors: Authors = {};

  constructor(
    private readonly git: TraceGit,
    private readonly notes: NotesStore,
  ) {}

  /** Through the whole history of the file. Undefined: no such file, or none that can be followed. */
  async atCommit(commit: string, path: string, renames = 0): Promise<MarkedText | undefined> {
    const lines = await this.git.lines(`${commit}:${path}`);
    if (!lines) return undefined;
    const blank = { lines, marks: lines.map(() => noMark), authors: {} };
    if (!(await this.notes.list()).size) return blank;
    const history = await this.git.revisions([commit], [path]);
    const [tip] = history.keys();
    if (!tip) return blank;
    const found = await this.within(history, tip, path, (first) => this.#beforeRename(first, path, renames));
    return found ?? blank;
  }

  async #beforeRename(commit: string, path: string, renames: number): Promise<MarkedText | undefined> {
    if (renames >= mostRenames) return undefined;
    const parent = (await this.git.commit(commit))?.parents[0];
    if (!parent) return undefined;
    const [files = []] = await this.git.changes([{ commit, parent }]);
    const from = files.find((file) => file.path === path)?.from;
    return from === undefined ? undefined : this.atCommit(parent, from, renames + 1);
  }

  /** Through the given commits only. `before`: the text a first commit of the history was made from. */
  async within(
    history: History,
    tip: string,
    path: string,
    before: (first: string) => Promise<MarkedText | undefined> = async () => undefined,
  ): Promise<MarkedText | undefined> {
    const known = new Map<string, MarkedText | undefined>();
    const noted = await this.notes.list();
    for (const commit of reachable(history, tip).reverse()) {
      const parents = history.get(commit)!.filter((parent) => history.has(parent));
      const texts = parents.map((parent) => known.get(parent)).filter((text) => text !== undefined);
      // The history of a path begins where it was added, perhaps by a rename.
      if (!parents.length) {
        const former = await before(commit);
        if (former?.marks.some((mark) => mark !== noMark)) texts.push(former);
      }
      const note = noted.has(commit) ? await this.notes.of(commit) : undefined;
      if (!texts.length && !note?.files.some((file) => file.path === path)) continue;
      known.set(commit, await this.#step(commit, path, texts));
    }
    return known.get(tip);
  }

  async #step(commit: string, path: string, parents: readonly MarkedText[]): Promise<MarkedText | undefined> {
    const found = await this.git.object(`${commit}:${path}`);
    const lines = found?.type === "blob" ? await this.git.lines(found.oid) : undefined;
    if (!lines) return undefined;
    const note = await this.notes.of(commit);
    Object.assign(this.#authors, note?.authors, ...parents.map(({ authors }) => authors));
    const file = note?.files.find((one) => one.path === path && one.blob === found!.oid);
    const own = marksOf(file?.ranges ?? [], lines.length);
    const origins = parents.map((parent) => follow(parent.lines, lines));
    const marks = lines.map((_, j) => {
      if (own[j] !== noMark) return own[j]!;
      return inherited(parents, origins, lines, j, this.#authors);
    });
    return { lines, marks, authors: this.#authors };
  }
}

/** A line that all parents have must have one mark; a line new to a parent says nothing about it. */
function inherited(
  parents: readonly MarkedText[],
  origins: readonly Origin[][],
  lines: readonly string[],
  j: number,
  authors: Authors,
): LineMark {
  const marks = parents.flatMap((parent, p) => {
    const origin = origins[p]![j]!;
    return origin === isNewLine ? [] : [markAfter(origin, parent.marks, noMark, authors)];
  });
  if (marks.length < 2) return marks[0] ?? noMark;
  const said = marks.filter((mark) => mark !== noMark);
  if (said.length === marks.length) return agreed(marks, authors);
  if (!said.some(isRecord)) return noMark;
  // One side saw the agent write it, the other saw nothing: a copy, unless such a line is typed every day.
  return isTelling(lines[j]!) && lines.indexOf(lines[j]!) === lines.lastIndexOf(lines[j]!)
    ? agreed(said, authors)
    : doubtful;
}

function reachable(history: History, tip: string): string[] {
  const wanted = new Set([tip]);
  const found: string[] = [];
  for (const [commit, parents] of history) {
    if (!wanted.has(commit)) continue;
    found.push(commit);
    for (const parent of parents) wanted.add(parent);
  }
  return found;
}
