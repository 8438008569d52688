// A turn does not end while a workflow skill still waits for its orchestrator.
import { at } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import { stateEdit } from "../model/write-back.js";
import { phaseGate } from "./gate-context.js";

export const delegationGate = phaseGate({
  id: "lifecycle/delegation-gate",
  title: "A workflow skill's orchestrator is started before the turn ends",
  about:
    "Refuses the end of the turn while the sdlc or discover skill was invoked in this session and its " +
    "orchestrator has not been started. The engine limits how often one end is refused (`maxStopBlocks`).",
  remedy: "Start the orchestrator with the Agent tool.",
  window: "30 minutes, this session; at most `maxStopBlocks` refusals in a row.",
  reset: "Starting the orchestrator, or the end of the window.",
  on: at("turn.end"),
  judge(context, phaseContext) {
    const { pending } = phaseContext.observed;
    if (!pending) {
      if (phaseContext.file?.pending_delegation)
        context.amend(
          phaseContext.paths.file,
          stateEdit((state) => void (state["pending_delegation"] = null)),
        );
      return;
    }
    if (pending.session !== undefined && pending.session !== context.event.session) return;
    return deny({
      what: "end of the turn",
      why: `the ${pending.skill || "workflow"} skill was invoked and ${pending.agent} was not started since`,
      next: `start ${pending.agent} with the Agent tool (subagent_type "${pending.agent}")`,
      data: { agent: pending.agent },
    });
  },
});
