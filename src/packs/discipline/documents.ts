// The project's own instructions are read before its files are changed.
import { before, gate, type Project } from "../../engine/gate.js";
import { deny } from "../../engine/verdict.js";
import { describe, editsOf } from "./edits.js";
import { type SeenState, seen } from "./memory/seen.js";
import type { Options } from "./options.js";

export const documents = gate<undefined, Options>({
  id: "discipline/documents",
  title: "Session documents are read first",
  about:
    "Refuses the first change of a session while one of the configured `documents` exists in the project and was not read in this session.",
  remedy: "Read the named documents.",
  window: "The session; a document read stays read.",
  reset: "A new session.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall, project }) {
    const edits = editsOf(facts, config);
    if (!edits.length) return;
    const unread = unreadDocuments(config, recall(seen), project);
    if (!unread.length) return;
    const present = config.documents.filter((d) => project.exists(d)).length;
    return deny({
      what: describe(facts, edits),
      why: `session documents are unread (${present - unread.length} of ${present} read): ${unread.join(", ")}`,
      next: `read ${unread.join(", then ")}`,
    });
  },
});

export const unreadDocuments = (
  { documents: wanted }: Options,
  done: Readonly<SeenState>,
  project: Project,
): string[] => wanted.filter((d) => !done.read.includes(d) && project.exists(d));
