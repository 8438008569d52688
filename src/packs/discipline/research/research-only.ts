// Asked to look, the agent looks. Invariant: lasts until the person asks for a change or says yes to a proposed one.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { Options } from "../discipline-options.js";
import { describe, editsOf } from "../edits.js";
import { task } from "../prompts/task-memory.js";

export const researchOnly = gate<undefined, Options>({
  id: "discipline/research-only",
  title: "A prompt to investigate is not a prompt to change",
  about:
    "Refuses changes while the person's latest prompt only asks to investigate, or says that nothing is to be changed. Notes outside the project and temporary files are fine.",
  remedy: "Report what was found; the person's next prompt says what to change.",
  window: "From that prompt to the person's next one that asks for a change, or says yes to a proposed one.",
  reset: "A prompt that asks for a change; a whole-prompt yes.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall }) {
    if (recall(task).latest !== "research-only") return;
    const edits = editsOf(facts, config);
    if (!edits.length) return;
    return deny({
      what: describe(facts, edits),
      why: "the user asked to investigate, not to change anything",
      next: "report what you found and propose the change; the user's next prompt decides",
    });
  },
});
