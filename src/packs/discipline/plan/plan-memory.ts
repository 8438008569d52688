// Whether the task needs an approved plan and has one.
// Invariant: only a person approves: by typed command, by a plain yes to a shown plan, or in the host's plan dialog.
import { after, at, memory } from "../../../model/gate.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { taskMemory } from "../prompts/task-memory.js";

export interface PlanState {
  task: string;
  required: boolean;
  /** The agent ended a turn with a message since the plan was asked for. */
  shown: boolean;
  approved: boolean;
}

export const planMemory = memory<PlanState>({
  id: "discipline/planned",
  on: [...at("prompt", "turn.end"), ...after("plan")],
  state: { scope: "session", initial: { task: "", required: false, shown: false, approved: false } },
  learn({ event, facts, config, state, recall }) {
    const { id, big, asks } = recall(taskMemory);
    const { when } = (config as unknown as DisciplineOptions).plan;
    if (event.kind === "turn.end") {
      const { required, approved, shown } = state.value;
      if (required && !approved && !shown && (event.turn?.lastMessage?.trim().length ?? 0) >= 40)
        state.update((s) => void (s.shown = true));
      return;
    }
    if (event.kind === "tool.after") {
      if (event.tool?.name === "ExitPlanMode" && event.outcome?.ok)
        state.update((s) => void Object.assign(s, { task: id, approved: true }));
      return;
    }
    const prompt = facts.prompt;
    if (!prompt?.person) return;
    const wanted = asks.includes("plan") || (when === "task" && id !== "") || (when === "big-task" && big);
    const same = state.value.task === id;
    const carried = prompt.planned === true;
    const yes = carried || prompt.command === "plan.approve" || (same && state.value.shown && prompt.approves);
    const next: PlanState = {
      task: id,
      required: wanted,
      shown: same && state.value.shown,
      approved: yes || (same && state.value.approved),
    };
    if (JSON.stringify(next) !== JSON.stringify(state.value)) state.update(() => next);
  },
});
