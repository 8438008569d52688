// A phase is declared complete only after its constitutional check.
import { before } from "../../../model/gate.js";
import { deny, stepList } from "../../../model/verdict.js";
import { recordEscalation, startConstitution } from "../model/write-back.js";
import { declaresFinished } from "./advance-request.js";
import { phaseGate, writeDown } from "./gate-context.js";

export const constitutionValidator = phaseGate({
  id: "lifecycle/constitution-validator",
  title: "No phase is declared complete without its constitutional check",
  about:
    "Refuses calls that declare the phase complete while its articles are not checked, and starts " +
    "tracking the check in the state file.",
  remedy: "Check the work against the listed articles, then run `interlock lifecycle validate --articles ...`.",
  window: "Per phase.",
  reset: "A compliant check.",
  on: before("agent"),
  judge(context, phaseContext) {
    const wanted = phaseContext.needs?.constitution;
    if (!phaseContext.phase || !wanted || !phaseContext.observed.enforced || !declaresFinished(context, phaseContext))
      return;
    const open = phaseContext.unmet().find((u) => u.need === "constitution");
    if (!open) return;
    const { phase } = phaseContext;
    writeDown(
      context,
      phaseContext,
      (state) => {
        startConstitution(state, phase, wanted.articles, wanted.max, context.now);
        recordEscalation(
          state,
          { type: "constitution", hook: "constitution-validator", phase, detail: open.why },
          context.now,
        );
      },
      "always",
    );
    const steps = phaseContext.unmet().map((u) => u.next);
    return deny({
      joins: true,
      what: `declaring ${phase} complete`,
      why: open.why,
      next: stepList(steps),
      steps,
      data: { phase, articles: [...wanted.articles] },
    });
  },
});
