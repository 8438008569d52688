// Who wrote each line of a file in the work tree: marks of its commits and of the working log, with git's own blame
// beside them. Reads only. Invariant: a line without evidence is `unknown`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { follow } from "./align.js";
import { fillFromLog } from "./attribute-commit.js";
import type { CommitPlace } from "./finalise.js";
import { doubtful, isRecord, type LineAuthor, type LineMark, markAfter, noMark, outside } from "./marks.js";
import { NotesStore } from "./notes-store.js";
import { Resolver } from "./resolve.js";
import { type TraceGit, withGit } from "./trace-git.js";
import { followable, type MarkedText, WorkingLog } from "./working-log.js";

export interface BlamedLine extends LineAuthor {
  line: number;
  text: string;
  /** `outside`: changed outside the observed calls; `unknown`: nothing was seen, or it can't be told. */
  by: "ai" | "outside" | "unknown";
  /** The trace record that wrote it. */
  record?: string;
  /** The commit git names; undefined for an uncommitted line. */
  commit?: string;
  /** Who committed it, as git has it. */
  committer?: string;
  /** Why it is unknown although something was seen. */
  why?: string;
}

export function blameFile(place: CommitPlace, path: string): Promise<BlamedLine[] | undefined> {
  return withGit(place, async (git) => {
    const marked = await marksInTree(git, new NotesStore(git), place, path);
    if (!marked) return undefined;
    const commits = await commitsOf(git, path, marked.lines.length);
    return marked.lines.map((text, i) => ({
      line: i + 1,
      text,
      ...meaning(marked.marks[i]!, marked.authors),
      ...commits[i],
    }));
  });
}

/** Undefined: no such file, or none that can be followed. */
export async function marksInTree(
  git: TraceGit,
  notes: NotesStore,
  place: CommitPlace,
  path: string,
): Promise<MarkedText | undefined> {
  let lines: string[] | undefined;
  try {
    lines = followable(readFileSync(join(place.root, path), "utf8"));
  } catch {
    return undefined;
  }
  if (!lines) return undefined;
  const head = await git.commit("HEAD");
  const committed = head && (await new Resolver(git, notes).atCommit(head.oid, path));
  const origins = follow(committed?.lines ?? [], lines);
  const target: MarkedText = { lines, marks: lines.map(() => noMark), authors: { ...committed?.authors } };
  const entry = new WorkingLog(place.folder, place.root).get(path);
  if (entry) fillFromLog(target, origins, entry, entry.base !== undefined && entry.base === head?.oid);
  if (committed)
    target.marks = target.marks.map((mark, j) =>
      mark === noMark ? markAfter(origins[j]!, committed.marks, noMark, target.authors) : mark,
    );
  return target;
}

export function meaning(
  mark: LineMark,
  authors: Readonly<Record<string, LineAuthor>>,
): LineAuthor & { by: BlamedLine["by"]; record?: string; why?: string } {
  if (isRecord(mark)) return { by: "ai", record: mark, ...authors[mark] };
  if (mark === outside) return { by: "outside" };
  return mark === doubtful
    ? { by: "unknown", why: "equal lines or two histories: either author may have written it" }
    : { by: "unknown" };
}

async function commitsOf(
  git: TraceGit,
  path: string,
  lines: number,
): Promise<{ commit?: string; committer?: string }[]> {
  const found: { commit?: string; committer?: string }[] = new Array(lines).fill({});
  const text = await git.text(["blame", "--porcelain", "--", path]);
  const names = new Map<string, string>();
  let at: { commit: string; line: number } | undefined;
  for (const row of text?.split("\n") ?? []) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row);
    if (head) at = { commit: head[1]!, line: Number(head[2]) };
    else if (at && row.startsWith("author ")) names.set(at.commit, row.slice("author ".length));
    else if (at && row.startsWith("\t") && !/^0+$/.test(at.commit))
      found[at.line - 1] = { commit: at.commit, committer: names.get(at.commit) };
  }
  return found;
}
