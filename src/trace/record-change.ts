// Records what one observed call of an agent changed: a provisional trace record per file, the working log, the map of
// intents. Invariant: only lines that differ between the text before the call and the text after it are the agent's.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orchestrationFolder } from "../model/orchestration.js";
import { headCommit, identify } from "../project/identify.js";
import { follow, isNewLine } from "./align.js";
import { classifyChange } from "./classify/classify.js";
import { dropWaiting, waitingRecords } from "./final-records.js";
import { finaliseSince } from "./finalise.js";
import { addToIntentMap, type MappedFile } from "./intent-map.js";
import { doubtful, isRecord, type LineAuthor, markAfter, noMark, rangesOf } from "./marks.js";
import { conversationOf, newRecordId, rangesWith, textHash, traceRecord } from "./provisional-record.js";
import { recognise } from "./recognise.js";
import { symbolsTouched } from "./symbols/symbols.js";
import { appendRecords } from "./trace-file.js";
import { withTraceLock } from "./trace-lock.js";
import type { TraceRecord } from "./trace-record.js";
import { writeAtOnce } from "./whole-file.js";
import { caughtUp, followable, fromShelf, type LogEntry, type MarkedText, WorkingLog } from "./working-log.js";

/** One file a call changed. `before` undefined: it did not exist; `after` undefined: it was deleted. */
export interface TracedChange {
  /** Relative to the root, with "/". */
  path: string;
  before: string | undefined;
  after: string | undefined;
  /** Nobody kept the text before the call: none of its lines is attributed. */
  beforeUnknown?: true;
  /** Git brought the new text (checkout, stash, merge, ...): its new lines are not the agent's. */
  byGit?: true;
  /** When `before` was read: what another call recorded since is that call's. */
  since?: number;
}

export interface ChangeAuthor {
  session: string;
  agent?: string;
  model?: string;
  tool: string;
  toolUseId?: string;
  intent?: { id: string; name?: string };
  run?: string;
  phase?: string;
  transcript?: string;
}

export interface TracePlace {
  /** Of the work tree. */
  root: string;
  /** Interlock's folder of the project. */
  folder: string;
}

export function recordChanges(
  where: TracePlace,
  author: ChangeAuthor,
  changes: readonly TracedChange[],
  now: number,
  /** HEAD before the call: a commit the call made is attributed too, after its post-commit step. */
  headBefore?: string,
): Promise<{ records: number }> {
  const concerned = changes.filter(
    ({ path }) => !path.startsWith(`${orchestrationFolder}/`) && !path.startsWith(".git/"),
  );
  const moved = headBefore !== undefined && headCommit(identify(where.root)) !== headBefore;
  if (!concerned.length && !moved) return Promise.resolve({ records: 0 });
  return withTraceLock(where.folder, async () => {
    const log = new WorkingLog(where.folder, where.root);
    const repository = identify(where.root);
    const current = headCommit(repository);
    const head = headBefore ?? current;
    const gone = deletedTexts(log, concerned);
    const records: TraceRecord[] = [];
    const mapped: MappedFile[] = [];
    for (const change of concerned) {
      const recorded = recordOne(log, author, change, gone, head, now);
      if (!recorded) continue;
      records.push(recorded.record);
      mapped.push({ path: change.path, symbols: recorded.symbols });
    }
    appendRecords(where.root, [...waitingRecords(where.folder, where.root), ...records]);
    dropWaiting(where.folder, where.root);
    if (headBefore && current && current !== headBefore && repository.gitDir)
      await finaliseSince({ ...where, gitDir: repository.gitDir }, headBefore, current, now);
    if (author.intent) writeIntentMap(where.root, author.intent, mapped);
    return { records: records.length };
  });
}

interface Recorded {
  record: TraceRecord;
  symbols: string[];
}

function recordOne(
  log: WorkingLog,
  author: ChangeAuthor,
  change: TracedChange,
  gone: readonly MarkedText[],
  head: string | undefined,
  now: number,
): Recorded | undefined {
  const { path, before, after } = change;
  if (before === after && !change.beforeUnknown) return undefined;
  const id = newRecordId();
  const who = authorOf(author, now);
  const entry = after === undefined ? undefined : nextEntry(log, id, who, change, gone, head);
  if (entry) log.put({ ...entry, at: now });
  else log.remove(path);
  const own = entry ? rangesWith(rangesOf(entry.marks), (mark) => mark === id) : [];
  const symbols = entry
    ? symbolsTouched(
        path,
        after!,
        own.map(([start, end]) => ({ start, end })),
      )
    : [];
  const lost = lostLines(before, after);
  const record = traceRecord({
    id,
    at: now,
    author: who,
    files: after === undefined ? [] : [{ path, conversations: [conversationOf(who, entry?.lines ?? [], own)] }],
    metadata: {
      mutation_class: change.beforeUnknown ? "INTENT_EVOLUTION" : classifyChange(path, before, after).class,
      ...(before !== undefined && { pre_hash: textHash(before) }),
      ...(after !== undefined && { post_hash: textHash(after) }),
      ...(author.toolUseId && { tool_use_id: author.toolUseId }),
      provisional: true,
      ...(lost && { deleted: [{ path, lines: lost }] }),
      ...(symbols.length && { symbols: { [path]: symbols } }),
    },
  });
  return { record, symbols };
}

