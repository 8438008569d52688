// What sessions leave for the next one: statistics, learnings, server health.
// Invariant: bounded lists per project, written at the end of each turn so that a killed session is not lost.

import { probeSession } from "../../../facts/probe-session.js";
import { refusals } from "../../../facts/repeated-refusals.js";
import { at, memory, type StateSpec } from "../../../model/gate.js";
import { type FailureState, failuresMemory } from "../breaker/failures-memory.js";
import { taskMemory } from "../prompts/task-memory.js";
import { researchMemory } from "../research/research-memory.js";
import { workMemory } from "../verification/work-memory.js";

export interface SessionStats {
  session: string;
  at: number;
  score: number;
  blocks: number;
  gates: Record<string, number>;
  trips: number;
  edits: number;
  files: number;
  runs: number;
  passing: number;
  unverified: number;
  frustrations: number;
  overrides: number;
  /** Doom loops: ended by the breaker, gone on with; what they cost in failed calls and milliseconds. */
  loops?: { caught: number; missed: number; failures: number; ms: number };
  /** The agent's rating of itself, out of ten. */
  rating?: number;
}

export interface Learning {
  at: number;
  kind: string;
  text: string;
}

export interface HistoryState {
  sessions: SessionStats[];
  learnings: Learning[];
  triggers: Record<string, number>;
  /** How MCP servers and the web answered in the last session that used them. */
  servers: Record<string, { ok: number; failed: number }>;
}

export const historyState: StateSpec<HistoryState> = {
  scope: "project",
  initial: { sessions: [], learnings: [], triggers: {}, servers: {} },
};
const maxSessions = 20;
const maxLearnings = 50;

export const historyMemory = memory<HistoryState>({
  id: "discipline/history",
  on: at("prompt", "turn.end", "session.end"),
  state: historyState,
  learn({ event, facts, state, now, recall }) {
    if (event.session === probeSession) return;
    if (event.kind === "prompt") {
      const prompt = facts.prompt;
      if (!prompt?.person || (!prompt.frustration && !prompt.triggers.length)) return;
      state.update((s) => {
        for (const word of prompt.triggers) s.triggers[word] = (s.triggers[word] ?? 0) + 1;
        if (prompt.frustration)
          s.learnings = [
            ...s.learnings,
            {
              at: now,
              kind: prompt.frustration,
              text: facts.keep(event.prompt!.text.replace(/\s+/g, " ").slice(0, 100)),
            },
          ].slice(-maxLearnings);
      });
      return;
    }
    const { servers } = recall(researchMemory);
    if (Object.keys(servers).length) state.update((s) => void (s.servers = { ...s.servers, ...servers }));
    const blocked = recall(refusals);
    const done = recall(workMemory);
    if (!done.edits && !done.runs.length && !blocked.total) return;
    const rating = selfRating(event.turn?.lastMessage ?? "");
    const before = state.value.sessions.find((s) => s.session === event.session);
    const figures: SessionStats = {
      session: event.session,
      at: now,
      score: scoreOf(blocked.total),
      blocks: blocked.total,
      gates: { ...blocked.gates },
      trips: recall(failuresMemory).trips,
      ...loopFigures(recall(failuresMemory)),
      edits: done.edits,
      files: done.files.length,
      runs: done.runs.length,
      passing: done.runs.filter((r) => r.ok === true).length,
      unverified: done.unverified.length,
      frustrations: recall(taskMemory).frustrations,
      overrides: blocked.overrides,
      ...((rating ?? before?.rating) !== undefined && { rating: rating ?? before?.rating }),
    };
    state.update(
      (s) =>
        void (s.sessions = [...s.sessions.filter((x) => x.session !== event.session), figures].slice(-maxSessions)),
    );
  },
});

function loopFigures({ loops }: Readonly<FailureState>): Pick<SessionStats, "loops"> {
  if (!loops) return {};
  const { caught, missed, failures, ms } = loops;
  return { loops: { caught, missed, failures, ms } };
}

/** Out of ten: fewer refusals score higher. */
export const scoreOf = (blocks: number): number =>
  blocks === 0 ? 10 : blocks <= 2 ? 9 : blocks <= 4 ? 8 : blocks <= 7 ? 7 : blocks <= 10 ? 6 : 5;

export function selfRating(message: string): number | undefined {
  // "10/10 tests pass" counts tests.
  const found =
    /(?<![\d.])(10|\d)(?:\.\d)?\s*\/\s*10\b(?!\s*(?:tests?|specs?|checks?|cases?|files?|suites?|pass|green|ok\b|passed))/i.exec(
      message.slice(-20_000),
    );
  return found ? Number(found[1]) : undefined;
}
