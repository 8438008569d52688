// Refuses every change while safemode is on.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { changesIn, describeEdits } from "../edits.js";
import { safemodeMemory as memory } from "./safemode-memory.js";

export const safemode = gate<undefined, DisciplineOptions>({
  id: "discipline/safemode",
  title: "Safemode: nothing is changed",
  about:
    "While safemode is on, refuses every edit, changing shell command, commit, push and MCP write in the " +
    "project. Reading, questions and research stay open.",
  remedy: "The user types `s-` as a whole prompt or runs `interlock discipline safemode off`.",
  window: "From `s+` until `s-`, for all sessions of the project.",
  reset: "`s-`",
  on: before(),
  onError: "deny",
  judge({ facts, config, recall }) {
    if (!recall(memory).on) return;
    const edits = [
      ...changesIn(facts, config),
      ...facts.changes.filter((c) => c.kind === "commit" || c.kind === "push"),
    ];
    if (!edits.length) return;
    return deny({
      what: describeEdits(facts, edits),
      why: "the user has switched safemode on: nothing may be changed",
      next: "go on reading and answering; when a change is needed, ask the user to type `s-`",
    });
  },
});
