// The project's documents are read before its files are changed.

import type { Facts } from "../../../facts/index.js";
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { describeEdits, editsOf, isLayout } from "../edits.js";
import { onlyProse } from "../files/path-forms.js";
import { taskMemory } from "../prompts/task-memory.js";
import { isMessage, sizeWith } from "../research/research-first.js";
import { looksOf, researchMemory } from "../research/research-memory.js";
import { researchNeed } from "../research/research-status.js";
import { standardDiscipline } from "../standard-options.js";
import { type ProgressState, progressMemory } from "./progress-memory.js";
import { documentExists } from "./startup-steps.js";

export const documents = gate<undefined, DisciplineOptions>({
  id: "discipline/documents",
  title: "Project documents are read first",
  about:
    "Refuses the first change of a session while one of the configured `documents` exists (in the project " +
    "or under `~/`), is not empty and was not read in this session. A document counts as read when its " +
    "text was shown or the agent wrote it; naming, counting or listing it does not. The standard list is not " +
    "asked for in a small task, for prose, or once three places of the project " +
    "were looked at. A task that carries out " +
    "a plan approved in the host's plan mode needs none.",
  remedy: "Read the documents the message names.",
  window: "The session; a document read stays read.",
  reset: "A new session.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall, event }) {
    const edits = editsOf(facts, config).filter((c) => !isLayout(c));
    // A plan that a person approved stands for its preparation.
    if (!edits.length || recall(taskMemory).planned) return;
    // They say how the project's files are changed; a message changes none.
    if (isMessage(event)) return;
    // Our own list is a guess at where a project keeps its rules; what the user listed is an order.
    const need = researchNeed(recall(taskMemory), config, { lines: sizeWith(facts, recall), addsPackage: false });
    if (isStandard(config) && need && !need.outside)
      if (onlyProse(edits, facts, config) || looksOf(recall(researchMemory), event) >= need.sources) return;
    const unread = unreadDocuments(config, recall(progressMemory), facts);
    if (!unread.length) return;
    const present = config.documents.filter((d) => documentExists(d, facts)).length;
    return deny({
      joins: true,
      what: describeEdits(facts, edits),
      why: `session documents are unread (${present - unread.length} of ${present} read): ${unread.join(", ")}`,
      next: `read ${unread.join(", then ")}`,
    });
  },
});

const isStandard = ({ documents: wanted }: DisciplineOptions): boolean =>
  wanted.join() === standardDiscipline.documents.join();

export const unreadDocuments = (
  { documents: wanted }: DisciplineOptions,
  done: Readonly<ProgressState>,
  facts: Facts,
): string[] => wanted.filter((d) => !done.read.includes(d) && documentExists(d, facts));
