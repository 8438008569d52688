// Prompts of the mathematics kit, one per phase.
import type { PhasePrompt } from "./phase-prompt.js";

export const mathPrompts: Readonly<Record<string, PhasePrompt>> = {
  survey: {
    goal: "Find out what Mathlib and the project already have.",
    steps: ["Read only.", "Name the lemmas and definitions that apply and those that look as if they did and do not."],
  },
  specify: {
    goal: "Write the specification in words.",
    steps: [
      "State objects, hypotheses and claims exactly, with the conditions under which each holds.",
      "No Lean yet.",
    ],
  },
  construct: {
    goal: "Write the mathematical construction in words.",
    steps: ["Give definitions, the chain of lemmas and the idea of each proof.", "No Lean yet."],
  },
  formalize: {
    goal: "State the construction in Lean.",
    steps: ["Write definitions and statements; every proof is `sorry`.", "Build; all of it must compile."],
  },
  prove: {
    goal: "Replace each `sorry` by a proof.",
    steps: [
      "Work through the `sorry`s one after another; build after each.",
      "Names and statements stay. Nothing is assumed: no axiom, unsafe, native_decide or admit.",
      "What does not apply goes to the end of DOMAIN_CONTEXT.md.",
      "A statement that is false: write REVISION.md with a line `restart_from: CONSTRUCT` or `FORMALIZE`, and stop.",
    ],
  },
  polish: {
    goal: "Bring the Lean files into Mathlib's style.",
    steps: [
      "Module and doc comments, lines of at most 100 columns, layout.",
      "Statements and proofs stay as they are.",
    ],
  },
  audit: {
    goal: "Check the result as a stranger would.",
    steps: [
      "Compare statements with the specification; count `sorry` and axioms; build from what is there.",
      "Write the report to CONSTRUCTION_LOG.md.",
      "If something must change: REVISION.md with a line `restart_from: CONSTRUCT` or `FORMALIZE`.",
    ],
  },
  log: {
    goal: "Record the construction.",
    steps: ["Update CONSTRUCTION_LOG.md and the status in CONSTRUCTIONS.md.", "Commit what was made."],
  },
};
