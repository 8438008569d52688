// interlock trace export: every record as strict Agent Trace 0.1.0, one JSON object a line.
import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { checkTrace } from "../../../trace/trace-record.js";
import { readTrace } from "../../../trace/trace-records.js";
import { atMost } from "../args.js";
import { printJson } from "../current-project.js";
import { withProgress } from "../progress.js";
import { sayError } from "../wrap.js";
import { type TraceOptions, tracePlace } from "./trace-place.js";

export async function exportTrace(values: TraceOptions, words: readonly string[], usage: string): Promise<number> {
  atMost(words, 0, usage);
  const place = tracePlace(values);
  const fd = values.out === undefined ? 1 : openSync(resolve(values.cwd ?? process.cwd(), values.out), "w");
  let written = 0;
  let left = 0;
  const copy = async (step: (what: string) => void): Promise<void> => {
    for await (const { record } of readTrace(place)) {
      if (!record || checkTrace(record).length) left++;
      else {
        writeWholeLine(fd, JSON.stringify(record));
        step(`${++written} records`);
      }
    }
  };
  try {
    // Records on a terminal are their own progress.
    if (fd === 1 && process.stdout.isTTY) await copy(() => {});
    else await withProgress("reading the records", ({ step }) => copy(step));
  } finally {
    if (fd !== 1) closeSync(fd);
  }
  if (values.json && fd !== 1) printJson({ written, left_out: left });
  if (left) sayError(`interlock: ${left} lines are no valid records and were left out; interlock trace verify`);
  return 0;
}

function writeWholeLine(fd: number, text: string): void {
  const bytes = Buffer.from(`${text}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}
