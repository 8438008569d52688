// Whether the task needs an approved plan and has one.
// Invariant: only a person approves: by typed command, by a plain yes to a shown plan, or in the host's plan dialog.
import type { Facts } from "../../../facts/index.js";
import { after, at, memory } from "../../../model/gate.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { taskMemory } from "../prompts/task-memory.js";

export interface PlanState {
  task: string;
  required: boolean;
  /** The agent ended a turn with a message since the plan was asked for. */
  shown: boolean;
  approved: boolean;
  /** `execution: phases`: a phase ended (a commit, a ticked criterion) and the user has not answered since. */
  paused?: boolean;
}

export const planMemory = memory<PlanState>({
  id: "discipline/planned",
  on: [...at("prompt", "turn.end"), ...after("plan", "shell")],
  state: { scope: "session", initial: { task: "", required: false, shown: false, approved: false } },
  learn({ event, facts, config, state, recall }) {
    const { id, big, asks } = recall(taskMemory);
    const { when, execution } = (config as unknown as DisciplineOptions).plan;
    if (event.kind === "turn.end") {
      const { required, approved, shown } = state.value;
      if (required && !approved && !shown && (event.turn?.lastMessage?.trim().length ?? 0) >= 40)
        state.update((s) => void (s.shown = true));
      return;
    }
    if (event.kind === "tool.after" && event.tool?.kind === "shell") {
      const { required, approved, paused } = state.value;
      if (!required || !approved || paused || execution !== "phases" || !endsPhase(facts)) return;
      state.update((s) => void (s.paused = true));
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
    const withdrawn = prompt.command === "plan.withdraw";
    const carried = prompt.planned === true;
    const yes = carried || prompt.command === "plan.approve" || (same && state.value.shown && prompt.approves);
    const next: PlanState = {
      task: id,
      required: wanted || withdrawn || (same && state.value.required),
      shown: same && state.value.shown && !withdrawn,
      approved: !withdrawn && (yes || (same && state.value.approved)),
    };
    if (JSON.stringify(next) !== JSON.stringify(state.value)) state.update(() => next);
  },
});

/** A commit, or a criterion of the loop that was ticked. */
const endsPhase = ({ shell, event }: Facts): boolean =>
  event.outcome?.ok === true &&
  (shell?.commits.length !== 0 ||
    shell.commands.some(
      (c) => /^(?:agent-)?interlock$/.test(c.program) && c.argv[0] === "loop" && c.argv[1] === "check",
    ));
