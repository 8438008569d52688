// Ledger records as OpenTelemetry spans (run, phase, call, verdict) and metrics (calls, refusals, decision time).
// Invariant: pure over records and what is open; ids are derived from the record, so that a second export of the same
// record makes the same span. No prompt, command, path or reason is an attribute unless `details` is on.
import { currentPhase, isPhaseSlice } from "../model/current-phase.js";
import type { JsonObject } from "../model/json.js";
import { sha256 } from "../model/sha256.js";
import { mergeInto } from "../store/state/merge-patch.js";
import type { LedgerRecord } from "../store/types.js";

export interface OtelSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: 1;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtelAttribute[];
  status: { code: 0 | 2 };
}

export interface OtelAttribute {
  key: string;
  value: { stringValue: string } | { intValue: string } | { doubleValue: number };
}

interface OpenSpan {
  /** Milliseconds since 1970. */
  at: number;
  name: string;
  attributes: Record<string, string>;
  /** Whether the call was refused. */
  refused?: true;
}

/** What began in earlier records and has not ended. */
export interface OpenSpans {
  runs: Record<string, OpenSpan & { last: number; phase?: OpenPhase }>;
  calls: Record<string, OpenSpan & { session: string; phase?: string }>;
  /** The slices of the state that name phases. */
  slices?: JsonObject;
}

/** A kit's or a workflow's phase; where none runs, a turn. */
type OpenPhase = OpenSpan & { id: string };

export interface LedgerMetrics {
  calls: Record<string, number>;
  refusals: Record<string, number>;
  /** Counts per bound, and one more above the last. */
  buckets: number[];
  decisions: number;
  totalMs: number;
}

export const latencyBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000];
const mostOpen = 2_000;
/** The phase of a session in which no kit and no workflow runs. */
const turn = "turn";
/** A run without an end is over when nothing was heard of it for so long. */
const idleMs = 3_600_000;

export const noneOpen = (): OpenSpans => ({ runs: {}, calls: {} });
export const noMetrics = (): LedgerMetrics => ({
  calls: {},
  refusals: {},
  buckets: latencyBounds.map(() => 0).concat(0),
  decisions: 0,
  totalMs: 0,
});

const traceOf = (session: string): string => sha256(`interlock-run\n${session}`).slice(0, 32);
const idOf = (...parts: (string | number)[]): string => sha256(`interlock-span\n${parts.join("\n")}`).slice(0, 16);
const nano = (ms: number): string => `${BigInt(Math.round(ms * 1000))}000`;

/** Changes `open` and `metrics`; returns the spans that ended. */
export function spansOf(record: LedgerRecord, open: OpenSpans, metrics: LedgerMetrics, details: boolean): OtelSpan[] {
  learnPhases(record, open);
  if (record.type !== "event") return [];
  const session = record.session ?? "none";
  const body = record.body as JsonObject;
  const at = Date.parse(record.time);
  const kind = String(body["event"]);
  const run = (open.runs[session] ??= { at, last: at, name: "run", attributes: {} });
  run.last = at;
  const done: OtelSpan[] = [];
  measure(body, metrics);
  const now = phaseAfter(record, session, kind, open);
  if (run.phase && run.phase !== now) done.push(phaseSpan(session, run.phase, at));
  if (now) run.phase = now;
  else delete run.phase;
  if (kind.startsWith("tool.")) done.push(...callSpans(record, body, session, at, open, details));
  if (kind === "session.end") done.push(...endRun(session, open, at));
  return done;
}

function learnPhases({ patch = {} }: LedgerRecord, open: OpenSpans): void {
  const slices = (open.slices ??= {});
  for (const [key, value] of Object.entries(patch))
    if (isPhaseSlice(key)) mergeInto(slices, { [key]: structuredClone(value) });
}

/** The phase that runs from this record on: the one before it, or a new one. */
function phaseAfter(record: LedgerRecord, session: string, kind: string, open: OpenSpans): OpenPhase | undefined {
  const before = open.runs[session]?.phase;
  const named = currentPhase(open.slices ?? {}, session);
  const begun = (name: string): OpenPhase => ({
    at: Date.parse(record.time),
    name: "phase",
    id: idOf(session, "phase", record.seq),
    attributes: { "interlock.phase": name },
  });
  if (named) return before?.attributes["interlock.phase"] === named ? before : begun(named);
  if (kind === "prompt") return begun(turn);
  return kind === "turn.end" || before?.attributes["interlock.phase"] !== turn ? undefined : before;
}

