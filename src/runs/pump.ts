// Runs requests: claims one, checks it, runs the child, writes the response.
// Invariant: a request with findings is answered, never run; the status comes from exit code and events of the child
// run, never from prose.
//
// `runChild` is injected. The default (child-process.ts) runs `interlock kit`; tests and other runtimes bring their
// own.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { replaceFile } from "../project/replace-file.js";
import { kitAction } from "./actions.js";
import { readCapsule } from "./capsule.js";
import { childEnv } from "./child-env.js";
import { type Before, beforeChild, madeByChild } from "./deliverables.js";
import { makeRunId } from "./ids.js";
import type { RequestClaim, RequestQueue } from "./queue.js";
import { parseRequest, type RequestRules, requestDefaults } from "./request.js";
import { makeResponse, refusedResponse } from "./response.js";
import { appendEvent, lineageBelow, type NewEvent, readEvents } from "./run.js";
import type { InteropRequest, InteropResponse, RunEvent } from "./schemas.js";
import { type Turn, takeTurn } from "./worktree-turn.js";

/** All a child gets: no transcript, no session of the parent. */
export interface ChildJob {
  request: InteropRequest;
  childRunId: string;
  project: string;
  env: Record<string, string>;
  timeoutMs: number;
  /** Aborted when the lease is lost or the pump is asked to stop: end the child. */
  signal: AbortSignal;
  /** Told the child's process, so that another pump can see it. */
  started?(pid: number): void;
}

export interface ChildExit {
  /** Null when it was ended by a signal. */
  exitCode: number | null;
  timedOut?: boolean;
  /** It could not be started at all; trying again may help. */
  notStarted?: string;
}

export type RunChild = (job: ChildJob) => Promise<ChildExit>;

export interface PumpOptions extends RequestRules {
  queue: RequestQueue;
  runChild: RunChild;
  /** How often the lease is renewed; a third of the lease or less. */
  renewMs?: number;
  maxFanOut?: number;
  timeoutSeconds?: number;
  retryDelayMs?: number;
  signal?: AbortSignal;
  baseEnv?: Readonly<Record<string, string | undefined>>;
}

export interface Pumped {
  id: string;
  outcome: "answered" | "refused" | "retrying" | "lost";
  response?: InteropResponse;
  childRunId?: string;
}

/** One request; undefined when there is none to take. */
export async function pumpOnce(options: PumpOptions, wanted: { id?: string } = {}): Promise<Pumped | undefined> {
  const claim = await options.queue.claim(wanted);
  if (!claim) return undefined;
  const checked = await check(claim, options);
  if ("response" in checked) return answer(claim, checked.response, "refused", options, checked.request);
  return runRequest(claim, checked.request, options);
}

/** Until the signal; calls back after each request. */
export async function pumpWatch(options: PumpOptions, done: (pumped: Pumped) => void, idleMs = 500): Promise<void> {
  while (!options.signal?.aborted) {
    const pumped = await pumpOnce(options);
    if (pumped) done(pumped);
    else await wait(idleMs, undefined, { signal: options.signal }).catch(() => undefined);
  }
}

type Checked = { request: InteropRequest } | { response: InteropResponse; request?: InteropRequest };

async function check(claim: RequestClaim, options: PumpOptions): Promise<Checked> {
  const refuse = (reason: string, notes: string) => refusedResponse(claim.id, reason, notes, claim.attempt);
  if (claim.text === undefined) return { response: refuse("unreadable", claim.unreadable ?? "it can't be read") };
  const { request, findings } = parseRequest(claim.text, claim.id, options);
  if (!request) {
    const told = findings.slice(0, 3).map((f) => `${f.field ? `${f.field}: ` : ""}${f.problem}`);
    return { response: refuse("invalid_request", told.join("; ")) };
  }
  if (claim.exhausted)
    return { request, response: refuse("gave_up", `tried ${claim.attempt - 1} times; no worker finished it`) };
  const most = options.maxFanOut ?? requestDefaults.maxFanOut;
  if (!(await options.queue.admit(request.run_id, request.request_id, most)))
    return { request, response: refuse("fan_out", `run ${request.run_id} has asked ${most} times already`) };
  return { request };
}

