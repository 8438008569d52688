// Counts the menus shown to the user and the answers given.
import { after, at } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import { writeElicitation } from "../model/write-back.js";
import { phaseGate, writeDown } from "./gate-context.js";

export const menuTracker = phaseGate<{ menus: number; completed: boolean; choices?: number }>({
  id: "lifecycle/menu-tracker",
  title: "Questions to the user are tracked",
  about:
    "In a phase that needs the user's answers (01-requirements), counts the menus shown and the choices made: " +
    "what the user types (`save`, `continue`), answers to the client's questions, and agents' results. Writes " +
    "them to the state file.",
  remedy: "None needed: it never refuses.",
  window: "The workflow.",
  reset: "A new workflow.",
  on: [...after("agent", "ask"), ...at("prompt", "turn.end", "agent.end")],
  state: { scope: "project", initial: { menus: 0, completed: false } },
  judge(context, phaseContext) {
    const { elicitation } = phaseContext.at;
    if (!phaseContext.workflow || !phaseContext.needs?.elicitation || !elicitation) return;
    const seen = context.state.value;
    const choices = elicitation.selections.length;
    const same = elicitation.menus === seen.menus && choices === (seen.choices ?? 0);
    if (same && elicitation.completed === seen.completed) return;
    context.state.update(() => ({ menus: elicitation.menus, completed: elicitation.completed, choices }));
    const phase = phaseContext.workflow.phase;
    writeDown(context, phaseContext, (state) => writeElicitation(state, phase, elicitation, context.now));
    // A word at the end of a turn would make another turn.
    if (!elicitation.completed || seen.completed || context.event.kind === "turn.end") return;
    return note(
      `lifecycle/menu-tracker: the questions of ${phase} are finished (${elicitation.final ?? "saved"}); ` +
        "interlock lifecycle next says what its gate still needs.",
    );
  },
});
