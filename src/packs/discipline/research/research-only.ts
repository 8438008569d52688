// A prompt that asks to investigate allows no changes.
// Invariant: it holds until the user asks for a change or says yes to one.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { describeEdits, editsOf } from "../edits.js";
import { taskMemory } from "../prompts/task-memory.js";

export const researchOnly = gate<undefined, DisciplineOptions>({
  id: "discipline/research-only",
  title: "A prompt to investigate is not a prompt to change",
  about:
    "Refuses changes while the user's latest prompt only asks to investigate, or says that nothing may be " +
    "changed. A prompt to check, read or review something does not forbid the fix. Notes outside the project, " +
    "temporary files and commands whose effects can't be known are fine: to investigate is to try things.",
  remedy: "Report what was found. The user's next prompt says what to change.",
  window: "From that prompt until the user asks for a change or says yes to one.",
  reset: "A prompt that asks for a change, or a plain yes.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall }) {
    if (!recall(taskMemory).handsOff) return;
    const edits = editsOf(facts, config).filter((c) => c.kind !== "unknown");
    if (!edits.length) return;
    return deny({
      what: describeEdits(facts, edits),
      why: "the user asked to investigate, not to change anything",
      next: "report what you found and propose the change; the user's next prompt decides",
    });
  },
});
