// The final Agent Trace records of a commit, from its note, and where they are written.
// Invariant: a tracked agent_trace.jsonl is never changed by a commit or rebase, which would leave the tree dirty and
// stop the next rebase; the records wait in Interlock's folder until the next agent call.
import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { traceFileName } from "../model/orchestration.js";
import { sha256 } from "../model/sha256.js";
import { classifyChange } from "./classify/classify.js";
import { isBusy } from "./commit-origin.js";
import type { CommitPlace } from "./finalise.js";
import { isRecord, type LineAuthor } from "./marks.js";
import type { TraceNote } from "./note.js";
import { conversationOf, rangesWith, traceRecord } from "./provisional-record.js";
import { appendRecords } from "./trace-file.js";
import type { FileChange, TraceGit } from "./trace-git.js";
import { type MutationClass, parseTraceLine, type TraceFile, type TraceRecord } from "./trace-record.js";

interface AuthorGroup {
  author: LineAuthor;
  ids: Set<string>;
  files: TraceFile[];
  classes: Set<MutationClass>;
}

/** Of the whole commit's change to the author's files; different ones together are more than any of them. */
const classOf = (classes: ReadonlySet<MutationClass>): MutationClass =>
  classes.size === 1 ? [...classes][0]! : "INTENT_EVOLUTION";

/** One record per author: session, agent, model and intent. */
export async function finalRecords(
  git: TraceGit,
  commit: string,
  note: TraceNote,
  changes: readonly FileChange[],
  now: number,
): Promise<TraceRecord[]> {
  const groups = new Map<string, AuthorGroup>();
  for (const { ranges } of note.files)
    for (const [, , mark] of ranges) {
      if (!isRecord(mark)) continue;
      const { at: _, tool: __, ...author } = note.authors[mark] ?? {};
      const key = JSON.stringify(author);
      const group = groups.get(key) ?? { author, ids: new Set(), files: [], classes: new Set() };
      group.ids.add(mark);
      groups.set(key, group);
    }
  for (const { path, blob, ranges } of note.files) {
    const lines = (await git.lines(blob)) ?? [];
    const old = changes.find((change) => change.path === path)?.oldBlob;
    const before = old && (await git.lines(old));
    const { class: found } = classifyChange(path, before ? before.join("\n") : undefined, lines.join("\n"));
    for (const { author, ids, files, classes } of groups.values()) {
      const own = rangesWith(ranges, (mark) => ids.has(mark));
      if (!own.length) continue;
      files.push({ path, conversations: [conversationOf(author, lines, own)] });
      classes.add(found);
    }
  }
  return [...groups.values()].map(({ author, ids, files, classes }) =>
    traceRecord({
      at: now,
      author,
      revision: commit,
      files,
      metadata: { mutation_class: classOf(classes), provisional: false, finalises: [...ids].sort() },
    }),
  );
}

const waitingFile = (folder: string, root: string): string =>
  join(folder, "trace", `waiting-${sha256(root).slice(0, 16)}.jsonl`);

export async function appendFinal(git: TraceGit, place: CommitPlace, records: readonly TraceRecord[]): Promise<void> {
  if (!records.length) return;
  const tracked = await git.object(`:${traceFileName}`);
  if (!tracked && !isBusy(place.gitDir)) return appendRecords(place.root, records);
  mkdirSync(join(place.folder, "trace"), { recursive: true, mode: 0o700 });
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  appendFileSync(waitingFile(place.folder, place.root), text, { mode: 0o600 });
}

/** Final records that could not be written with their commit. */
export function waitingRecords(folder: string, root: string): TraceRecord[] {
  let text: string;
  try {
    text = readFileSync(waitingFile(folder, root), "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => parseTraceLine(line) ?? []);
}

export const dropWaiting = (folder: string, root: string): void => rmSync(waitingFile(folder, root), { force: true });
