// One run on disk: runs/<id>/{run.json, events.jsonl, capsules, manifests, logs, artifacts}.
// Invariant: events are only appended, one line per write, each with `ts` and `event`; a torn line never takes its
// neighbour with it.
//
// For `interlock kit`: `createRun` makes the folders and the record and appends `run_started`. Commands pass the signed
// records (signed-records.ts); the file in the run folder is then a copy for readers.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { readBoundedText } from "../project/bounded-read.js";
import { replaceFile } from "../project/replace-file.js";
import type { KitName } from "./actions.js";
import { isRunId, makeRunId } from "./ids.js";
import {
  type Ancestor,
  assertValid,
  eventSchema,
  interopLimits,
  type Lineage,
  type ReadBudget,
  type RunEvent,
  type RunRecord,
  runRecordSchema,
  schemaFindings,
} from "./schemas.js";

export const runFolders = ["capsules", "manifests", "logs", "artifacts"] as const;

/** Where the records of runs are kept. The default is the file in the run folder, which is unsigned. */
export interface RunRecords {
  /** What is believed of the run. */
  read(runId: string): RunRecord | undefined;
  write(record: RunRecord): void;
  /** What run.json says, signed or not: to be shown, never to decide by. */
  copy?(runId: string): RunRecord | undefined;
  /** Why the run's own file is not to be believed. */
  doubt?(runId: string): RunDoubt | undefined;
  /** Writes run.json anew from the signed record. False: there is none. */
  restore?(runId: string): boolean;
}

export interface RunDoubt {
  /** altered: run.json differs from the signed record; unsigned: there is none; forged: its signature is wrong. */
  kind: "altered" | "unsigned" | "forged";
  what: string;
  remedy: string;
}

export interface Run {
  id: string;
  /** Absolute path of runs/<id>. */
  root: string;
  /** Relative to the project, as it goes into pointers and RUN_ROOT. */
  relativeRoot: string;
  record: RunRecord;
  append(event: NewEvent): void;
  /** Absolute path of `<kit>_<phase>` in one of the folders. */
  file(folder: (typeof runFolders)[number], name: string): string;
  pointer(folder: (typeof runFolders)[number], name: string): string;
}

export type NewEvent = Omit<RunEvent, "ts" | "run_id" | "truncated"> & { ts?: string };

export interface NewRun {
  kit: KitName;
  phase: string;
  args?: readonly string[];
  /** Chosen by the pump, so that it knows where to look. */
  runId?: string;
  parentRunId?: string | null;
  requestId?: string | null;
  readBudget?: ReadBudget;
  timeoutSeconds?: number;
  agentRuntime?: string;
  now?: number;
}

export class RunError extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

/**
 * Makes the folders, writes the record, appends `run_started`. Lineage comes from the parent's record, never from the
 * caller.
 */
export function createRun(project: string, start: NewRun, records: RunRecords = fileRunRecords(project)): Run {
  const now = start.now ?? Date.now();
  const id = start.runId ?? makeRunId(now);
  if (!isRunId(id))
    throw new RunError(`"${id}" is no run id`, "leave it out, or use the form 20260213T091500Z-1a2b3c4d");
  const lineage = start.parentRunId ? lineageBelow(start.parentRunId, records) : { depth: 0, ancestors: [] };
  const record: RunRecord = {
    run_id: id,
    kit: start.kit,
    phase: start.phase,
    args: [...(start.args ?? [])],
    parent_run_id: start.parentRunId ?? null,
    request_id: start.requestId ?? null,
    ...lineage,
    started_at: new Date(now).toISOString(),
    pid: process.pid,
    host: hostname().slice(0, 200),
    project_root: project,
    ...(start.agentRuntime && { agent_runtime: start.agentRuntime }),
    ...(start.readBudget && { read_budget: start.readBudget }),
    ...(start.timeoutSeconds && { timeout_seconds: start.timeoutSeconds }),
  };
  assertValid(runRecordSchema, record, "the run record");
  if (records.read(id) ?? records.copy?.(id))
    throw new RunError(`run ${id} exists already`, "start a new run without --run-id");
  const root = join(project, "runs", id);
  for (const folder of runFolders) mkdirSync(join(root, folder), { recursive: true });
  records.write(record);
  const run = runOf(project, record);
  run.append({
    event: "run_started",
    kit: record.kit,
    phase: record.phase,
    parent_run_id: record.parent_run_id,
    ...(record.request_id && { request_id: record.request_id }),
    data: { pid: record.pid, depth: record.depth, ...(start.agentRuntime && { agent_runtime: start.agentRuntime }) },
  });
  return run;
}

export function openRun(
  project: string,
  runId: string,
  records: RunRecords = fileRunRecords(project),
): Run | undefined {
  const record = isRunId(runId) ? records.read(runId) : undefined;
  return record && runOf(project, record);
}

