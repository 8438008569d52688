// While its tests fail or its constitutional check is open, a phase cannot be left; work inside it goes on.
import { before } from "../../../model/gate.js";
import { deny, stepList } from "../../../model/verdict.js";
import { recordEscalation } from "../model/write-back.js";
import { leavesPhase } from "./advance-request.js";
import { type PhaseContext, phaseGate, writeDown } from "./gate-context.js";

export const iterationCorridor = phaseGate({
  id: "lifecycle/iteration-corridor",
  title: "No way out of a phase while its tests fail or its constitutional check is open",
  about:
    "Refuses to advance, delegate to another phase or declare completion while the phase's last test run " +
    "failed or its constitutional check is open. Work on the phase itself passes.",
  remedy: "Fix the failure and run the same tests again, or finish the constitutional check.",
  window: "Until the tests pass, the check is compliant, or testing is escalated.",
  reset: "A passing run, or `interlock lifecycle redo --reason`.",
  on: before("agent", "skill"),
  judge(context, phaseContext) {
    const corridor = corridorOf(phaseContext);
    if (!corridor || !leavesPhase(context, phaseContext)) return;
    const { phase = "" } = phaseContext;
    writeDown(
      context,
      phaseContext,
      (state) =>
        recordEscalation(state, { type: "corridor", hook: "iteration-corridor", phase, detail: corridor }, context.now),
      "always",
    );
    const steps = phaseContext.unmet().map((u) => u.next);
    return deny({
      joins: true,
      what: `leaving ${phase}`,
      why: corridor,
      next: stepList(steps),
      steps,
      data: { phase },
    });
  },
});

/** Why the phase cannot be left yet. */
function corridorOf(phaseContext: PhaseContext): string | undefined {
  const { phase, needs, observed, at } = phaseContext;
  if (!phase || !needs || !observed.enforced) return undefined;
  const { tests, constitution } = at;
  if (needs.tests && tests && !tests.completed && !tests.escalated && tests.last === "failed")
    return `the tests of ${phase} fail (attempt ${tests.iteration} of ${needs.tests.max}); this is the TEST corridor`;
  const tested = !needs.tests || (tests?.completed === true && (!tests.escalated || tests.approved === true));
  if (!needs.constitution || !tested || phaseContext.unmet().some((u) => u.need === "tests")) return undefined;
  const open = constitution
    ? constitution.status !== "escalated" && phaseContext.unmet().some((u) => u.need === "constitution")
    : needs.tests !== undefined;
  if (!open) return undefined;
  const articles = needs.constitution.articles.join(", ");
  return `the constitutional check of ${phase} (articles ${articles}) is not finished; this is the CONST corridor`;
}
