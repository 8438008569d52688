// From implementation on, agents need a written task plan.
import { before } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import { needsOf } from "../model/catalogue.js";
import { planStep } from "../model/needs.js";
import { phaseGate } from "./gate-context.js";

/** Read-only agents need no plan. */
const lookers: ReadonlySet<string> = new Set(["explore", "plan"]);

export const planSurfacer = phaseGate({
  id: "lifecycle/plan-surfacer",
  title: "From implementation on, agents need a task plan",
  about:
    "Refuses to start agents while the current phase is implementation or later and there is no tasks.md. " +
    "Early phases (quick scan to test strategy), agents that only read, and setup work pass.",
  remedy: "Write the task plan to docs/isdlc/tasks.md (the generate-plan skill does it).",
  window: "While the phase lasts.",
  reset: "The plan exists.",
  on: before("agent"),
  judge(context, phaseContext) {
    const workflow = phaseContext.workflow;
    if (!workflow?.phase) return;
    const needs = needsOf(phaseContext.catalogue, workflow.type, workflow.phase);
    if (needs && !needs.plan) return;
    const type = context.event.tool?.agent?.type?.toLowerCase() ?? "";
    if (lookers.has(type) || context.facts.delegation.setup) return;
    const { path, exists } = phaseContext.world.plan();
    if (exists) return;
    return deny({
      joins: true,
      what: `start of agent ${type || "without a type"} in ${workflow.phase}`,
      why: `there is no task plan; ${workflow.phase} requires one`,
      next: planStep(path),
      data: { phase: workflow.phase, plan: path },
    });
  },
});
