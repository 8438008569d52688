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
    "changed. Notes outside the project and temporary files are fine.",
  remedy: "Report what was found. The user's next prompt says what to change.",
  window: "From that prompt until the user asks for a change or says yes to one.",
  reset: "A prompt that asks for a change, or a plain yes.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall }) {
    if (recall(taskMemory).latest !== "research-only") return;
    const edits = editsOf(facts, config);
    if (!edits.length) return;
    return deny({
      what: describeEdits(facts, edits),
      why: "the user asked to investigate, not to change anything",
      next: "report what you found and propose the change; the user's next prompt decides",
    });
  },
});
