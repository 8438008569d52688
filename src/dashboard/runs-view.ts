// Runs of kits for the dashboard: the tree of handoffs, and one run with its capsule, manifest, budget and events.
// Invariant: reads only; of logs, only those that the run itself names are opened.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Opened } from "../hook/open-project.js";
import { keyOf } from "../hook/open-project.js";
import { kitFolder } from "../packs/kits/uses-kits.js";
import { readCapsule } from "../runs/capsule.js";
import { readManifestFile } from "../runs/manifest.js";
import { type LogQuery, logQueries, QueryError, queryLog } from "../runs/query-log.js";
import { listRuns, type RunRecords } from "../runs/run.js";
import { signedRunRecords } from "../runs/signed-records.js";
import {
  filesOf,
  findRun,
  newestOf,
  type RunFile,
  type RunNode,
  type RunSummary,
  replayOf,
  summaryOf,
  treeOf,
} from "../runs/story.js";
import type { DashboardSource } from "./dashboard-source.js";
import { keptView } from "./kept-view.js";
import { NothingThere } from "./view-answers.js";

const mostRuns = 300;

export interface RunsView {
  /** False for a ledger without its project. */
  project: boolean;
  total: number;
  shown: number;
  counts: Record<string, number>;
  runs: RunNode[];
}

export const runsView = (source: DashboardSource): Promise<RunsView> | RunsView => {
  const { opened } = source;
  if (!opened) return { project: false, total: 0, shown: 0, counts: {}, runs: [] };
  return keptView(source, "runs", () => {
    const { root } = opened.repository;
    const records = recordsOf(opened);
    const ids = listRuns(root);
    const summaries = ids.slice(0, mostRuns).map((id) => summaryOf(root, id, records));
    const counts: Record<string, number> = {};
    for (const { status } of summaries) counts[status] = (counts[status] ?? 0) + 1;
    const there = new Set(summaries.map(({ run_id }) => run_id));
    const tops = summaries.filter(({ parent_run_id }) => !parent_run_id || !there.has(parent_run_id));
    const runs = tops.map(({ run_id }) => treeOf(root, run_id, records));
    return { project: true, total: ids.length, shown: summaries.length, counts, runs };
  });
};

export interface RunView {
  summary: RunSummary;
  /** Why its record is not believed. */
  doubt?: { kind: string; what: string; remedy: string };
  budget?: { files: number; bytes: number; paths: string[] };
  timeoutSeconds?: number;
  depth: number;
  files: Record<string, RunFile[]>;
  capsule?: { path: string; text: string; findings: string[] };
  manifest?: {
    path: string;
    listed: number;
    omitted: { files: number; bytes: number };
    truth: string[];
    findings: string[];
  };
  logs: RunLog[];
  events: { depth: number; at: string; what: string; told: string }[];
  damagedEvents: number;
}

interface RunLog {
  path: string;
  hint: string;
  gone: boolean;
}

export function runView(source: DashboardSource, query: URLSearchParams): RunView {
  const { opened, id } = runAsked(source, query);
  const { root } = opened.repository;
  const records = recordsOf(opened);
  const record = records.read(id) ?? records.copy?.(id);
  const doubt = records.doubt?.(id);
  const { lines, damaged } = replayOf(root, id, records);
  const budget = record?.read_budget;
  return {
    summary: summaryOf(root, id, records),
    ...(doubt && { doubt }),
    ...(budget && {
      budget: { files: budget.max_files, bytes: budget.max_total_bytes, paths: [...budget.allowed_paths] },
    }),
    ...(record?.timeout_seconds !== undefined && { timeoutSeconds: record.timeout_seconds }),
    depth: record?.depth ?? 0,
    files: filesOf(root, id),
    ...capsuleOf(root, id),
    ...manifestOf(root, id),
    logs: logsOf(root, id),
    events: lines.slice(-300).map(({ depth, event }) => ({
      depth,
      at: event.ts,
      what: event.event,
      told: [event.kit && `${event.kit}.${event.phase ?? "?"}`, event.status, event.gate, event.reason]
        .filter(Boolean)
        .join(" · "),
    })),
    damagedEvents: damaged,
  };
}

export interface RunLogAnswer {
  text: string;
  truncated: boolean;
}

/** The answer of `interlock query-log` about a log that this run names. */
export function runLogView(source: DashboardSource, query: URLSearchParams): RunLogAnswer {
  const { opened, id } = runAsked(source, query);
  const { root } = opened.repository;
  const path = query.get("path") ?? "";
  const kind = query.get("query") ?? "tail";
  if (!logsOf(root, id).some((log) => log.path === path)) throw new NothingThere("this run names no such log");
  if (!(logQueries as readonly string[]).includes(kind)) throw new NothingThere(`there is no query ${kind}`);
  try {
    const pattern = query.get("pattern") ?? "";
    const answer = queryLog(root, path, kind as LogQuery, { lines: 200, ...(pattern && { pattern }) });
    return { text: answer.text, truncated: answer.truncated };
  } catch (error) {
    if (error instanceof QueryError) throw new NothingThere(`${error.message} ${error.remedy}`);
    throw error;
  }
}

function runAsked({ opened }: DashboardSource, query: URLSearchParams): { opened: Opened; id: string } {
  const given = query.get("id") ?? "";
  const found = opened && findRun(opened.repository.root, given);
  if (!opened || typeof found !== "string") throw new NothingThere(`there is no run ${given.slice(0, 60)}`);
  return { opened, id: found };
}

/** Nothing is announced: a dashboard only reads. */
const recordsOf = ({ repository, folder, home }: Opened): RunRecords =>
  signedRunRecords({
    project: repository.root,
    folder: join(kitFolder(folder), "runs"),
    key: () => keyOf(home),
    announce: () => {},
  });

function capsuleOf(root: string, id: string): Pick<RunView, "capsule"> {
  const path = newestOf(root, id, "capsules");
  if (!path) return {};
  const { text, findings } = readCapsule(join(root, path));
  return { capsule: { path, text, findings: findings.map(({ problem }) => problem) } };
}

function manifestOf(root: string, id: string): Pick<RunView, "manifest"> {
  const path = newestOf(root, id, "manifests");
  if (!path) return {};
  const { manifest, findings } = readManifestFile(join(root, path));
  const problems = findings.map(({ problem }) => problem);
  if (!manifest)
    return { manifest: { path, listed: 0, omitted: { files: 0, bytes: 0 }, truth: [], findings: problems } };
  const { tracked, omitted } = manifest.artifact_index;
  const truth = manifest.truth_pointers.slice(0, 40);
  return { manifest: { path, listed: tracked.length, omitted: { ...omitted }, truth, findings: problems } };
}

function logsOf(root: string, id: string): RunLog[] {
  const path = newestOf(root, id, "manifests");
  const named = path ? (readManifestFile(join(root, path)).manifest?.log_pointers ?? []) : [];
  const logs = new Map(named.map((log) => [log.path, log.hint]));
  for (const { path: own } of filesOf(root, id).logs) if (!logs.has(own)) logs.set(own, "");
  return [...logs].map(([log, hint]) => ({ path: log, hint, gone: !existsSync(join(root, log)) }));
}
