// Answers from agent_trace.jsonl by intent or file without reading it whole. Invariant: the answer is what a scan of
// the file would give, in its order; a record that is there twice counts at its last place. The index is a cache:
// lines it does not know yet are read.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { intentsOf, parseTraceLine, pathsOf, readTraceLine, type TraceRecord } from "../trace-record.js";
import {
  forgetList,
  type IndexList,
  indexFolderOf,
  type LineCounts,
  openShard,
  readList,
  samplesOf,
  writeList,
  writeShard,
} from "./index-folder.js";
import { type PlacedLine, readLines } from "./read-lines.js";
import { Shard, ShardBuilder, shardLimits } from "./shard.js";

export interface TraceIndex {
  /** In the order of the file; with a limit, the last ones. */
  ofIntent(id: string, limit?: number): TraceRecord[];
  ofFile(path: string, limit?: number): TraceRecord[];
  readonly counts: LineCounts;
  close(): void;
}

export interface TraceIndexOptions {
  /** Where the index is kept, outside the work tree; absent: in memory. */
  folder: string;
  /** Called while a large part of the file is read: bytes done and bytes in all. */
  progress?(done: number, total: number): void;
}

/** Fewer new lines than these are read again at each opening instead of being written. */
const fewLines = 256;
/** Shards merge until each is this much larger than the next. */
const growth = 4;

interface OpenShard {
  shard: Shard;
  /** Its file's name; absent: in memory only. */
  name?: string;
  close(): void;
}

