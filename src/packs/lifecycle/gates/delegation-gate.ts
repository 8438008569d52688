// A turn does not end while a workflow skill's orchestrator was demanded and never started.
import { at } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import { stateEdit } from "../model/write-back.js";
import { phaseGate } from "./gate-context.js";

export const delegationGate = phaseGate({
  id: "lifecycle/delegation-gate",
  title: "No end of the turn before the demanded orchestrator was started",
  about:
    "Refuses ending the turn while the sdlc or discover skill was invoked in this session and its orchestrator was not started since. How often the same end may be refused is bounded by the engine (maxStopBlocks).",
  remedy: "Start the orchestrator with the Task tool.",
  window: "30 minutes, this session; at most maxStopBlocks refusals in a row.",
  reset: "Starting the orchestrator, or the window's end.",
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
      next: `start ${pending.agent} with the Task tool (subagent_type "${pending.agent}")`,
      data: { agent: pending.agent },
    });
  },
});
