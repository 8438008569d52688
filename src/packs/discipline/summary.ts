// The end-of-session summary from the figures kept: blocks, evidence, trips, and what to do better. Pure.
import type { HistoryState, SessionFigures } from "./memory/history.js";
import { lessons } from "./session.js";

export function summaryLines(history: Readonly<HistoryState>): string[] {
  if (!history.sessions.length) return ["No session has left figures yet."];
  return [...history.sessions.slice(-5).flatMap(figures), "What to do better:", ...orNone(advice(history))];
}

function figures(s: SessionFigures): string[] {
  const gates = Object.entries(s.gates)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([gate, n]) => `${gate} ${n}`);
  return [
    `${new Date(s.at).toISOString().slice(0, 16).replace("T", " ")}  score ${s.score}/10  ${s.edits} edits of ${s.files} files, ${s.passing} of ${s.runs} runs good, ${s.unverified} files unverified`,
    `  blocks ${s.blocks}${gates.length ? ` (${gates.join(", ")})` : ""}, breaker trips ${s.trips}, frustrated prompts ${s.frustrations}${s.rating === undefined ? "" : `, rated itself ${s.rating}/10`}`,
  ];
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
