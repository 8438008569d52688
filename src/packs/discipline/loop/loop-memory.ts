// The loop of a big task: acceptance criteria and a limited number of iterations. One at a time per project.
// Invariant: each criterion is ticked on its own, with a time; iterations are counted from the work done, not only
// from what is logged.
import { after, at, failed, memory, type StateSpec } from "../../../model/gate.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { workMemory } from "../verification/work-memory.js";

export interface Criterion {
  text: string;
  /** When it was ticked. */
  at?: number;
}

export interface ActiveLoop {
  task: string;
  startedAt: number;
  iteration: number;
  max: number;
  criteria: Criterion[];
  log: { at: number; action: string; result: string }[];
  /** When the last iteration was counted; absent before the first. */
  countedAt?: number;
}

export interface LoopState {
  active?: ActiveLoop;
  past: {
    task: string;
    ended: "completed" | "cancelled";
    at: number;
    iterations: number;
    criteria: number;
    ticked: number;
  }[];
}

export const loopState: StateSpec<LoopState> = { scope: "project", initial: { past: [] } };

export const loopMemory = memory<LoopState>({
  id: "discipline/loop",
  on: [...after("shell"), ...failed("shell"), ...at("prompt", "session.start")],
  state: loopState,
  learn({ event, facts, config, state, now, recall }) {
    const { maxIterations } = (config as unknown as DisciplineOptions).loop;
    if (event.kind === "prompt") {
      const command = facts.prompt?.command;
      if (command === "loop.start" && !state.value.active)
        state.update(
          (s) => void (s.active = startLoop("the task at hand", ["the task is done and verified"], maxIterations, now)),
        );
      if (command === "loop.stop" && state.value.active) state.update((s) => endLoop(s, "cancelled", now));
      return;
    }
    const { active } = state.value;
    if (!active || event.kind === "session.start") {
      // A new session without big work ends an old loop.
      if (active && event.reason === "startup" && now - active.startedAt > 24 * 3600_000)
        state.update((s) => endLoop(s, "cancelled", now));
      return;
    }
    // By time: work of another session counts, work before the loop does not.
    if (facts.run?.level === "test" && recall(workMemory).lastEditAt > (active.countedAt ?? active.startedAt))
      state.update((s) => void Object.assign(s.active!, { iteration: active.iteration + 1, countedAt: now }));
  },
});

export const startLoop = (name: string, criteria: readonly string[], max: number, now: number): ActiveLoop => ({
  task: name.slice(0, 200),
  startedAt: now,
  iteration: 0,
  max,
  criteria: criteria.slice(0, 30).map((text) => ({ text: text.slice(0, 200) })),
  log: [],
});

export function endLoop(s: LoopState, ended: "completed" | "cancelled", now: number): void {
  const { task: name, iteration, criteria } = s.active!;
  const ticked = criteria.filter((c) => c.at !== undefined).length;
  s.past = [...s.past, { task: name, ended, at: now, iterations: iteration, criteria: criteria.length, ticked }].slice(
    -20,
  );
  delete s.active;
}
