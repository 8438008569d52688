// Gates: how far each session is with research, plan and verification, the breaker's error signatures, when each rule
// last fired, which never did, how long judging takes, and what people said about refusals.
// Invariant: pure over the index and the state; a slice of another shape counts as empty.
import { isObject, type JsonObject } from "../model/json.js";
import { researchCategories } from "../packs/discipline/discipline-options.js";
import { feedbackOf } from "../packs/discipline/session/feedback.js";
import { registry } from "../packs/registry.js";
import type { DashboardSource } from "./dashboard-source.js";
import type { IndexRow } from "./ledger-index.js";
import { isSession } from "./sessions-view.js";
import { percentile } from "./timeline-view.js";

export interface GateRow {
  id: string;
  title: string;
  remedy: string;
  mode: string;
  refused: number;
  would: number;
  lifted: number;
  /** Null: never fired. */
  last: { seq: number; at: number; session: string } | null;
  right: number;
  wrong: number;
}

export interface GateProgress {
  session: string;
  title: string;
  at: number;
  research: { category: string; done: boolean }[];
  plan: "not needed" | "required" | "shown" | "approved" | "unknown";
  edits: number;
  unverified: string[];
  runs: { ok: boolean | "unknown"; command: string; at: number }[];
  breaker: "closed" | "tripped" | "half-open";
  trippedWhy: string;
}

/** One row per error signature: attempts as dots, so that a loop is seen at a glance. */
export interface ErrorSignature {
  session: string;
  shown: string;
  signature: string;
  tool: string;
  attempts: { at: number; command: string }[];
}

export interface Gates {
  gates: GateRow[];
  progress: GateProgress[];
  signatures: ErrorSignature[];
  latency: { edges: number[]; counts: number[]; median: number; p99: number; most: number; judged: number };
  marks: { verdict: string; gate: string; said: string; at: number }[];
}

export async function gatesView(source: DashboardSource): Promise<Gates> {
  const state = source.state();
  return {
    gates: await gateRows(source, state),
    progress: progressRows(source, state),
    signatures: signatureRows(source),
    latency: latencyOf(source.index.rows),
    marks: Object.entries(feedbackOf(state).verdicts)
      .map(([verdict, { gate, said, at }]) => ({ verdict, gate, said, at }))
      .sort((a, b) => b.at - a.at)
      .slice(0, 50),
  };
}

/** Gates that exist, in the order they judge; then gates the record names that this version does not know. */
async function gateRows(source: DashboardSource, state: JsonObject): Promise<GateRow[]> {
  const config = source.opened?.settings.config;
  const rows = new Map<string, GateRow>();
  const none = { refused: 0, would: 0, lifted: 0, last: null, right: 0, wrong: 0 };
  for (const pack of await Promise.all(registry.map((entry) => entry.load()))) {
    const settings = config?.packs[pack.id];
    for (const { id, title, remedy } of pack.gates) {
      const own = settings?.gates[id.slice(pack.id.length + 1)] ?? settings?.gates[id];
      const mode = settings ? (settings.enabled ? (own ?? settings.mode) : "off") : "";
      rows.set(id, { id, title, remedy, mode, ...none });
    }
  }
  for (const { seq, at, session, mark, gate, gates } of source.index.rows) {
    if (!gates.length || !isSession(session)) continue;
    for (const id of gates) {
      let row = rows.get(id);
      if (!row) rows.set(id, (row = { id, title: "", remedy: "", mode: "", ...none }));
      if (mark === "overridden") row.lifted++;
      else if (mark === "deny" && gate === id) row.refused++;
      else row.would++;
      row.last = { seq, at, session };
    }
  }
  for (const { gate, said } of Object.values(feedbackOf(state).verdicts)) {
    const row = rows.get(gate);
    if (row) row[said === "wrong" ? "wrong" : "right"]++;
  }
  return [...rows.values()];
}

const sessionsOf = (state: JsonObject, id: string): [string, JsonObject][] =>
  Object.entries(state).flatMap(([key, value]): [string, JsonObject][] =>
    key.startsWith(`${id}@`) && isObject(value) ? [[key.slice(id.length + 1), value]] : [],
  );
const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

function progressRows({ index }: DashboardSource, state: JsonObject): GateProgress[] {
  const ids = sessionsOf(state, "discipline/work").map(([id]) => id.split("@")[0]!);
  return [...new Set(ids)]
    .filter((id) => isSession(id) && index.sessions.has(id))
    .map((id) => progressOf(id, index.sessions.get(id)!, state))
    .sort((a, b) => b.at - a.at)
    .slice(0, 12);
}

function progressOf(session: string, rows: readonly IndexRow[], state: JsonObject): GateProgress {
  const slice = (id: string) => objectIn(state[`${id}@${session}`]);
  const [researched, planned, work, failures] = [
    slice("discipline/researched"),
    slice("discipline/planned"),
    slice("discipline/work"),
    slice("discipline/failures"),
  ];
  const marks = Object.values(objectIn(researched["marks"])).filter(isObject);
  const tripped = objectIn(failures["tripped"]);
  const plan = planned["approved"]
    ? "approved"
    : planned["shown"] && planned["required"]
      ? "shown"
      : planned["required"]
        ? "required"
        : planned["required"] === false
          ? "not needed"
          : "unknown";
  return {
    session,
    title: rows.find((row) => row.event === "prompt")?.what ?? "",
    at: rows.at(-1)!.at,
    research: researchCategories.map((category) => ({ category, done: marks.some((m) => isObject(m[category])) })),
    plan,
    edits: Number(work["edits"] ?? 0),
    unverified: (Array.isArray(work["unverified"]) ? work["unverified"] : []).map(String).slice(0, 20),
    runs: listIn(work["runs"])
      .slice(-12)
      .map((run) => ({
        ok: run["ok"] === true ? true : run["ok"] === false ? false : "unknown",
        command: String(run["command"] ?? ""),
        at: Number(run["at"] ?? 0),
      })),
    breaker: !failures["tripped"] ? "closed" : failures["half"] ? "half-open" : "tripped",
    trippedWhy: String(tripped["why"] ?? ""),
  };
}

/** Newest sessions first, the most repeated error of each on top. */
function signatureRows({ index }: DashboardSource): ErrorSignature[] {
  const found = new Map<string, ErrorSignature>();
  for (const { session, signature, shown, tool, at, command } of index.failures) {
    if (!isSession(session)) continue;
    const key = `${session}\n${signature}`;
    let row = found.get(key);
    if (!row) found.set(key, (row = { session, shown: shown || signature, signature, tool, attempts: [] }));
    row.attempts.push({ at, command });
  }
  return [...found.values()].sort((a, b) => b.attempts.length - a.attempts.length).slice(0, 20);
}

/** Counts between edges that grow by half a power of two. */
function latencyOf(rows: readonly IndexRow[]): Gates["latency"] {
  const values = rows.filter((row) => row.event && isSession(row.session)).map((row) => row.ms);
  const edges = Array.from({ length: 21 }, (_, i) => Math.round(2 ** (i / 2)));
  const counts = edges.map(() => 0);
  for (const ms of values) {
    const at = edges.findIndex((edge) => ms <= edge);
    counts[at < 0 ? edges.length - 1 : at]!++;
  }
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  return { edges, counts, median: percentile(values, 0.5), p99: percentile(values, 0.99), most, judged: values.length };
}