function runOf(project: string, record: RunRecord): Run {
  const relativeRoot = `runs/${record.run_id}`;
  const root = join(project, relativeRoot);
  return {
    id: record.run_id,
    root,
    relativeRoot,
    record,
    append: (event) => appendEvent(project, record.run_id, event),
    file: (folder, name) => join(root, folder, name),
    pointer: (folder, name) => `${relativeRoot}/${folder}/${name}`,
  };
}

export const recordFile = (project: string, runId: string): string => join(project, "runs", runId, "run.json");

export function fileRunRecords(project: string): RunRecords {
  return {
    read(runId) {
      if (!isRunId(runId)) return undefined;
      try {
        const value: unknown = JSON.parse(readBoundedText(recordFile(project, runId), interopLimits.requestBytes));
        if (schemaFindings(runRecordSchema, value).length) return undefined;
        const record = value as RunRecord;
        return record.run_id === runId ? record : undefined;
      } catch {
        return undefined; // no such run, or a record nobody can use
      }
    },
    write: (record) => replaceFile(recordFile(project, record.run_id), `${JSON.stringify(record, null, 2)}\n`),
  };
}

/** The lineage of a run that the given run starts. */
export function lineageBelow(parentRunId: string, records: RunRecords): Lineage {
  const parent = records.read(parentRunId);
  const doubt = records.doubt?.(parentRunId);
  if (doubt) throw new RunError(doubt.what, doubt.remedy);
  if (!parent) throw new RunError(`there is no run ${parentRunId}`, "list the runs: interlock run list");
  const own: Ancestor = { run_id: parent.run_id, action: `${parent.kit}.${parent.phase}`, args: parent.args };
  return { depth: parent.depth + 1, ancestors: [...parent.ancestors, own] };
}

/** Appends one line. Long fields are cut before the line gets longer than one atomic write. */
export function appendEvent(project: string, runId: string, event: NewEvent): void {
  if (!isRunId(runId)) throw new RunError(`"${runId}" is no run id`, "list the runs: interlock run list");
  const { ts, event: name, ...rest } = event;
  const full: RunEvent = { ts: ts ?? new Date().toISOString(), event: name, run_id: runId, ...rest };
  const line = Buffer.from(`${JSON.stringify(fitted(full))}\n`);
  const file = join(project, "runs", runId, "events.jsonl");
  const fd = openSync(
    file,
    constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
    0o644,
  );
  try {
    // A writer killed half way left no line end: start a new line, so that only its own is lost.
    writeSync(fd, endsInNewline(fd) ? line : Buffer.concat([Buffer.from("\n"), line]));
  } finally {
    closeSync(fd);
  }
}

function endsInNewline(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] === 10;
}

const oneLine = (text: string, max: number): string => text.replace(/[\u0000-\u001f\u007f]+/g, " ").slice(0, max);

function fitted(event: RunEvent): RunEvent {
  const tidy: RunEvent = { ...event };
  if (tidy.reason !== undefined) tidy.reason = oneLine(tidy.reason, 500);
  assertValid(eventSchema, tidy, `the event ${event.event}`);
  if (fits(tidy)) return tidy;
  const { data: _, ...small } = tidy;
  const short: RunEvent = { ...small, truncated: true };
  if (fits(short)) return short;
  const { pointers: __, ...bare } = short;
  return { ...bare, reason: oneLine(bare.reason ?? "", 200) };
}

const fits = (event: RunEvent): boolean => Buffer.byteLength(JSON.stringify(event)) < interopLimits.eventBytes;

export interface EventLog {
  events: RunEvent[];
  /** Line numbers that hold no valid event. */
  damaged: number[];
}

const maxEventFile = 64 << 20;

export function readEvents(project: string, runId: string): EventLog {
  const log: EventLog = { events: [], damaged: [] };
  let text: string;
  try {
    text = readBoundedText(join(project, "runs", runId, "events.jsonl"), maxEventFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EFBIG") throw error;
    return log; // nothing has happened yet
  }
  text.split("\n").forEach((line, i) => {
    if (!line) return;
    const event = parsedEvent(line);
    if (event) log.events.push(event);
    else log.damaged.push(i + 1);
  });
  return log;
}

function parsedEvent(line: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return schemaFindings(eventSchema, value).length ? undefined : (value as RunEvent);
  } catch {
    return undefined;
  }
}

/** Newest first. */
export function listRuns(project: string): string[] {
  try {
    return readdirSync(join(project, "runs"))
      .filter((name) => isRunId(name) && lstatSync(join(project, "runs", name)).isDirectory())
      .sort()
      .reverse();
  } catch {
    return []; // no run yet
  }
}
