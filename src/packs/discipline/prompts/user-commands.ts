// Answers a person's typed commands. The memories have already carried the command out; this reports the result.
// Invariant: only a person's prompt that is exactly a command counts; a machine's prompt or a longer text never does.

import type { CommandName } from "../../../facts/typed-commands.js";
import { at, gate } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import { failuresMemory } from "../breaker/failures-memory.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { loopMemory } from "../loop/loop-memory.js";
import { type PlanState, planMemory } from "../plan/plan-memory.js";
import { researchMemory } from "../research/research-memory.js";
import { researchStatus } from "../research/research-status.js";
import {
  breakerReport,
  commandList,
  loopReport,
  planReport,
  researchReport,
  safemodeReport,
} from "../state-reports.js";
import { safemodeMemory } from "./safemode-memory.js";
import { taskMemory } from "./task-memory.js";

/** A yes that the transcript has yet to prove: acknowledged where a plan waits for it, and nowhere else. */
function heardYes({ required, shown, approved }: Readonly<PlanState>, typed: boolean) {
  if (!required || approved || (!shown && !typed))
    return typed ? note("Interlock: no plan waits for approval.", "both") : undefined;
  return [
    note("Interlock: the plan counts as approved from the agent's next step on.", "person"),
    note("The user approved the plan. Go on with it."),
  ];
}

export const commandAnswers = gate<undefined, DisciplineOptions>({
  id: "discipline/commands",
  title: "Typed commands of the user",
  about:
    "A prompt that is exactly one of the short commands (`s+`, `rb-`, `research`, ...) is carried out and " +
    "answered. `reset?` lists the commands.",
  remedy: "Nothing is refused. In a terminal the same commands are `interlock discipline ...`.",
  on: at("prompt"),
  onError: "pass",
  judge({ facts, event, config, recall, project, now }) {
    const command = facts.prompt?.command;
    const { claimed } = facts;
    if (claimed?.approves || claimed?.command === "plan.approve")
      return facts.provenance.nested ? undefined : heardYes(recall(planMemory), claimed.command !== undefined);
    if (!command) return;
    const says: Record<CommandName, () => string> = {
      "safemode.on": () => safemodeReport(recall(safemodeMemory), now),
      "safemode.off": () => safemodeReport(recall(safemodeMemory), now),
      "safemode.status": () => safemodeReport(recall(safemodeMemory), now),
      "breaker.reset": () => `The breaker is reset. ${breakerReport(facts.unmasked(recall(failuresMemory)), now)}`,
      "breaker.status": () => breakerReport(facts.unmasked(recall(failuresMemory)), now),
      "research.status": () =>
        researchReport(researchStatus(recall(researchMemory), recall(taskMemory).id, event, config, project)),
      "research.reset": () => "Research is asked for again before the next change.",
      "plan.approve": () =>
        recall(planMemory).required ? planReport(recall(planMemory)) : "no plan waits for approval.",
      "plan.withdraw": () => planReport(recall(planMemory)),
      "plan.status": () => planReport(recall(planMemory)),
      "loop.start": () => loopReport(facts.unmasked(recall(loopMemory)), now),
      "loop.stop": () => loopReport(facts.unmasked(recall(loopMemory)), now),
      "loop.status": () => loopReport(facts.unmasked(recall(loopMemory)), now),
      "blocks.reset": () => "Repeated refusals are forgotten; the gates themselves hold.",
      help: () => `Commands, each as a whole prompt:\n${commandList()}`,
    };
    const text = says[command]();
    return [
      note(`Interlock: ${text}`, "person"),
      note(
        `The user's prompt was a command to Interlock, already carried out. ${text}\nAcknowledge in one ` +
          `line; ${command === "plan.approve" ? "then go on with the plan" : "do nothing else"}.`,
      ),
    ];
  },
});
