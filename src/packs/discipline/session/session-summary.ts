// The summary of recent sessions: refusals, evidence, breaker trips, and what to do better.

import type { HistoryState } from "./history-memory.js";
import { lessons } from "./session-briefing.js";
import { statsLines } from "./session-stats.js";

export function summaryLines(history: Readonly<HistoryState>): string[] {
  if (!history.sessions.length) return ["No session has left figures yet."];
  return [...history.sessions.slice(-5).flatMap(statsLines), "What to do better:", ...orNone(advice(history))];
}

function advice(history: Readonly<HistoryState>): string[] {
  const last = history.sessions.at(-1)!;
  return [
    ...lessons(history),
    ...(last.trips ? ["- The breaker tripped: look for the cause after the second failure, not the third."] : []),
    ...(last.edits && !last.passing ? ["- Nothing was verified: run the tests before the turn ends."] : []),
  ];
}

const orNone = (list: string[]): string[] => (list.length ? list : ["- nothing stands out"]);
