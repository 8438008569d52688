// One call in full: what it would do, what every gate said, what the agent was told, what it did next.
// Invariant: values are passed on as data; the page makes text of them.
import { asString, isObject, type JsonObject } from "../model/json.js";
import { rulesBehind } from "../packs/discipline/rule-map.js";
import type { DashboardSource } from "./dashboard-source.js";
import type { CallMark, IndexRow } from "./ledger-index.js";
import { type CallRow, callRow } from "./sessions-view.js";
import { NothingThere, numberFrom } from "./view-answers.js";

export interface GateOpinion {
  gate: string;
  kind: string;
  mode: string;
  what?: string;
  why?: string;
  next?: string;
  text?: string;
  lifted?: string;
  overridable?: boolean;
  rules: string[];
}

export interface CallDetail {
  seq: number;
  at: number;
  session: string;
  agent: string;
  event: string;
  hostEvent: string;
  tool: string;
  mark: CallMark;
  verdict: string;
  gate: string;
  ms: number;
  cwd: string;
  permissionMode: string;
  /** The tool's input or the prompt, as recorded. */
  input: { name: string; text: string }[];
  effects: { kind: string; about: string; hazard?: string }[];
  effectsOmitted: number;
  /** What the call was found to have changed. */
  found: { op: string; path: string; predicted: boolean }[];
  opinions: GateOpinion[];
  faults: { gate: string; message: string }[];
  /** The text of the answer. */
  told: string;
  outcome?: { ok: boolean; text: string; seq: number; exitCode?: number };
  next: (CallRow & { how: string })[];
  /** The whole record, as JSON. */
  raw: string;
}

export function callView(source: DashboardSource, query: URLSearchParams): CallDetail {
  const seq = numberFrom(query, "seq", 0);
  const row = source.index.find(seq);
  const record = row && source.index.record(row);
  if (!row || !record) throw new NothingThere(`there is no record ${seq}`);
  const body = record.body as JsonObject;
  const verdict = objectOf(body["verdict"]);
  const tool = objectOf(body["tool"]);
  const observed = objectOf(body["observed"]);
  return {
    seq,
    at: row.at,
    session: row.session,
    agent: row.agent,
    event: row.event || row.type,
    hostEvent: asString(body["hostEvent"]) ?? row.type,
    tool: row.tool,
    mark: row.mark,
    verdict: row.verdict,
    gate: row.gate,
    ms: row.ms,
    cwd: asString(body["cwd"]) ?? "",
    permissionMode: asString(body["permissionMode"]) ?? "",
    input: inputOf(body, tool),
    effects: listOf(body["effects"]).map((e) => ({
      kind: asString(e["kind"]) ?? "",
      about: asString(e["path"] ?? e["program"] ?? e["how"]) ?? "",
      ...(e["hazard"] !== undefined && { hazard: textOf(e["hazard"]) }),
    })),
    effectsOmitted: Number(body["effectsOmitted"] ?? 0),
    found: listOf(observed["changes"]).map((c) => ({
      op: asString(c["op"]) ?? "",
      path: asString(c["path"]) ?? "",
      predicted: c["predicted"] === true,
    })),
    opinions: listOf(body["opinions"]).map(opinionOf),
    faults: listOf(body["faults"]).map((f) => ({ gate: textOf(f["gate"]), message: textOf(f["message"]) })),
    told: asString(verdict["text"]) ?? "",
    ...outcomeOf(source, row, body),
    next: nextCalls(source, row),
    raw: JSON.stringify(record, null, 2),
  };
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));

function inputOf(body: JsonObject, tool: JsonObject): CallDetail["input"] {
  const prompt = objectOf(body["prompt"]);
  const rows = Object.entries(objectOf(tool["input"])).map(([name, value]) => ({ name, text: textOf(value) }));
  if (prompt["text"] !== undefined) rows.push({ name: "prompt", text: textOf(prompt["text"]) });
  if (body["reason"] !== undefined) rows.push({ name: "reason", text: textOf(body["reason"]) });
  return rows.slice(0, 30);
}

function opinionOf(o: JsonObject): GateOpinion {
  const gate = asString(o["gate"]) ?? "";
  const texts = Object.fromEntries(
    ["what", "why", "next", "text", "lifted"].flatMap((name) => (o[name] ? [[name, textOf(o[name])]] : [])),
  );
  return {
    gate,
    kind: asString(o["kind"]) ?? "",
    mode: asString(o["mode"]) ?? "",
    ...texts,
    ...(o["overridable"] === false && { overridable: false }),
    rules: rulesBehind(gate),
  };
}

/** How the call ended: its own record's outcome, or that of the record of its end. */
function outcomeOf(source: DashboardSource, row: IndexRow, body: JsonObject): Pick<CallDetail, "outcome"> {
  const end = row.event === "tool.before" ? source.index.ends.get(`${row.session}\n${row.toolId}`) : undefined;
  const outcome = end ? objectOf(source.index.record(end)?.body["outcome"]) : objectOf(body["outcome"]);
  if (!Object.keys(outcome).length) return {};
  const exitCode = outcome["exitCode"];
  return {
    outcome: {
      ok: outcome["ok"] === true,
      text: asString(outcome["text"]) ?? "",
      seq: (end ?? row).seq,
      ...(typeof exitCode === "number" && { exitCode }),
    },
  };
}

/** The next calls of the same agent, and how the first relates to this one. */
function nextCalls(source: DashboardSource, row: IndexRow): CallDetail["next"] {
  const rows = source.index.sessions.get(row.session) ?? [];
  const next: CallDetail["next"] = [];
  for (let i = positionAfter(rows, row.seq); i < rows.length && next.length < 3; i++) {
    const one = rows[i]!;
    if (one.agent !== row.agent || (one.event !== "tool.before" && one.event !== "turn.end")) continue;
    next.push({ ...callRow(source, one), how: howItRelates(row, one) });
  }
  return next;
}

function positionAfter(rows: readonly IndexRow[], seq: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.seq <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function howItRelates(row: IndexRow, next: IndexRow): string {
  if (next.event === "turn.end") return "ended its turn";
  const same = next.tool === row.tool && next.what === row.what;
  if (same) return next.mark === "deny" ? "the same call, refused again" : "the same call again";
  if (next.mark === "deny" && row.mark === "deny" && next.gate === row.gate) return "refused by the same gate again";
  return next.mark === "deny" ? "another call, refused" : "went on";
}
