// Where a plan is required, the user approves it before anything is changed.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { describeEdits, editsOf } from "../edits.js";
import { planMemory as memory } from "./plan-memory.js";

export const planApproval = gate<undefined, DisciplineOptions>({
  id: "discipline/plan",
  title: "The plan is approved first",
  about:
    "Refuses changes while the task needs a plan (the prompt asks for one, or `plan.when` does) and no " +
    "person has approved it.",
  remedy:
    "Show the plan and end the turn. The user types `pa+`, answers yes to the plan, or approves it in the " +
    "host's plan dialog.",
  window: "The task; a follow-up prompt keeps the approval.",
  reset: "A new task needs a new approval.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall }) {
    const { required, approved, shown } = recall(memory);
    if (!required || approved) return;
    const edits = editsOf(facts, config);
    if (!edits.length) return;
    return deny({
      joins: true,
      what: describeEdits(facts, edits),
      why: shown ? "the plan is shown and not yet approved" : "this task needs a plan that the user approves",
      next: shown
        ? "ask the user to type pa+ to approve it"
        : "write the plan as your answer and end the turn; the user approves it with pa+",
    });
  },
});
