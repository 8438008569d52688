// Warns when discovery ended without the constitution walkthrough.

import { agentNamed } from "../../../facts/agent-roles.js";
import { after, gate } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import { phaseContextOf } from "./gate-context.js";

export const walkthroughTracker = gate({
  id: "lifecycle/walkthrough-tracker",
  title: "Discovery without a constitution walkthrough is noticed",
  about:
    "After the discover orchestrator finishes, warns while discovery_context.walkthrough_completed is not " +
    "true. Refuses nothing.",
  remedy: "Walk the user through the constitution and set discovery_context.walkthrough_completed.",
  on: after("agent"),
  onError: "pass",
  env: ["ISDLC_PROJECT"],
  judge(context) {
    const { tool, outcome } = context.event;
    if (agentNamed(tool?.agent?.type) !== "discover-orchestrator" || !outcome?.text.trim()) return;
    const discovery = phaseContextOf(context)?.file?.discovery_context;
    if (!discovery || discovery.walkthrough_completed === true) return;
    return note(
      "[walkthrough-tracker] WARNING: Discovery completed without the constitution walkthrough. Walk the " +
        "user through the constitution now, then set discovery_context.walkthrough_completed to true.",
      "both",
    );
  },
});
