// What the phase's gate will ask for is told before the work begins, once per phase and session.

import { gateName } from "../../../facts/phases.js";
import { at, before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { note } from "../../../model/verdict.js";
import { type Situation, situationOf } from "./gate-context.js";

export const phaseBrief = gate<{ told: string }>({
  id: "lifecycle/phase-brief",
  title: "The requirements of a phase are told before its work is handed out",
  about:
    "At the start of a session and before the first delegation of a phase, tells the agent where the workflow stands and what the phase's gate will check. Refuses nothing.",
  remedy: "None needed: it never refuses.",
  window: "Once per phase and session.",
  reset: "The next phase.",
  on: [...before("agent"), ...at("session.start")],
  onError: "pass",
  env: ["ISDLC_PROJECT"],
  state: { scope: "session", initial: { told: "" } },
  judge(context) {
    const situation = situationOf(context);
    if (!situation?.workflow) return;
    const start = context.event.kind === "session.start";
    const { delegation } = context.facts;
    if (!start && !(delegation.isDelegation && delegation.phases.includes(situation.phase ?? ""))) return;
    if (!start && context.state.value.told === situation.phase) return;
    context.state.update(() => ({ told: situation.phase ?? "" }));
    context.act("mark");
    return note(brief(situation));
  },
});

export function brief(situation: Situation): string {
  const { workflow, phase = "", standing } = situation;
  const unmet = situation.unmet();
  const lines = [
    `Workflow ${inert(workflow?.type ?? "", 40)}: phase ${inert(phase, 60)} (${(workflow?.index ?? 0) + 1} of ${workflow?.phases.length ?? 1}), ${inert(situation.at.status ?? "not begun", 20)}.`,
    ...(unmet.length
      ? [`${gateName(phase)} needs:`, ...unmet.map((u) => `- ${u.why}: ${u.next}`)]
      : [`${gateName(phase)} has what it needs.`]),
    ...situation.told().map((u) => `- not required here, good to have: ${u.next}`),
  ];
  if (workflow?.branch) lines.push(`Commits belong on ${inert(workflow.branch, 80)}.`);
  if (standing.foreign)
    lines.push(
      "The state file was changed by something Interlock did not see; that does not count. `interlock lifecycle status` shows what does.",
    );
  return lines.join("\n");
}