async function runRequest(claim: RequestClaim, request: InteropRequest, options: PumpOptions): Promise<Pumped> {
  const { project, queue } = options;
  const childRunId = makeRunId();
  const lost = new AbortController();
  const stop = () => lost.abort();
  options.signal?.addEventListener("abort", stop, { once: true });
  const renewing = setInterval(() => {
    queue.renew(claim).then(
      (held) => held || lost.abort(),
      () => lost.abort(),
    );
  }, options.renewMs ?? 15_000);
  const above = lineageBelow(request.run_id, options.records).ancestors.map((a) => a.run_id);
  try {
    const turn = await takeTurn({
      ...{ project, childRunId, above, requestId: request.request_id, signal: lost.signal },
      waiting: (pid) =>
        tell(project, request.run_id, {
          event: "request_waiting",
          request_id: request.request_id,
          reason: `a child of an earlier pump still runs: process ${pid}`,
        }),
    });
    if (!turn) return await giveBack(claim, options);
    try {
      return await runInTurn(claim, request, childRunId, lost.signal, options, turn);
    } finally {
      turn.end();
    }
  } finally {
    clearInterval(renewing);
    options.signal?.removeEventListener("abort", stop);
  }
}

async function runInTurn(
  claim: RequestClaim,
  request: InteropRequest,
  childRunId: string,
  signal: AbortSignal,
  options: PumpOptions,
  turn: Turn,
): Promise<Pumped> {
  const { project } = options;
  const startedAt = new Date().toISOString();
  const requestFile = `runs/${childRunId}/artifacts/request.json`;
  mkdirSync(join(project, "runs", childRunId, "artifacts"), { recursive: true });
  replaceFile(join(project, requestFile), `${JSON.stringify(request, null, 2)}\n`);
  const about = { request_id: request.request_id, child_run_id: childRunId };
  tell(project, request.run_id, { event: "request_started", ...about, data: { attempt: claim.attempt } });
  tell(project, childRunId, {
    event: "request_accepted",
    request_id: request.request_id,
    parent_run_id: request.run_id,
    pointers: { request: requestFile },
  });
  const before = await beforeChild(project, request.deliverables_expected);
  const exit = await options.runChild({
    request,
    childRunId,
    project,
    env: childEnv(request, { project, childRunId, requestFile }, options.baseEnv),
    timeoutMs: 1_000 * (request.timeout_seconds ?? options.timeoutSeconds ?? requestDefaults.timeoutSeconds),
    signal,
    started: (pid) => turn.started(pid),
  });
  if (signal.aborted) return giveBack(claim, options);
  if (exit.notStarted !== undefined && !claim.exhausted) {
    tell(project, request.run_id, { event: "request_retried", ...about, reason: exit.notStarted });
    const delay = (options.retryDelayMs ?? 5_000) * claim.attempt;
    const queued = await options.queue.retry(claim, delay);
    return { id: claim.id, outcome: queued ? "retrying" : "lost", childRunId };
  }
  const response = await responseOf(claim, request, childRunId, exit, before, startedAt, project);
  return answer(claim, response, "answered", options, request);
}

/** Stopped or too late: leave it to the next worker at once. */
async function giveBack(claim: RequestClaim, { queue }: PumpOptions): Promise<Pumped> {
  const queued = await queue.retry(claim, 0);
  return { id: claim.id, outcome: queued ? "retrying" : "lost" };
}

async function responseOf(
  claim: RequestClaim,
  request: InteropRequest,
  childRunId: string,
  exit: ChildExit,
  before: Before,
  startedAt: string,
  project: string,
): Promise<InteropResponse> {
  const { events } = readEvents(project, childRunId);
  const { status, reason } = statusOf(events, exit);
  const { made, missing } = await madeByChild(project, before);
  const capsule = pointerTo("capsule", "capsules", request, childRunId, events, project);
  const usable = capsule !== null && !readCapsule(join(project, capsule)).findings.length;
  const notes = [
    reasonText(reason, events, exit),
    missing.length ? `${missing.length} of ${request.deliverables_expected.length} expected deliverables missing` : "",
    capsule !== null && !usable ? "the child's capsule is not valid and was left out" : "",
  ];
  return makeResponse({
    request_id: request.request_id,
    status,
    child_run_id: childRunId,
    capsule_path: usable ? capsule : null,
    manifest_path: pointerTo("manifest", "manifests", request, childRunId, events, project),
    deliverables: made,
    missing_deliverables: missing,
    notes: notes.filter(Boolean).join("; "),
    ...(reason && { reason }),
    exit_code: exit.exitCode,
    attempts: claim.attempt,
    started_at: startedAt,
    finished_at: new Date().toISOString(),
  });
}

