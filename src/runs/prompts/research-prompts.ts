// Prompts of the research kit, one per phase.
import type { PhasePrompt } from "./phase-prompt.js";

export const researchPrompts: Readonly<Record<string, PhasePrompt>> = {
  survey: {
    goal: "Find out what is known about the question.",
    steps: [
      "Stay with the question as it was asked, word for word.",
      "Look at the project's earlier results and log first, then at what others found.",
      "Write down what is known, what is open, and which experiment would tell.",
    ],
  },
  frame: {
    goal: "Design the experiment.",
    steps: [
      "Write the spec with these sections: Hypothesis, Independent Variables, Controls, Metrics (Primary: at most 2),",
      "  Baselines, Success Criteria, Minimum Viable Experiment, Full Protocol, Resource Budget (Tier: Quick, Standard",
      "  or Heavy), Abort Criteria, Confounds.",
      "The hypothesis can be refuted: it names a direction and a size. The success criteria are yes or no.",
    ],
  },
  run: {
    goal: "Run the experiment as the spec says.",
    steps: [
      "Build the minimum viable experiment first; go on only if its sanity checks hold.",
      "Follow the abort criteria.",
      "Write metrics.json into the results folder: experiment, timestamp, baseline, treatment, per_seed,",
      "  sanity_checks, resource_usage (gpu_hours, wall_clock_seconds, total_training_steps, total_runs),",
      "  abort_triggered, abort_reason, notes. Draw no conclusion.",
    ],
  },
  read: {
    goal: "Say what the results mean.",
    steps: [
      "Read the spec and metrics.json; address every metric by name.",
      'Write analysis.md with one line "## Verdict: CONFIRMED", "REFUTED" or "INCONCLUSIVE", by the success criteria.',
      "Work that another experiment depends on goes to HANDOFF.md: # Handoff: title, Date, Reason, What Is Needed,",
      "  After Resolution.",
    ],
  },
  log: {
    goal: "Record the experiment.",
    steps: [
      "Add an entry to RESEARCH_LOG.md: experiment, verdict, numbers, what was learned.",
      "Update the status of its question in QUESTIONS.md.",
    ],
  },
  synthesize: {
    goal: "Bring together what all experiments say.",
    steps: [
      "Read RESEARCH_LOG.md, QUESTIONS.md and the analyses.",
      "Write SYNTHESIS.md: what is established, what is refuted, what is open, what to do next.",
    ],
  },
};
