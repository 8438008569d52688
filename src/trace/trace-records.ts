// All trace records of a work tree: those in agent_trace.jsonl and those that wait to be written there. Reads only.
import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { traceFileOf } from "../model/orchestration.js";
import { waitingRecords } from "./final-records.js";
import type { TracePlace } from "./record-change.js";
import { parseTraceLine, type TraceRecord } from "./trace-record.js";

export interface ReadLine {
  /** In agent_trace.jsonl; 0 for a record that waits. */
  line: number;
  text: string;
  /** Undefined: no record. */
  record?: TraceRecord;
}

export async function* readTrace({ root, folder }: TracePlace): AsyncGenerator<ReadLine> {
  const file = traceFileOf(root);
  if (existsSync(file)) {
    let line = 0;
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      line++;
      if (!text.trim()) continue;
      const record = parseTraceLine(text);
      yield { line, text, ...(record && { record }) };
    }
  }
  for (const record of waitingRecords(folder, root)) yield { line: 0, text: JSON.stringify(record), record };
}