/** Exit code and structured events decide. A refusal the child got over is no block. */
export function statusOf(
  events: readonly RunEvent[],
  exit: ChildExit,
): { status: InteropResponse["status"]; reason?: string } {
  if (exit.notStarted !== undefined) return { status: "failed", reason: "not_started" };
  if (exit.timedOut) return { status: "failed", reason: "timeout" };
  if (events.some((e) => e.event === "phase_blocked")) return { status: "blocked", reason: "phase_blocked" };
  const finished = events.findLast((e) => e.event === "run_finished");
  if (exit.exitCode === 0 && finished?.exit_code === 0) return { status: "ok" };
  if (events.some((e) => e.event === "gate_refused")) return { status: "blocked", reason: "gate_refused" };
  return { status: "failed", reason: finished ? "child_failed" : "no_run_finished" };
}

function reasonText(reason: string | undefined, events: readonly RunEvent[], exit: ChildExit): string {
  const refusal = events.findLast((e) => e.event === "phase_blocked" || e.event === "gate_refused");
  switch (reason) {
    case undefined:
      return "";
    case "phase_blocked":
    case "gate_refused":
      return `refused by ${refusal?.gate ?? "a gate"}`;
    case "timeout":
      return "the child ran out of time and was ended";
    case "no_run_finished":
      return `the child left no run_finished event, exit code ${exit.exitCode ?? "none"}`;
    case "not_started":
      return `the child could not be started: ${exit.notStarted}`;
    default:
      return `the child ended with exit code ${exit.exitCode ?? "none"}`;
  }
}

/** What the child's events point at, inside its own run folder only; else the file of the usual name. */
function pointerTo(
  name: string,
  folder: string,
  request: InteropRequest,
  childRunId: string,
  events: readonly RunEvent[],
  project: string,
): string | null {
  const { kit, verb } = kitAction(request.action)!;
  const usual = `runs/${childRunId}/${folder}/${kit}_${verb}.${folder === "capsules" ? "md" : "json"}`;
  const told = events.flatMap((e) => e.pointers?.[name] ?? []).findLast((p) => isOwn(p, childRunId, folder));
  return [usual, told].find((path) => path !== undefined && existsSync(join(project, path))) ?? null;
}

const isOwn = (path: string, runId: string, folder: string): boolean =>
  new RegExp(`^runs/${runId}/${folder}/[A-Za-z0-9_.-]+$`).test(path);

async function answer(
  claim: RequestClaim,
  response: InteropResponse,
  outcome: "answered" | "refused",
  { queue, project, records }: PumpOptions,
  request?: InteropRequest,
): Promise<Pumped> {
  const first = await queue.complete(claim, response);
  const childRunId = response.child_run_id ?? undefined;
  if (!first) return { id: claim.id, outcome: "lost", childRunId };
  const parent = request?.run_id;
  const event: NewEvent = {
    event: outcome === "refused" ? "request_refused" : "request_completed",
    request_id: claim.id,
    status: response.status,
    ...(response.notes && { reason: response.notes }),
    pointers: { response: `interop/responses/${claim.id}.json` },
  };
  if (parent && records.read(parent)) tell(project, parent, { ...event, child_run_id: response.child_run_id });
  if (childRunId) tell(project, childRunId, { ...event, parent_run_id: parent });
  return { id: claim.id, outcome, response, childRunId };
}

/** A run whose folder is gone can't be told anything; the answer stands without it. */
function tell(project: string, runId: string, event: NewEvent): void {
  try {
    appendEvent(project, runId, event);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
