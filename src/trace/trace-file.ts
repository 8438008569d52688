// Appends records to .orchestration/agent_trace.jsonl. The caller holds the trace lock.
// Invariant: whole lines in one write; a torn last line stays a line of its own and spoils no other.
import { closeSync, existsSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { orchestrationFolder, traceFileOf } from "../model/orchestration.js";
import { checkTrace, type TraceRecord } from "./trace-record.js";

/** Nothing is written to a project that keeps no intents. */
export function appendRecords(root: string, records: readonly TraceRecord[]): void {
  if (!records.length || !existsSync(join(root, orchestrationFolder))) return;
  for (const record of records) {
    const [problem] = checkTrace(record);
    if (problem) throw new Error(`a trace record would be invalid: ${problem}`);
  }
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const fd = openSync(traceFileOf(root), "a+", 0o644);
  try {
    const data = Buffer.from(endsTorn(fd) ? `\n${text}` : text);
    for (let written = 0; written < data.length; ) written += writeSync(fd, data, written);
  } finally {
    closeSync(fd);
  }
}

function endsTorn(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
