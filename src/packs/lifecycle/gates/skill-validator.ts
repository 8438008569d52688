// Warns about agents used outside their phases; refuses only if the user asked for that and the manifest is missing.
import { before } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny, note } from "../../../model/verdict.js";
import { phaseGate } from "./gate-context.js";

export const skillValidator = phaseGate({
  id: "lifecycle/skill-validator",
  title: "Agents are used in the phases they own",
  about:
    "Watches delegations. Warns when an agent works in a phase it does not own and skill_enforcement is " +
    "warn, audit or strict. Refuses only with `fail_behavior: block` while there is no skills manifest.",
  remedy:
    "Restore the skills manifest (.claude/hooks/config/skills-manifest.json), or delegate to the phase's " +
    "own agent.",
  on: before("agent"),
  judge(context, phaseContext) {
    const enforcement = phaseContext.file?.skill_enforcement;
    if (enforcement?.enabled === false && !phaseContext.observed.strict) return;
    const strict = phaseContext.observed.strict || enforcement?.fail_behavior === "block";
    if (strict && !phaseContext.world.roles?.has("sdlc-orchestrator"))
      return deny({
        what: `start of agent ${inert(context.event.tool?.agent?.type ?? "", 60)}`,
        why: "there is no skills manifest, and skill_enforcement.fail_behavior is block",
        next: "restore .claude/hooks/config/skills-manifest.json (or .isdlc/config/skills-manifest.json)",
      });
    const { delegation } = context.facts;
    const loud = ["warn", "audit", "strict"].includes(enforcement?.mode ?? "");
    if (!loud || !phaseContext.phase || !delegation.isDelegation || delegation.phases.includes(phaseContext.phase))
      return;
    return note(
      `lifecycle/skill-validator: ${delegation.agentName ?? "this agent"} belongs to ` +
        `${delegation.targetPhase}, the workflow is in ${inert(phaseContext.phase, 60)}.`,
      "both",
    );
  },
});
