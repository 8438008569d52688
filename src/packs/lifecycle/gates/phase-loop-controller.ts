// A phase must be in progress before its work is delegated.
import { after, before } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import { statusRank } from "../model/workflow-state.js";
import { phaseRecord, stateEdit } from "../model/write-back.js";
import { phaseGate } from "./gate-context.js";
import { manifestMissing } from "./missing-manifest.js";

export const phaseLoopController = phaseGate({
  id: "lifecycle/phase-loop-controller",
  title: "A phase is begun before its work is delegated",
  about:
    "Refuses to delegate work to an agent while the current phase is neither in progress nor completed. " +
    "Calls of a sub-agent within the same phase pass, and so does everything that is not a delegation.",
  remedy:
    "Set the phase's task to in_progress with TaskUpdate (or its status in the state file with Edit), " +
    "then delegate.",
  window: "Per phase of the active workflow.",
  reset: "Marking the phase in progress.",
  on: [...before("agent"), ...after("control")],
  judge(context, phaseContext) {
    const { facts, event, amend } = context;
    const workflow = phaseContext.workflow;
    if (!workflow) return;
    if (event.kind === "tool.after") {
      const begun = phaseContext.observed.phases[workflow.phase]?.status;
      if (event.tool?.name === "TaskUpdate" && begun === "in_progress" && statusRank(phaseContext.at.status) === 0)
        amend(
          phaseContext.paths.file,
          stateEdit((state) => void (phaseRecord(state, workflow.phase)["status"] = "in_progress")),
        );
      return;
    }
    const { delegation } = facts;
    if (!delegation.isDelegation) return manifestMissing(context, phaseContext);
    if (statusRank(phaseContext.at.status) > 0) return;
    if (event.agent && delegation.phases.includes(workflow.phase)) return;
    const who = delegation.agentName ?? "an agent";
    return deny({
      joins: true,
      what: `delegation of ${delegation.targetPhase} to ${who}`,
      why:
        `the current phase ${workflow.phase} is ${phaseContext.at.status ?? "not begun"}, not in progress` +
        (phaseContext.observed.foreign
          ? "; Interlock did not see who changed the state file, so that does not count"
          : ""),
      next: `mark ${workflow.phase} in progress (TaskUpdate with status in_progress)`,
      data: { phase: workflow.phase, target: delegation.targetPhase ?? "", agent: who },
    });
  },
});
