// Counts the menus shown to the user and the answers given.
import { after, at } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import { stateEdit, writeElicitation } from "../model/write-back.js";
import { phaseGate } from "./gate-context.js";

export const menuTracker = phaseGate<{ menus: number; completed: boolean }>({
  id: "lifecycle/menu-tracker",
  title: "Questions to the user are tracked",
  about:
    "In a phase that needs the user's answers (01-requirements), counts the menus shown and the " +
    "selections made, in agents' results and in questions to the user, and writes them to the state file.",
  remedy: "None needed: it never refuses.",
  window: "The workflow.",
  reset: "A new workflow.",
  on: [...after("agent", "ask"), ...at("agent.end")],
  state: { scope: "project", initial: { menus: 0, completed: false } },
  judge(context, phaseContext) {
    const { elicitation } = phaseContext.at;
    if (!phaseContext.workflow || !phaseContext.needs?.elicitation || !elicitation) return;
    const seen = context.state.value;
    if (elicitation.menus === seen.menus && elicitation.completed === seen.completed) return;
    context.state.update(() => ({ menus: elicitation.menus, completed: elicitation.completed }));
    const phase = phaseContext.workflow.phase;
    context.amend(
      phaseContext.paths.file,
      stateEdit((state) => writeElicitation(state, phase, elicitation, context.now)),
    );
    if (!elicitation.completed || seen.completed) return;
    return note(
      `lifecycle/menu-tracker: the questions of ${phase} are finished (${elicitation.final ?? "saved"}); ` +
        "interlock lifecycle next says what its gate still needs.",
    );
  },
});
