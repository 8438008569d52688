// What happened in a run and the runs below it, from files alone: status, tree of handoffs, events in order.
// Invariant: reads only; a run whose files are damaged is shown with what is left of it.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../project/process-alive.js";
import { readCapsule } from "./capsule.js";
import { isRunId } from "./ids.js";
import { fileRunRecords, listRuns, type RunDoubt, type RunRecords, readEvents, runFolders } from "./run.js";
import type { RunEvent, RunRecord } from "./schemas.js";

export type RunStatus = "ok" | "blocked" | "failed" | "running" | "ended without a result";

export interface RunSummary {
  run_id: string;
  action: string;
  args: string[];
  status: RunStatus;
  started_at?: string;
  finished_at?: string;
  exit_code?: number | null;
  parent_run_id: string | null;
  request_id: string | null;
  /** Why its run.json is not believed; what is shown is the signed record where there is one. */
  doubt?: RunDoubt["kind"];
}

export interface RunFile {
  path: string;
  bytes: number;
}

export interface RunNode extends RunSummary {
  /** Goal, status and next action of its last capsule. */
  capsule: string[];
  capsule_path?: string;
  handoffs: Handoff[];
}

export interface Handoff {
  request_id: string;
  status: string;
  response?: string;
  reason?: string;
  child?: RunNode;
}

export function summaryOf(project: string, runId: string, records: RunRecords = fileRunRecords(project)): RunSummary {
  const record = shownRecord(runId, records);
  const doubt = records.doubt?.(runId);
  const { events } = readEvents(project, runId);
  const started = events.find((e) => e.event === "run_started");
  const finished = events.findLast((e) => e.event === "run_finished");
  const kit = record?.kit ?? started?.kit ?? "?";
  const phase = record?.phase ?? started?.phase ?? "?";
  return {
    run_id: runId,
    action: `${kit}.${phase}`,
    args: record?.args ?? [],
    status: statusFrom(events, record),
    started_at: record?.started_at ?? events[0]?.ts,
    ...(finished && { finished_at: finished.ts, exit_code: finished.exit_code ?? null }),
    parent_run_id: record?.parent_run_id ?? started?.parent_run_id ?? null,
    request_id: record?.request_id ?? started?.request_id ?? null,
    ...(doubt && { doubt: doubt.kind }),
  };
}

/** The signed record, else what the run says of itself. */
const shownRecord = (runId: string, records: RunRecords): RunRecord | undefined =>
  records.read(runId) ?? records.copy?.(runId);

function statusFrom(events: readonly RunEvent[], record: RunRecord | undefined): RunStatus {
  if (events.some((e) => e.event === "phase_blocked")) return "blocked";
  const finished = events.findLast((e) => e.event === "run_finished");
  if (finished?.exit_code === 0) return "ok";
  if (finished) return events.some((e) => e.event === "gate_refused") ? "blocked" : "failed";
  return record && isAlive(record.pid) ? "running" : "ended without a result";
}

/** The files of a run, folder by folder, relative to the project. */
export function filesOf(project: string, runId: string): Record<(typeof runFolders)[number], RunFile[]> {
  const list = (folder: string): RunFile[] => {
    const at = join(project, "runs", runId, folder);
    if (!existsSync(at)) return [];
    return readdirSync(at)
      .sort()
      .map((name) => ({
        path: `runs/${runId}/${folder}/${name}`,
        bytes: statSync(join(at, name), { throwIfNoEntry: false })?.size ?? 0,
      }));
  };
  return Object.fromEntries(runFolders.map((folder) => [folder, list(folder)])) as ReturnType<typeof filesOf>;
}

/** The newest of its capsules or manifests: the one events named last, else the last by name. */
export function newestOf(project: string, runId: string, folder: "capsules" | "manifests"): string | undefined {
  const name = folder === "capsules" ? "capsule" : "manifest";
  const files = filesOf(project, runId)[folder].map((f) => f.path);
  const told = readEvents(project, runId).events.flatMap((e) => e.pointers?.[name] ?? []);
  return told.findLast((path) => files.includes(path)) ?? files.at(-1);
}