export async function openTraceIndex(file: string, options?: TraceIndexOptions): Promise<TraceIndex> {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return emptyIndex();
    throw error;
  }
  try {
    return await openOn(fd, options, options && indexFolderOf(options.folder, file));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

async function openOn(fd: number, options?: TraceIndexOptions, folder?: string): Promise<TraceIndex> {
  const known = folder === undefined ? undefined : openKnown(folder, fd);
  const shards: OpenShard[] = known?.shards ?? [];
  const { covered, tail, counts, added } = await readRest(fd, known?.list, shards, options, folder);
  if (folder !== undefined && added) {
    mergeSmall(folder, shards);
    const names = shards.map(({ name, shard }) => ({ name: name!, lines: shard.lines }));
    writeList(folder, { covered, samples: samplesOf(fd, covered), shards: names, counts: counts.covered });
  }
  const answer = (key: string, concerns: (record: TraceRecord) => boolean, limit = Number.POSITIVE_INFINITY) =>
    lookUp(fd, [...shards.map(({ shard }) => shard), tail], key, concerns, limit, () => {
      if (folder !== undefined) forgetList(folder);
    });
  return {
    ofIntent: (id, limit) => answer(intentKey(id), (record) => intentsOf(record).includes(id), limit),
    ofFile: (path, limit) => answer(fileKey(path), (record) => pathsOf(record).includes(path), limit),
    counts: counts.all,
    close() {
      for (const { close } of shards) close();
      closeSync(fd);
    },
  };
}

const intentKey = (id: string): string => `intent ${id}`;
const fileKey = (path: string): string => `file ${path}`;

function openKnown(folder: string, fd: number): { list: IndexList; shards: OpenShard[] } | undefined {
  const list = readList(folder, fd);
  if (!list) return undefined;
  const shards: OpenShard[] = [];
  for (const { name } of list.shards) {
    const open = openShard(folder, name);
    if (!open) {
      for (const { close } of shards) close();
      return undefined;
    }
    shards.push({ ...open, name });
  }
  return { list, shards };
}

/** Reads what the index does not know; large parts become shards, the last few lines stay in memory. */
async function readRest(
  fd: number,
  list: IndexList | undefined,
  shards: OpenShard[],
  options: TraceIndexOptions | undefined,
  folder: string | undefined,
) {
  const known = list?.counts ?? { lines: 0, records: 0, dialect: 0, duplicates: 0, unreadable: 0 };
  const counts = { covered: { ...known }, all: { ...known } };
  const total = fstatSync(fd).size;
  let covered = list?.covered ?? 0;
  let end = covered;
  let builder = new ShardBuilder(covered);
  let seen = new Set<string>();
  let torn: PlacedLine | undefined;
  let added = false;
  const finish = (): void => {
    const bytes = builder.encode();
    if (folder === undefined) shards.push({ ...inMemory(bytes), close: () => undefined });
    else {
      const name = writeShard(folder, bytes);
      shards.push({ ...(openShard(folder, name) ?? missing(name)), name });
    }
    added = true;
    covered = end;
    counts.covered = { ...counts.all };
    builder = new ShardBuilder(covered);
    seen = new Set();
  };
  await readLines(
    fd,
    covered,
    (line) => {
      if (!line.whole) {
        torn = line;
        return;
      }
      addLine(builder, line, counts.all, seen);
      end = line.to;
      if (builder.isFull) finish();
    },
    async (at) => {
      options?.progress?.(at, total);
      await new Promise(setImmediate);
    },
  );
  if (builder.lines >= fewLines) finish();
  // A last line without a line break may be a record; it is not covered, for somebody may still be writing it.
  if (torn) addLine(builder, torn, counts.all, seen);
  return { covered, tail: inMemory(builder.encode()).shard, counts, added };
}

const missing = (name: string): never => {
  throw new Error(`the index shard ${name} could not be read back after it was written`);
};

function inMemory(bytes: Buffer): { shard: Shard } {
  return { shard: Shard.open((at, length) => bytes.subarray(at, at + length), bytes.length)! };
}

function addLine(builder: ShardBuilder, line: PlacedLine, counts: LineCounts, seen: Set<string>): void {
  const { from, to, text } = line;
  counts.lines++;
  const { record, dialect } = (text === undefined ? undefined : readTraceLine(text)) ?? {};
  if (record) {
    counts.records++;
    if (dialect) counts.dialect++;
    if (seen.has(record.id)) counts.duplicates++;
    seen.add(record.id);
  } else if (text === undefined || text.trim()) counts.unreadable++;
  builder.add(from, to, record ? [...intentsOf(record).map(intentKey), ...pathsOf(record).map(fileKey)] : []);
}

/** Keeps the number of shards small without reading the trace file again. */
function mergeSmall(folder: string, shards: OpenShard[]): void {
  for (;;) {
    const [first, second] = shards.slice(-2);
    if (!first || !second || first.shard.lines > second.shard.lines * growth) return;
    if (first.shard.lines + second.shard.lines > shardLimits.lines) return;
    const name = writeShard(folder, Shard.merge(first.shard, second.shard));
    const merged = { ...(openShard(folder, name) ?? missing(name)), name };
    first.close();
    second.close();
    shards.splice(-2, 2, merged);
  }
}

/** From the last line back, so that a limit costs only what it asks for. */
function lookUp(
  fd: number,
  shards: readonly Shard[],
  key: string,
  concerns: (record: TraceRecord) => boolean,
  limit: number,
  onMisfit: () => void,
): TraceRecord[] {
  const found = new Map<string, TraceRecord>();
  let bytes = Buffer.allocUnsafe(1 << 16);
  for (const shard of shards.toReversed()) {
    const lines = shard.find(key).toReversed();
    const step = Math.max(1, Math.min(limit, lines.length));
    for (let i = 0; i < lines.length; i += step)
      for (const { from, to } of shard.places(lines.slice(i, i + step))) {
        if (found.size >= limit) return [...found.values()].reverse();
        if (to - from > bytes.length) bytes = Buffer.allocUnsafe(to - from);
        const read = readSync(fd, bytes, 0, to - from, from);
        const record = parseTraceLine(bytes.toString("utf8", 0, read).trimEnd());
        if (!record || !concerns(record))
          onMisfit(); // the file was edited in place: the next opening builds anew
        else if (!found.has(record.id)) found.set(record.id, record);
      }
  }
  return [...found.values()].reverse();
}

function emptyIndex(): TraceIndex {
  const counts = { lines: 0, records: 0, dialect: 0, duplicates: 0, unreadable: 0 };
  return { ofIntent: () => [], ofFile: () => [], counts, close: () => undefined };
}
