// The strict local rule: what is edited was read, and was read as it is now. Only where `research.strict` is on.
import { before, gate } from "../../engine/gate.js";
import { deny } from "../../engine/verdict.js";
import { sha256 } from "../../files/hash.js";
import { reads } from "./memory/reads.js";
import type { Options } from "./options.js";

export const readFirst = gate<undefined, Options>({
  id: "discipline/read-first",
  title: "Edited lines were read",
  about:
    "With `research.strict`, refuses an edit of lines this agent has not seen (reading them, or seeing them in search results), or of a file that changed since it was seen. New files are free.",
  remedy: "Read the named lines of the file.",
  window: "The session, per agent, until the file changes by other hands.",
  reset: "Reading the file.",
  on: before("edit", "write", "notebook"),
  onError: "pass",
  judge({ facts, config, recall, project, event }) {
    if (!config.research.strict) return;
    const edit = facts.edit;
    if (!edit || edit.before === undefined || edit.before === "") return;
    const known = recall(reads).files[edit.path];
    const what = `${event.tool!.name} ${facts.targets[0]?.given ?? edit.path}`;
    const given = facts.targets[0]?.given ?? edit.path;
    if (!known) return deny({ what, why: "this file was not read", next: `read ${given}` });
    if (known.hash !== sha256(project.read(edit.path) ?? "").slice(0, 16))
      return deny({ what, why: "the file changed since it was read", next: `read ${given} again` });
    for (const [from, to] of editedLines(edit.before, event.tool!.edits))
      if (!known.lines.some(([a, b]) => a <= from && to <= b))
        return deny({
          what,
          why: `lines ${from}-${to} were not read`,
          next: `read ${given} from line ${from} to ${to}`,
        });
  },
});

/** The lines of the old text that edits touch; a whole write touches all. */
function editedLines(before: string, edits: readonly { old: string; all: boolean }[] | undefined): [number, number][] {
  if (!edits) return [[1, before.split("\n").length]];
  return edits.flatMap(({ old, all }) => {
    const spans: [number, number][] = [];
    if (old === "") return spans;
    for (let at = before.indexOf(old); at >= 0; at = before.indexOf(old, at + old.length)) {
      const from = before.slice(0, at).split("\n").length;
      spans.push([from, from + old.replace(/\n$/, "").split("\n").length - 1]);
      if (!all) break;
    }
    return spans;
  });
}
