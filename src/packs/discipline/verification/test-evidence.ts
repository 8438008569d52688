// Compares each test run with the one before: fewer tests or more skipped ones are reported.
import { after, failed, gate } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { workMemory } from "./work-memory.js";

export const testEvidence = gate<undefined, DisciplineOptions>({
  id: "discipline/evidence",
  title: "Test runs are compared",
  about:
    "After a test run, reports fewer tests or more skipped tests than in the last run of the same " +
    "command, and runs that prove nothing (hidden exit code, no tests).",
  remedy: "Nothing is refused. Run the tests on their own, and explain in the summary why there are fewer.",
  window: "The last 20 runs of the session.",
  reset: "A new session.",
  on: [...after("shell"), ...failed("shell")],
  onError: "pass",
  judge({ facts, recall }) {
    const { run } = facts;
    if (run?.level !== "test") return;
    const { runs } = recall(workMemory);
    const before = runs
      .slice(0, -1)
      .findLast((r) => r.command === facts.keep(run.command.slice(0, 120)) && r.collected !== undefined);
    const notes = [];
    if (run.ok === undefined && run.why) notes.push(note(`This run is not evidence: ${run.why}.`));
    if (before && run.counts) {
      const fewer = before.collected! - run.counts.collected;
      const skipped = run.counts.skipped - (before.skipped ?? 0);
      if (fewer > 0)
        notes.push(
          note(
            `${fewer} fewer tests were collected than in the run before (${before.collected} -> ` +
              `${run.counts.collected}).`,
            "both",
          ),
        );
      if (skipped > 0)
        notes.push(
          note(
            `${skipped} more tests are skipped than in the run before (${before.skipped ?? 0} -> ` +
              `${run.counts.skipped}).`,
            "both",
          ),
        );
    }
    return notes;
  },
});
