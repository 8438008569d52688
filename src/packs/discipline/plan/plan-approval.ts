// Where a plan is required, the user approves it before anything is changed.
import { before, gate } from "../../../model/gate.js";
import { ask, deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { describeEdits, editsOf } from "../edits.js";
import { onlyProse } from "../files/path-forms.js";
import { planMemory as memory } from "./plan-memory.js";

export const planApproval = gate<undefined, DisciplineOptions>({
  id: "discipline/plan",
  title: "The plan is approved first",
  about:
    "Refuses changes while the task needs a plan (the prompt asks for one, or `plan.when` does) and no " +
    "person has approved it. `plan.execution` says how an approved plan is carried out: in one go, phase by " +
    "phase (a commit or a ticked criterion ends a phase; the user's next prompt goes on), or with each change " +
    "confirmed. `pa-` takes the approval back, to change the plan.",
  remedy:
    "Show the plan and end the turn. The user types `pa+`, answers yes to the plan, or approves it in the " +
    "host's plan dialog.",
  window: "The task; a follow-up prompt keeps the approval.",
  reset: "A new task needs a new approval.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall }) {
    const { required, approved, shown, paused } = recall(memory);
    const { execution } = config.plan;
    if (!required || (approved && !paused && execution !== "supervised")) return;
    const edits = editsOf(facts, config);
    // The plan itself may be a document.
    if (!edits.length || (!approved && !shown && onlyProse(edits, facts, config))) return;
    if (approved && paused)
      return deny({
        what: describeEdits(facts, edits),
        why: "a phase of the plan has ended (plan.execution: phases)",
        next: "end the turn with what the phase did and what comes next; the user's next prompt goes on",
      });
    if (approved)
      return ask({
        what: describeEdits(facts, edits),
        why: "each change of this plan is confirmed (plan.execution: supervised)",
        next: "the user confirms it",
      });
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
