// Work is delegated to the current phase, not to an earlier or later one.

import { gateName } from "../../../facts/phase-names.js";
import { before } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
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
    const next =
      back >= 0 && back < workflow.index
        ? `work on ${workflow.phase}, or go back with: interlock lifecycle redo --to ${target} --reason "..."`
        : `finish ${workflow.phase} and pass ${gateName(workflow.phase)} (interlock lifecycle next says ` +
          `what it needs), then delegate ${target}`;
    return deny({
      what: `delegation of ${target}${delegation.agentName ? ` to ${delegation.agentName}` : ""}`,
      why: `the current phase is ${workflow.phase}; ${target} is out of order`,
      next,
      data: { current: workflow.phase, target },
    });
  },
});
