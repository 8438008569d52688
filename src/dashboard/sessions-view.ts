// The sessions of a record, and the calls of one of them, newest first, a page at a time.
// Invariant: answers stay small however long the record is; our own probes are nobody's session.
import { probeSession } from "../facts/probe-session.js";
import type { DashboardSource } from "./dashboard-source.js";
import type { CallMark, IndexRow } from "./ledger-index.js";
import { ungovernedCalls } from "./ungoverned.js";
import { numberFrom } from "./view-answers.js";

export interface SessionSummary {
  id: string;
  /** The first prompt. */
  title: string;
  start: number;
  end: number;
  calls: number;
  /** Calls that were refused, and ends of turns. */
  refused: number;
  turns: number;
  overridden: number;
  agents: number;
}

export interface SessionList {
  sessions: SessionSummary[];
  total: number;
}

const mostSessions = 300;

export function sessionsView({ index }: DashboardSource): SessionList {
  const ids = [...index.sessions.keys()].filter(isSession);
  const newest = ids
    .map((id) => ({ id, last: index.sessions.get(id)!.at(-1)!.seq }))
    .sort((a, b) => b.last - a.last)
    .slice(0, mostSessions);
  return { sessions: newest.map(({ id }) => sessionSummary(id, index.sessions.get(id)!)), total: ids.length };
}

export const isSession = (id: string): boolean => id !== "" && !id.startsWith(probeSession);

export function sessionSummary(id: string, rows: readonly IndexRow[]): SessionSummary {
  let [calls, refused, turns, overridden] = [0, 0, 0, 0];
  const agents = new Set<string>();
  for (const row of rows) {
    if (row.event === "tool.before") calls++;
    if (row.mark === "deny" && row.event === "tool.before") refused++;
    if (row.mark === "deny" && row.event === "turn.end") turns++;
    if (row.mark === "overridden") overridden++;
    agents.add(row.agent);
  }
  const title = rows.find((row) => row.event === "prompt")?.what ?? "";
  return {
    id,
    title,
    start: rows[0]!.at,
    end: rows.at(-1)!.at,
    calls,
    refused,
    turns,
    overridden,
    agents: agents.size,
  };
}

export interface CallRow {
  seq: number;
  at: number;
  agent: string;
  event: string;
  tool: string;
  what: string;
  mark: CallMark;
  gate: string;
  /** Whether it worked; undefined while it has no end. */
  ok?: boolean;
}

export interface CallPage {
  /** How many there are in all. */
  total: number;
  offset: number;
  rows: CallRow[];
}

/** What the list shows: calls and what frames them; the end of a call belongs to its row. */
export const isListed = ({ event, mark }: IndexRow): boolean =>
  event !== "" && ((event !== "tool.after" && event !== "tool.failed") || mark === "deny" || mark === "fault");

export function callsView(source: DashboardSource, query: URLSearchParams): CallPage {
  const only = query.get("only") ?? "all";
  const sought = (query.get("q") ?? "").trim().toLowerCase();
  const agent = query.get("agent");
  const rows = (source.index.sessions.get(query.get("session") ?? "") ?? []).filter(
    (row) =>
      isListed(row) &&
      (agent === null || row.agent === agent) &&
      (only === "all" || isOfKind(row, only)) &&
      (!sought || `${row.tool} ${row.what} ${row.gate} ${row.verdict}`.toLowerCase().includes(sought)),
  );
  const offset = numberFrom(query, "offset", 0);
  const count = numberFrom(query, "count", 100, 200);
  const end = Math.max(0, rows.length - offset);
  const page = rows.slice(Math.max(0, end - count), end).reverse();
  // Where a record stands in this list, so that an address can be shown.
  const seq = query.get("find");
  if (seq !== null) {
    const at = rows.findLastIndex((row) => row.seq <= Number(seq));
    return { total: rows.length, offset: rows.length - 1 - at, rows: [] };
  }
  return { total: rows.length, offset, rows: page.map((row) => callRow(source, row)) };
}

const isOfKind = ({ mark }: IndexRow, only: string): boolean =>
  only === "refused"
    ? mark === "deny" || mark === "ask"
    : only === "overridden"
      ? mark === "overridden"
      : mark === only;

export function callRow({ index }: DashboardSource, row: IndexRow): CallRow {
  const { seq, at, agent, event, tool, what, mark, gate, session, toolId } = row;
  const end = toolId && event === "tool.before" ? index.ends.get(`${session}\n${toolId}`) : undefined;
  const ok = end && end.event === "tool.after";
  return { seq, at, agent, event, tool, what, mark, gate, ...(ok !== undefined && { ok }) };
}

/** Calls of a session that ran without a record, by the agent's own transcripts. */
export const ungovernedOf = (source: DashboardSource, session: string) =>
  ungovernedCalls(source).filter((call) => call.session === session);
