// A phase's gate opens when everything the phase needs was observed.

import { gateName } from "../../../facts/phase-names.js";
import { before } from "../../../model/gate.js";
import type { Json } from "../../../model/json.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";
import { summariseUnmet } from "../model/needs.js";
import { pushBounded } from "../model/state-file.js";
import { phaseRecord, recordEscalation } from "../model/write-back.js";
import { asksForGate } from "./advance-request.js";
import { type PhaseContext, phaseGate, writeDown } from "./gate-context.js";

/** What the framework calls them. */
const frameworkWord: Readonly<Record<string, string>> = {
  tests: "test_iteration",
  constitution: "constitutional_validation",
  elicitation: "interactive_elicitation",
  delegation: "agent_delegation",
};

export const gateBlocker = phaseGate({
  id: "lifecycle/gate-blocker",
  title: "No advance before the phase's requirements are met",
  about:
    "When an orchestrator or the sdlc skill asks for the next phase, checks the phase's test runs, " +
    "constitutional check, questions to the user, delegation, plan and artifacts. Whatever is missing is " +
    "listed and refuses the advance. A phase that is not defined, or a phase index that contradicts the " +
    "current phase, is refused too.",
  remedy: "Do what the refusal lists; `interlock lifecycle next` shows it at any time.",
  window: "Per phase.",
  reset: "Meeting the requirements, or `interlock lifecycle approve --reason` by a person after an escalation.",
  on: before("agent", "skill"),
  judge(context, phaseContext) {
    if (!phaseContext.phase || !asksForGate(context)) return;
    const { phase } = phaseContext;
    const torn = inconsistent(phaseContext);
    const unmet = phaseContext.unmet();
    if (torn || unmet.length) {
      const said = torn ?? summariseUnmet(phase, unmet);
      const details = torn
        ? [{ requirement: "consistency", satisfied: false, reason: torn.why }]
        : unmet.map((u) => ({ requirement: frameworkWord[u.need] ?? u.need, satisfied: false, reason: u.why }));
      writeDown(
        context,
        phaseContext,
        (state) => {
          phaseRecord(state, phase)["gate_validation"] = {
            status: "blocked",
            blocked_at: new Date(context.now).toISOString(),
            blocking_requirements: details.map((d) => d.requirement) as Json[],
            details,
          };
          const detail = details.map((d) => `${d.requirement}: ${d.reason}`).join("; ");
          recordEscalation(state, { type: "gate_blocked", hook: "gate-blocker", phase, detail }, context.now);
        },
        "always",
      );
      return deny({
        joins: true,
        what: `passing ${gateName(phase)}`,
        ...said,
        data: { phase, unmet: unmet.map((u) => ({ ...u })) },
      });
    }
    if (phaseContext.needs?.cloud && undecided(phaseContext))
      writeDown(context, phaseContext, (state) =>
        pushBounded(
          state,
          "pending_triggers",
          { trigger: "cloud_configuration", phase, triggered_at: new Date(context.now).toISOString() },
          20,
        ),
      );
    return undefined;
  },
});

const undecided = ({ file }: PhaseContext): boolean =>
  [undefined, null, "", "undecided"].includes(file?.cloud_configuration?.provider);

/** The current phase must be the one at the workflow's index. */
function inconsistent({ workflow }: PhaseContext): { why: string; next: string } | undefined {
  if (!workflow || workflow.index >= workflow.phases.length || workflow.phases[workflow.index] === workflow.phase)
    return undefined;
  return {
    why:
      `the state contradicts itself: current_phase is ${inert(workflow.phase, 60)}, phase ` +
      `${workflow.index} of the workflow is ${inert(workflow.phases[workflow.index] ?? "none", 60)}`,
    next: "run `interlock lifecycle validate`; it names the repair",
  };
}
