// After the sdlc or discover skill, the agent is told to start the skill's orchestrator.
import { after, gate } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import { demandedBy, skillOf } from "../model/pending-delegation.js";
import { phaseContextOf, writeDown } from "./gate-context.js";

export const skillDelegationEnforcer = gate({
  id: "lifecycle/skill-delegation-enforcer",
  title: "A workflow skill is followed by its orchestrator",
  about:
    "After the sdlc or discover skill, records that its orchestrator must be started and tells the agent " +
    "so. Until then delegation-gate refuses the end of the turn.",
  remedy: "Start the named orchestrator with the Agent tool.",
  window: "30 minutes, this session.",
  reset: "Starting the orchestrator, or the end of the window.",
  on: after("skill"),
  onError: "pass",
  env: ["ISDLC_PROJECT"],
  judge(context) {
    const demanded = demandedBy(context.event);
    const phaseContext = phaseContextOf(context);
    if (!demanded || !phaseContext) return;
    const marker = {
      skill: demanded.skill,
      required_agent: demanded.agent,
      invoked_at: new Date(context.now).toISOString(),
      args: skillOf(context.event)?.args.slice(0, 200) ?? "",
      session: context.event.session,
    };
    writeDown(context, phaseContext, (state) => void (state["pending_delegation"] = marker));
    return note(
      `lifecycle/skill-delegation-enforcer: the ${demanded.skill} skill hands its work to ` +
        `${demanded.agent}. Start it now with the Agent tool (subagent_type "${demanded.agent}"); do not do ` +
        "its work yourself.",
    );
  },
});
