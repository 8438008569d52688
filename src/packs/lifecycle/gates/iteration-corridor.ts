// While its tests fail or its constitutional check is open, a phase cannot be left; work inside it goes on.
import { before } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";
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
        recordEscalation(
          state,
          { type: "corridor", hook: "iteration-corridor", phase, detail: corridor.why },
          context.now,
        ),
      "always",
    );
    return deny({ what: `leaving ${phase}`, ...corridor, data: { phase } });
  },
});

/** The next step is the first that is still to be done in the phase, in the order of the work. */
export function corridorOf(phaseContext: PhaseContext): { why: string; next: string } | undefined {
  const { phase, needs, observed, at } = phaseContext;
  if (!phase || !needs || !observed.enforced) return undefined;
  const { tests, constitution } = at;
  const first = () => phaseContext.unmet()[0];
  if (needs.tests && tests && !tests.completed && !tests.escalated && tests.last === "failed") {
    const command = inert(tests.command ?? "the test command", 150);
    const again = `fix the failure and run the same tests again: ${command}`;
    const earlier = first()?.need === "tests" ? undefined : first()?.next;
    return {
      why:
        `the tests of ${phase} fail (attempt ${tests.iteration} of ${needs.tests.max}` +
        `${earlier ? `, ${command}` : ""}); this is the TEST corridor`,
      next: earlier ?? again,
    };
  }
  const tested = !needs.tests || (tests?.completed === true && (!tests.escalated || tests.approved === true));
  if (!needs.constitution || !tested || phaseContext.unmet().some((u) => u.need === "tests")) return undefined;
  const open = constitution
    ? constitution.status !== "escalated" && phaseContext.unmet().some((u) => u.need === "constitution")
    : needs.tests !== undefined;
  if (!open) return undefined;
  const articles = needs.constitution.articles.join(",");
  return {
    why:
      `the constitutional check of ${phase} (interlock lifecycle validate --articles ${articles}) is not finished; ` +
      "this is the CONST corridor",
    next: first()?.next ?? "check the work against the articles, then record the check",
  };
}
