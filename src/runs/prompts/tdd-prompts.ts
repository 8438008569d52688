// Prompts of the tdd kit, one per phase.
import type { PhasePrompt } from "./phase-prompt.js";

export const tddPrompts: Readonly<Record<string, PhasePrompt>> = {
  red: {
    goal: "Write failing tests for the specification.",
    steps: [
      "Read the specification and the code it is about.",
      "Write tests for its behaviour: the usual case, the edges, the errors. Be the author the code is afraid of.",
      "No stubs, no assertion that can't fail, no skipped test.",
      "Run the tests. They must fail, and for the right reason: the behaviour is missing.",
    ],
  },
  green: {
    goal: "Make the tests pass with the least code.",
    steps: [
      "Read the failing tests; they are the specification.",
      "Write the minimum of code that makes them pass. No new tests.",
      "Run the tests until all of them pass.",
      "A test that is wrong stays as it is: say which and why in the capsule.",
    ],
  },
  refactor: {
    goal: "Put the code in order without changing what it does.",
    steps: [
      "Remove duplication, name things well, shorten.",
      "Tests may be tidied. No assertion is weakened, deleted or skipped.",
      "Run the tests after each step. They pass at the end.",
    ],
  },
  breadcrumbs: {
    goal: "Leave what the next session must know.",
    steps: [
      "Update CLAUDE.md, AGENTS.md, LAST_TOUCH.md and README.md files where they are out of date.",
      "Counts come from a test run you made, not from memory.",
    ],
  },
};
