// The timeline of one session: a lane per agent, calls as marks, or as sums where there are too many to draw.
// Invariant: at most `mostMarks` marks or `columns` sums per lane leave the server, whatever the range holds.
import type { DashboardSource } from "./dashboard-source.js";
import type { CallMark, IndexRow } from "./ledger-index.js";
import { isListed, type SessionSummary, sessionSummary, ungovernedOf } from "./sessions-view.js";
import { NothingThere, numberFrom } from "./view-answers.js";

export type LaneMark = CallMark | "ungoverned";

export interface TimelineMark {
  seq: number;
  at: number;
  mark: LaneMark;
  tool: string;
  what: string;
}

/** Calls of one column of a lane, summed. */
export interface TimelineSum {
  column: number;
  calls: number;
  refused: number;
  overridden: number;
  ungoverned: number;
  /** One to open: a refusal if there is any. */
  seq: number;
}

export interface Lane {
  /** Empty for the main agent. */
  agent: string;
  calls: number;
  refused: number;
  marks: TimelineMark[];
  sums: TimelineSum[];
}

export interface Band {
  from: number;
  to: number;
  name: string;
  kind: "phase" | "turn";
}

export interface Timeline {
  session: SessionSummary;
  /** What is shown. */
  from: number;
  to: number;
  lanes: Lane[];
  /** Lanes that are not drawn. */
  moreLanes: number;
  bands: Band[];
  columns: number;
  /** Calls without a record; null where the agent's transcripts are not known. */
  ungoverned: number | null;
  /** Of judging, in ms. */
  p99: number;
}

export const columns = 240;
const mostMarks = 400;
const mostLanes = 12;
const mostBands = 60;

export function timelineView(source: DashboardSource, query: URLSearchParams): Timeline {
  const id = query.get("session") ?? "";
  const all = source.index.sessions.get(id);
  if (!all?.length) throw new NothingThere(`there is no session ${id.slice(0, 60)} in this record`);
  const session = sessionSummary(id, all);
  const from = numberFrom(query, "from", session.start);
  const to = Math.max(from + 1, numberFrom(query, "to", session.end + 1));
  const missing = ungovernedOf(source, id).map((call) => ({ ...call, at: Date.parse(call.time) }));
  const lanes = new Map<string, { rows: IndexRow[]; missing: typeof missing; calls: number; refused: number }>();
  const lane = (agent: string) => {
    let found = lanes.get(agent);
    if (!found) lanes.set(agent, (found = { rows: [], missing: [], calls: 0, refused: 0 }));
    return found;
  };
  for (const row of all) {
    if (!isListed(row)) continue;
    const its = lane(row.agent);
    if (row.event === "tool.before") its.calls++;
    if (row.mark === "deny" && row.event === "tool.before") its.refused++;
    if (row.at >= from && row.at <= to) its.rows.push(row);
  }
  for (const call of missing) lane(call.agent ?? "").missing.push(call);
  const drawn = [...lanes].slice(0, mostLanes);
  return {
    session,
    from,
    to,
    lanes: drawn.map(([agent, its]) => laneOf(agent, its, from, to)),
    moreLanes: lanes.size - drawn.length,
    bands: bandsOf(source, id, all, from, to),
    columns,
    ungoverned: source.opened ? missing.length : null,
    p99: percentile(
      all.map((row) => row.ms),
      0.99,
    ),
  };
}

function laneOf(
  agent: string,
  {
    rows,
    missing,
    calls,
    refused,
  }: { rows: IndexRow[]; missing: { at: number; tool: string }[] } & Pick<Lane, "calls" | "refused">,
  from: number,
  to: number,
): Lane {
  const open = missing.filter(({ at }) => at >= from && at <= to);
  if (rows.length + open.length <= mostMarks) {
    const marks: TimelineMark[] = rows.map(({ seq, at, mark, tool, what, event }) => ({
      seq,
      at,
      mark,
      tool: tool || event,
      what: what.slice(0, 80),
    }));
    for (const { at, tool } of open) marks.push({ seq: 0, at, mark: "ungoverned", tool, what: "no record" });
    return { agent, calls, refused, marks, sums: [] };
  }
  const sums = new Map<number, TimelineSum>();
  const sumAt = (at: number): TimelineSum => {
    const column = Math.min(columns - 1, Math.floor(((at - from) / (to - from)) * columns));
    let sum = sums.get(column);
    if (!sum) sums.set(column, (sum = { column, calls: 0, refused: 0, overridden: 0, ungoverned: 0, seq: 0 }));
    return sum;
  };
  for (const { at, mark, seq } of rows) {
    const sum = sumAt(at);
    sum.calls++;
    if (mark === "deny" || mark === "ask") sum.refused++;
    if (mark === "overridden") sum.overridden++;
    if (mark === "deny" || !sum.seq) sum.seq = seq;
  }
  for (const { at } of open) sumAt(at).ungoverned++;
  return { agent, calls, refused, marks: [], sums: [...sums.values()] };
}

/** Phases where there are any, else the turns that prompts begin. */
function bandsOf(source: DashboardSource, id: string, all: readonly IndexRow[], from: number, to: number): Band[] {
  const phases = source.index.phases.filter((p) => p.session === id || p.session === "");
  const starts = phases.some((p) => p.name)
    ? phases.map(({ at, name }) => ({ at, name, kind: "phase" as const }))
    : all.filter((r) => r.event === "prompt").map(({ at, what }) => ({ at, name: what, kind: "turn" as const }));
  return starts
    .map(({ at, name, kind }, i) => ({
      from: Math.max(from, at),
      to: Math.min(to, starts[i + 1]?.at ?? to),
      name: name.slice(0, 80),
      kind,
    }))
    .filter((band) => band.to > band.from && band.name)
    .slice(0, mostBands);
}

export function percentile(values: readonly number[], share: number): number {
  if (!values.length) return 0;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