const maxDepth = 32;

/** With every handoff below it. Children are known from events and from the records of the runs themselves. */
export function treeOf(project: string, runId: string, records: RunRecords = fileRunRecords(project)): RunNode {
  const below = new Map<string, string[]>();
  for (const id of listRuns(project).reverse()) {
    const parent = shownRecord(id, records)?.parent_run_id;
    if (parent) below.set(parent, [...(below.get(parent) ?? []), id]);
  }
  const node = (id: string, path: readonly string[]): RunNode => {
    const capsulePath = newestOf(project, id, "capsules");
    const open = path.length < maxDepth && !path.includes(id);
    return {
      ...summaryOf(project, id, records),
      capsule: capsulePath ? capsuleHead(project, capsulePath) : [],
      ...(capsulePath && { capsule_path: capsulePath }),
      handoffs: open ? handoffs(id, [...path, id]) : [],
    };
  };
  const handoffs = (id: string, path: readonly string[]): Handoff[] => {
    const found = new Map<string, Handoff>();
    for (const event of readEvents(project, id).events) {
      if (!event.request_id || !event.event.startsWith("request_") || event.event === "request_accepted") continue;
      // A child is told of its own completion too; that is its parent's handoff.
      if (event.parent_run_id !== undefined && event.child_run_id === undefined) continue;
      const handoff = found.get(event.request_id) ?? { request_id: event.request_id, status: "waiting" };
      found.set(event.request_id, handoff);
      handoff.status = event.status ?? (event.event === "request_started" ? "running" : handoff.status);
      if (event.reason) handoff.reason = event.reason;
      if (event.pointers?.["response"]) handoff.response = event.pointers["response"];
      if (event.child_run_id) handoff.child = node(event.child_run_id, path);
    }
    const known = new Set([...found.values()].map((h) => h.child?.run_id));
    for (const child of below.get(id) ?? []) {
      if (known.has(child)) continue;
      const run = node(child, path);
      const key = run.request_id ?? child;
      if (!found.get(key)?.child)
        found.set(key, { status: run.status, ...found.get(key), request_id: key, child: run });
    }
    return [...found.values()];
  };
  return node(runId, []);
}

function capsuleHead(project: string, path: string): string[] {
  try {
    const { text, findings } = readCapsule(join(project, path));
    if (findings.length) return ["(its capsule is not valid)"];
    const wanted = /^(?:Goal|Current status|Next action requested \(exactly one\)):/;
    return text.split("\n").filter((line) => wanted.test(line));
  } catch {
    return ["(its capsule can't be read)"];
  }
}

export interface StoryLine {
  depth: number;
  run_id: string;
  event: RunEvent;
}

/** Every event of the run and of all runs below it, in order of time. */
export function replayOf(
  project: string,
  runId: string,
  records?: RunRecords,
): { lines: StoryLine[]; damaged: number } {
  const lines: StoryLine[] = [];
  let damaged = 0;
  const seen = new Set<string>();
  const visit = (node: RunNode, depth: number): void => {
    if (seen.has(node.run_id)) return;
    seen.add(node.run_id);
    const log = readEvents(project, node.run_id);
    damaged += log.damaged.length;
    for (const event of log.events) lines.push({ depth, run_id: node.run_id, event });
    for (const { child } of node.handoffs) if (child) visit(child, depth + 1);
  };
  visit(treeOf(project, runId, records), 0);
  return { lines: lines.sort((a, b) => (a.event.ts < b.event.ts ? -1 : a.event.ts > b.event.ts ? 1 : 0)), damaged };
}

/** A run by its id, by the beginning of one, or "last". */
export function findRun(project: string, given: string): string | string[] | undefined {
  const all = listRuns(project);
  if (isRunId(given)) return all.includes(given) ? given : undefined;
  if (given === "last") return all[0];
  const found = given ? all.filter((id) => id.startsWith(given) || id.endsWith(`-${given}`)) : [];
  return found.length === 1 ? found[0] : found.length ? found : undefined;
}