const authorOf = (author: ChangeAuthor, now: number): LineAuthor => ({
  session: author.session,
  ...(author.agent && { agent: author.agent }),
  ...(author.model && { model: author.model }),
  tool: author.tool,
  ...(author.intent && { intent: author.intent.id }),
  ...(author.run && { run: author.run }),
  ...(author.phase && { phase: author.phase }),
  at: new Date(now).toISOString(),
});

/** The working log's entry after the call; undefined for a text that can't be followed. */
function nextEntry(
  log: WorkingLog,
  id: string,
  who: LineAuthor,
  { path, before, after, beforeUnknown, byGit, since }: TracedChange,
  gone: readonly MarkedText[],
  head: string | undefined,
): LogEntry | undefined {
  const lines = followable(after!);
  const old = beforeUnknown ? undefined : followable(before ?? "");
  const known = log.get(path);
  if (!lines) return undefined;
  if (!old) {
    if (!known) return undefined;
    const marks = follow(known.lines, lines).map((o) => markAfter(o, known.marks, noMark, known.authors));
    return { ...known, base: undefined, lines, marks };
  }
  const start = known
    ? caughtUp(known, old, head)
    : { path, ...(head && { base: head }), lines: old, marks: old.map(() => noMark), authors: {}, shelf: [] };
  const authors = { ...start.authors, [id]: who };
  const origins = follow(start.lines, lines);
  const marks = origins.map((origin) => markAfter(origin, start.marks, byGit ? doubtful : id, authors));
  // A call that ran at the same time wrote these lines: they are in its text, and not in the text before this call.
  if (known?.at !== undefined && since !== undefined && known.at >= since) {
    Object.assign(authors, known.authors);
    follow(known.lines, lines).forEach((origin, j) => {
      if (origins[j] === isNewLine) marks[j] = markAfter(origin, known.marks, byGit ? doubtful : id, authors);
    });
  }
  const next: LogEntry = { path, ...(start.base && { base: start.base }), lines, marks, authors, shelf: start.shelf };
  const isFresh = (i: number) => origins[i] === isNewLine;
  if (byGit) fromShelf(next, [...start.shelf, start], isFresh);
  for (const former of gone) carryOver(former, next, isFresh, id);
  return next;
}

/** Lines of a file that the same call deleted were moved, not written. */
function carryOver(former: MarkedText, next: LogEntry, isFresh: (line: number) => boolean, id: string): void {
  const found = recognise(former.lines, next.lines, (i) => isFresh(i) && next.marks[i] === id);
  found.forEach((from, i) => {
    if (from < 0) return;
    next.marks[i] = former.marks[from]!;
    if (isRecord(former.marks[from]!)) next.authors[former.marks[from]!] = former.authors[former.marks[from]!]!;
  });
}

function deletedTexts(log: WorkingLog, changes: readonly TracedChange[]): MarkedText[] {
  return changes.flatMap(({ path, before, after }) => {
    const lines = after === undefined && before !== undefined ? followable(before) : undefined;
    if (!lines) return [];
    const known = log.get(path);
    if (!known) return [{ lines, marks: lines.map(() => noMark), authors: {} }];
    const marks = follow(known.lines, lines).map((o) => markAfter(o, known.marks, noMark, known.authors));
    return [{ lines, marks, authors: known.authors }];
  });
}

function lostLines(before: string | undefined, after: string | undefined): number {
  const old = before === undefined ? [] : (followable(before) ?? []);
  const now = after === undefined ? [] : (followable(after) ?? []);
  const kept = new Set(follow(old, now).flatMap((o) => (typeof o === "number" ? [o] : o.from)));
  return old.filter((_, i) => !kept.has(i)).length;
}

function writeIntentMap(root: string, intent: { id: string; name?: string }, files: readonly MappedFile[]): void {
  if (!existsSync(join(root, orchestrationFolder))) return;
  const path = join(root, orchestrationFolder, "intent_map.md");
  let text: string | undefined;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // written for the first time
  }
  const next = addToIntentMap(text, intent, files);
  if (next === text) return;
  writeAtOnce(path, next, 0o644);
}
