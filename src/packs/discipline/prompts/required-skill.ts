// A skill that the user's words ask for is used before anything is changed by hand.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { describeEdits, editsOf } from "../edits.js";
import { progressMemory } from "../session/progress-memory.js";
import { isSkillOpen } from "./wanted-skills.js";

export const requiredSkill = gate<undefined, DisciplineOptions>({
  id: "discipline/skill",
  title: "A requested skill is used",
  about:
    "When a prompt contains the words of a configured skill, refuses changes until the skill was invoked " +
    "and has started the sub-agents it needs. Words that decline the skill, quote it or only ask about it " +
    "do not count. A skill, or its agents, that fails to start twice in a row is given up.",
  remedy: "Invoke the skill and let it start its sub-agents.",
  window: "The task.",
  reset: "A new task, or a new prompt with other words.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall }) {
    const wanted = recall(progressMemory).skills?.find(isSkillOpen);
    if (!wanted) return;
    const edits = editsOf(facts, config);
    if (!edits.length) return;
    return deny({
      joins: true,
      what: describeEdits(facts, edits),
      why: wanted.used
        ? `the skill ${wanted.name} has started ${wanted.agents} of ${wanted.wanted} sub-agents`
        : `the prompt asks for the skill ${wanted.name}`,
      next: wanted.used ? "start the remaining sub-agents" : `invoke the skill ${wanted.name}`,
    });
  },
});
