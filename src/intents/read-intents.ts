// The intents of a repository for commands and the MCP server: the file, .intentignore, lessons, earlier changes.
// Invariant: reads only; a file that is missing or broken is a problem with its fix, never an empty list.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { traceFileOf } from "../model/orchestration.js";
import { readBoundedText } from "../project/bounded-read.js";
import { openTraceIndex } from "../trace/index/trace-index.js";
import { contentHash, metadataKey, type TraceRange, type TraceRecord } from "../trace/trace-record.js";
import type { HistoryEntry } from "./context-block.js";
import { parseIntents } from "./document.js";
import { type IntentSet, ignoreFiles, intentsFile } from "./intent.js";
import { type RecordedLesson, readLessons } from "./lessons.js";
import { readIgnoreFile } from "./scope-patterns.js";

const mostBytes = 1024 * 1024;

export interface IntentsOnDisk {
  /** Undefined where there is no file. */
  text: string | undefined;
  set: IntentSet;
}

export function readIntents(root: string): IntentsOnDisk {
  const text = textOf(join(root, intentsFile));
  if (text !== undefined) return { text, set: parseIntents(text) };
  const fix = 'add the first one: interlock intent add "<what for>" --scope <pattern>';
  return { text, set: { intents: [], problem: { what: "the file does not exist", fix } } };
}

export const ignoredIntents = (root: string): string[] =>
  ignoreFiles.flatMap((file) => readIgnoreFile(textOf(join(root, file)) ?? "").intents);

export const lessonsIn = (root: string, file: string): RecordedLesson[] => readLessons(textOf(join(root, file)));

function textOf(file: string): string | undefined {
  try {
    return readBoundedText(file, mostBytes);
  } catch {
    return undefined; // missing and unreadable are told apart by who needs it
  }
}

/** What was changed under an intent, newest first. `folder`: Interlock's own, for the index. */
export async function intentHistory(root: string, folder: string, id: string, limit = 10): Promise<HistoryEntry[]> {
  const index = await openTraceIndex(traceFileOf(root), { folder });
  try {
    return index
      .ofIntent(id, limit)
      .reverse()
      .flatMap((record) => entriesOf(root, record))
      .slice(0, limit);
  } finally {
    index.close();
  }
}

function entriesOf(root: string, record: TraceRecord): HistoryEntry[] {
  const kind = record.metadata?.[metadataKey]?.mutation_class;
  return record.files.map((file) => {
    const ranges = file.conversations.flatMap((c) => c.ranges);
    const lines = ranges
      .slice(0, 4)
      .map((r) => (r.start_line === r.end_line ? `${r.start_line}` : `${r.start_line}-${r.end_line}`));
    return {
      at: record.timestamp.slice(0, 16).replace("T", " "),
      file: file.path,
      ...(lines.length && { lines: lines.join(",") + (ranges.length > 4 ? ",..." : "") }),
      ...(kind && { class: kind }),
      ...presence(join(root, file.path), ranges),
    };
  });
}

/** Whether lines that were written are still somewhere in the file. */
function presence(path: string, ranges: readonly TraceRange[]): { present?: boolean } {
  const range = ranges.find((r) => r.content_hash);
  if (!range) return {};
  let lines: string[];
  try {
    lines = readFileSync(path, "utf8").slice(0, mostBytes).split("\n");
  } catch {
    return { present: false };
  }
  const size = range.end_line - range.start_line + 1;
  const at = (start: number) => contentHash(lines.slice(start, start + size)) === range.content_hash;
  if (at(range.start_line - 1)) return { present: true };
  const most = Math.min(lines.length - size, 2_000);
  for (let start = 0; start <= most; start++) if (at(start)) return { present: true };
  return { present: false };
}
