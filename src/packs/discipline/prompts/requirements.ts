// What the prompt asked for besides the change is done in time: research before the edit, the commit at the end.

import type { Requirement } from "../../../facts/prompts/prompt.js";
import { at, before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { describeEdits, editsOf } from "../edits.js";
import { researchMemory } from "../research/research-memory.js";
import { researchStatus } from "../research/research-status.js";
import { handsOver } from "../verification/verification.js";
import { isFulfilled, workMemory } from "../verification/work-memory.js";
import { taskMemory } from "./task-memory.js";

export const requirements = gate<undefined, DisciplineOptions>({
  id: "discipline/requirements",
  title: "What the prompt asked for is done",
  about:
    "Research that the prompt asks for is due before the first change (at least local research, whatever " +
    "the mode of the research gate). A commit, a push, tests or documentation are due at the end of the " +
    "turn in which files were changed. A turn that ends with a question to the user passes.",
  remedy: "Do what was asked (the message names it), or end the turn with a question about it.",
  window: "From the prompt to the end of the turn; the engine limits how often an end is refused.",
  reset: "Doing it, or the user's next prompt.",
  on: [...before(), ...at("turn.end")],
  onError: "pass",
  judge({ facts, event, config, recall, project }) {
    const { asks, id, commitFirst } = recall(taskMemory);
    if (!asks.length) return;
    if (event.kind === "tool.before") {
      if (!asks.includes("research")) return;
      const edits = editsOf(facts, config);
      const { done, missing } = researchStatus(recall(researchMemory), id, event, config, project);
      if (!edits.length || done.length || !missing.length) return;
      return deny({
        joins: true,
        what: describeEdits(facts, edits),
        why: "the prompt asks for research first and nothing was researched",
        next: "read the code and documents concerned, then change",
      });
    }
    // An answer to a question is an answer; what else is due waits for the next order.
    if (recall(taskMemory).latest === "question") return;
    const done = recall(workMemory);
    if (!done.edits && !done.commits) return;
    const said = event.turn?.lastMessage ?? "";
    // A commit that git or a hook refused was not forgotten; the user is told of it.
    const reported = done.triedCommit === true && /\bcommit/i.test(said);
    const committed = reported || (commitFirst === true && done.commits > 0);
    const due = asks.filter((a) => !isFulfilled(a, done) && !(a === "commit" && committed));
    if (!due.length || handsOver(said) || event.turn?.backgroundTasks) return;
    return deny({
      what: "the end of the turn",
      why: `the prompt also asked for: ${due.map((d) => names[d]).join(", ")}`,
      next: steps[due[0]!]!,
    });
  },
});

const names: Record<Requirement, string> = {
  plan: "a plan",
  research: "research",
  loop: "a loop",
  commit: "a commit",
  push: "a push",
  tests: "tests",
  docs: "documentation",
};
const steps: Partial<Record<Requirement, string>> = {
  commit: "commit the changes, or ask the user whether to",
  push: "push the commits, or ask the user whether to",
  tests: "write or run the tests that were asked for",
  docs: "update the documentation that was asked for",
};
