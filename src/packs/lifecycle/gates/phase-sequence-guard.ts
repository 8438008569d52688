// Work is delegated to the current phase, not to an earlier or later one.

import { before } from "../../../model/gate.js";
import { deny, stepList } from "../../../model/verdict.js";
import type { ActiveWorkflow } from "../model/workflow-state.js";
import { phaseGate } from "./gate-context.js";
import { manifestMissing } from "./missing-manifest.js";

export const phaseSequenceGuard = phaseGate({
  id: "lifecycle/phase-sequence-guard",
  title: "Work is delegated to the current phase only",
  about:
    "Refuses delegations to an agent of another phase, earlier or later, than the workflow's current one. " +
    "Agents that own several phases pass in each of them.",
  remedy:
    "Delegate the current phase. Pass its gate to go on, or run `interlock lifecycle redo --to <phase> " +
    "--reason` to go back.",
  window: "While a workflow is active.",
  reset: "Passing the gate.",
  on: before("agent"),
  judge(context, phaseContext) {
    const workflow = phaseContext.workflow;
    if (!workflow?.phase) return;
    const { delegation } = context.facts;
    if (!delegation.isDelegation) return manifestMissing(context, phaseContext);
    if (delegation.phases.includes(workflow.phase)) return;
    const target = delegation.targetPhase ?? "";
    const back = workflow.phases.indexOf(target);
    const unmet = phaseContext.unmet();
    const goBack = `work on ${workflow.phase}, or go back with: interlock lifecycle redo --to ${target} --reason "..."`;
    const steps = unmet.some((u) => u.person)
      ? unmet.map((u) => u.next)
      : back >= 0 && back < workflow.index
        ? [goBack]
        : [...unmet.map((u) => u.next), advanceTo(workflow, target)];
    return deny({
      joins: true,
      what: `delegation of ${target}${delegation.agentName ? ` to ${delegation.agentName}` : ""}`,
      why: `the current phase is ${workflow.phase}; ${target} is out of order`,
      next: stepList(steps),
      steps,
      data: { current: workflow.phase, target },
    });
  },
});

/** How the workflow gets to a later phase; one that is not in it can't be reached. */
function advanceTo({ type, phases, index, phase }: ActiveWorkflow, target: string): string {
  const to = phases.indexOf(target);
  if (to < 0) return `go on with ${phase}; ${target} is no phase of the ${type} workflow`;
  if (to === index + 1) return `interlock lifecycle advance, then delegate ${target}`;
  return `interlock lifecycle advance; before ${target} come ${phases.slice(index + 1, to).join(", ")}`;
}