function measure(body: JsonObject, metrics: LedgerMetrics): void {
  const verdict = (body["verdict"] ?? {}) as { outcome?: string; gate?: string };
  const tool = (body["tool"] ?? {}) as { name?: string };
  if (body["event"] === "tool.before" && tool.name) metrics.calls[tool.name] = (metrics.calls[tool.name] ?? 0) + 1;
  if (verdict.outcome === "deny") {
    const gate = verdict.gate ?? "unknown";
    metrics.refusals[gate] = (metrics.refusals[gate] ?? 0) + 1;
  }
  const { ms } = body;
  if (typeof ms !== "number") return;
  const bucket = latencyBounds.findIndex((bound) => ms <= bound);
  metrics.buckets[bucket < 0 ? latencyBounds.length : bucket]!++;
  metrics.decisions++;
  metrics.totalMs += ms;
}

function callSpans(
  record: LedgerRecord,
  body: JsonObject,
  session: string,
  at: number,
  open: OpenSpans,
  details: boolean,
): OtelSpan[] {
  const tool = (body["tool"] ?? {}) as { name?: string; id?: string; kind?: string; input?: unknown };
  const key = `${session}\n${tool.id ?? record.seq}`;
  const name = tool.name ?? "call";
  if (body["event"] !== "tool.before") {
    const begun = open.calls[key];
    delete open.calls[key];
    return begun ? [callSpan(key, begun, at, body["event"] === "tool.failed")] : [];
  }
  const { outcome = "pass", gate, id, text } = (body["verdict"] ?? {}) as Record<string, string>;
  const phase = open.runs[session]?.phase?.id;
  const call = {
    at,
    name,
    session,
    ...(phase && { phase }),
    attributes: {
      "interlock.tool": name,
      "interlock.seq": String(record.seq),
      ...(record.agent && { "interlock.agent": record.agent }),
      ...(details && tool.input !== undefined && { "interlock.input": JSON.stringify(tool.input).slice(0, 2_000) }),
    },
  };
  const ms = typeof body["ms"] === "number" ? body["ms"] : 0;
  const verdict: OtelSpan = {
    traceId: traceOf(session),
    spanId: idOf(key, "verdict", record.seq),
    parentSpanId: idOf(key, "call"),
    name: `verdict ${outcome}`,
    kind: 1,
    startTimeUnixNano: nano(at - ms),
    endTimeUnixNano: nano(at),
    attributes: attributesOf({
      "interlock.outcome": outcome,
      ...(gate && { "interlock.gate": gate }),
      ...(id && { "interlock.verdict": id }),
      ...(details && text && { "interlock.text": text }),
    }),
    status: { code: outcome === "deny" ? 2 : 0 },
  };
  if (outcome === "deny") return [verdict, callSpan(key, { ...call, refused: true }, at, true)];
  open.calls[key] = call;
  const keys = Object.keys(open.calls);
  if (keys.length > mostOpen) delete open.calls[keys[0]!];
  return [verdict];
}

function callSpan(key: string, call: OpenSpans["calls"][string], end: number, isFailed: boolean): OtelSpan {
  return {
    traceId: traceOf(call.session),
    spanId: idOf(key, "call"),
    parentSpanId: call.phase ?? idOf(call.session, "run"),
    name: `call ${call.name}`,
    kind: 1,
    startTimeUnixNano: nano(call.at),
    endTimeUnixNano: nano(end),
    attributes: attributesOf({ ...call.attributes, ...(call.refused && { "interlock.refused": "true" }) }),
    status: { code: isFailed ? 2 : 0 },
  };
}

const phaseSpan = (session: string, phase: OpenPhase, end: number): OtelSpan => ({
  traceId: traceOf(session),
  spanId: phase.id,
  parentSpanId: idOf(session, "run"),
  name: phase.name,
  kind: 1,
  startTimeUnixNano: nano(phase.at),
  endTimeUnixNano: nano(end),
  attributes: attributesOf(phase.attributes),
  status: { code: 0 },
});

function endRun(session: string, open: OpenSpans, end: number): OtelSpan[] {
  const run = open.runs[session];
  if (!run) return [];
  delete open.runs[session];
  delete open.slices?.[`kits/session@${session}`];
  const calls = Object.entries(open.calls).filter(([, call]) => call.session === session);
  for (const [key] of calls) delete open.calls[key];
  return [
    ...calls.map(([key, call]) => callSpan(key, call, end, false)),
    ...(run.phase ? [phaseSpan(session, run.phase, end)] : []),
    {
      traceId: traceOf(session),
      spanId: idOf(session, "run"),
      name: "run",
      kind: 1,
      startTimeUnixNano: nano(run.at),
      endTimeUnixNano: nano(end),
      attributes: attributesOf({ "session.id": session }),
      status: { code: 0 },
    },
  ];
}

/** Runs that were not heard of for an hour. */
export const idleSpans = (open: OpenSpans, now: number): OtelSpan[] =>
  Object.entries(open.runs).flatMap(([session, { last }]) => (now - last > idleMs ? endRun(session, open, last) : []));

export const attributesOf = (values: Readonly<Record<string, string>>): OtelAttribute[] =>
  Object.entries(values).map(([key, text]) => ({ key, value: { stringValue: text } }));
