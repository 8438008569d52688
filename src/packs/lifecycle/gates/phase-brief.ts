// Tells the agent what the phase's gate will check, once per phase and session, before the work begins.

import { gateName } from "../../../facts/phase-names.js";
import { at, before } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { note } from "../../../model/verdict.js";
import { type PhaseContext, phaseGate } from "./gate-context.js";

export const phaseBrief = phaseGate<{ told: string }>({
  id: "lifecycle/phase-brief",
  title: "Phase requirements are told before the work starts",
  about:
    "At the start of a session and before the first delegation of a phase, tells the agent where the " +
    "workflow is and what the phase's gate will check. Refuses nothing.",
  remedy: "None needed: it never refuses.",
  window: "Once per phase and session.",
  reset: "The next phase.",
  on: [...before("agent"), ...at("session.start")],
  state: { scope: "session", initial: { told: "" } },
  judge(context, phaseContext) {
    if (!phaseContext.workflow) return;
    const start = context.event.kind === "session.start";
    const { delegation } = context.facts;
    if (!start && !(delegation.isDelegation && delegation.phases.includes(phaseContext.phase ?? ""))) return;
    if (!start && context.state.value.told === phaseContext.phase) return;
    context.state.update(() => ({ told: phaseContext.phase ?? "" }));
    context.act("mark");
    return note(phaseBriefText(phaseContext));
  },
});

export function phaseBriefText(phaseContext: PhaseContext): string {
  const { workflow, phase = "", observed } = phaseContext;
  const unmet = phaseContext.unmet();
  const lines = [
    `Workflow ${inert(workflow?.type ?? "", 40)}: phase ${inert(phase, 60)} ` +
      `(${(workflow?.index ?? 0) + 1} of ${workflow?.phases.length ?? 1}), ` +
      `${inert(phaseContext.at.status ?? "not begun", 20)}.`,
    ...(unmet.length
      ? [`${gateName(phase)} needs:`, ...unmet.map((u) => `- ${u.why}: ${u.next}`)]
      : [`${gateName(phase)} has what it needs.`]),
    ...phaseContext.told().map((u) => `- not required here, good to have: ${u.next}`),
  ];
  if (workflow?.branch) lines.push(`Commits belong on ${inert(workflow.branch, 80)}.`);
  if (observed.foreign)
    lines.push(
      "The state file was changed by something Interlock did not see; that does not count. `interlock " +
        "lifecycle status` shows what does.",
    );
  return lines.join("\n");
}
