// With `research.strict`: lines are edited only after they were read in their current form.
import { before, gate } from "../../../model/gate.js";
import { sha256 } from "../../../model/sha256.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { editsOf } from "../edits.js";
import { readsMemory } from "./reads-memory.js";

export const readFirst = gate<undefined, DisciplineOptions>({
  id: "discipline/read-first",
  title: "Lines are read before they are edited",
  about:
    "With `research.strict`, refuses an edit of lines this agent has not seen (by reading them or in " +
    "search results), or of a file that changed since. A shell command that writes into a file needs the " +
    "file seen first. New files are free.",
  remedy: "Read the lines the message names.",
  window: "Per agent and session, until something else changes the file.",
  reset: "Reading the file.",
  on: before("edit", "write", "notebook", "shell"),
  onError: "pass",
  judge({ facts, config, recall, project, event }) {
    if (!config.research.strict) return;
    const { files } = recall(readsMemory);
    /** The current file, under this name or the one it had when it was read. */
    const seen = (path: string, hash: string) => files[path] ?? Object.values(files).find((f) => f.hash === hash);
    if (event.tool!.kind === "shell") {
      const unread = editsOf(facts, config).find((c) => {
        if (c.kind !== "write" || c.path === undefined || c.broad || c.by === "git") return false;
        const text = project.read(c.path);
        return text !== undefined && text !== "" && !seen(c.path, hashOf(text));
      });
      return (
        unread &&
        deny({
          joins: true,
          what: `change ${unread.shown}`,
          why: "this file was not read",
          next: `read ${unread.shown}`,
        })
      );
    }
    const edit = facts.edit;
    if (!edit || edit.before === undefined || edit.before === "") return;
    const hash = hashOf(project.read(edit.path) ?? "");
    const known = seen(edit.path, hash);
    const what = `${event.tool!.name} ${facts.targets[0]?.given ?? edit.path}`;
    const given = facts.targets[0]?.given ?? edit.path;
    if (!known) return deny({ joins: true, what, why: "this file was not read", next: `read ${given}` });
    if (known.hash !== hash)
      return deny({ joins: true, what, why: "the file changed since it was read", next: `read ${given} again` });
    for (const [from, to] of editedLines(edit.before, event.tool!.edits))
      if (!known.lines.some(([a, b]) => a <= from && to <= b))
        return deny({
          joins: true,
          what,
          why: `lines ${from}-${to} were not read`,
          next: `read ${given} from line ${from} to ${to}`,
        });
  },
});

const hashOf = (text: string): string => sha256(text).slice(0, 16);

/** The lines of the old text that the edits touch; a whole write touches all of them. */
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
