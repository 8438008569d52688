// Limits the length of files: a warning above 500 lines, a refusal above 800 when the call makes the file longer.
import { extname } from "node:path";
import type { EditFact } from "../../../facts/edit.js";
import type { Facts } from "../../../facts/index.js";
import { before, gate } from "../../../model/gate.js";
import { deny, note } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";

export const fileSize = gate<undefined, DisciplineOptions>({
  id: "discipline/file-size",
  title: "Files stay small",
  about:
    "Counts the lines a Write, an Edit (all replacements included) or a here-document would leave in a " +
    "file. Above `fileSize.refuse` (800; other limits by extension) a call that makes the file longer is " +
    "refused; above `fileSize.warn` (500) the agent is warned. Making a long file shorter always passes.",
  remedy: "Split the file: put the new part in a file of its own.",
  on: before("edit", "write", "notebook", "shell"),
  onError: "pass",
  judge({ facts, config, event }) {
    const edit = event.tool!.kind === "shell" ? hereDocument(facts) : facts.edit;
    if (!edit || edit.after === undefined) return;
    const shown = facts.targets[0]?.given ?? facts.changes[0]?.shown ?? edit.path;
    const lines = linesOf(edit.after);
    const before = linesOf(edit.before ?? "");
    if (lines <= before) return;
    const { warn, refuse, byExtension } = config.fileSize;
    const own = byExtension[extname(edit.path).slice(1).toLowerCase()];
    const limit = own ?? refuse;
    const what = `${event.tool!.name} ${shown}`;
    if (lines > limit)
      return deny({
        what,
        why: `the file would have ${lines} lines, the limit is ${limit}`,
        next: "put the new part in a file of its own and import it",
      });
    if (own === undefined && lines > warn && before <= warn)
      return note(`${shown} now has ${lines} lines; ${limit} is the limit. Consider splitting it.`);
  },
});

/** A command with one here-document and one written file: the text replaces the file or is appended to it. */
function hereDocument(facts: Facts): Pick<EditFact, "path" | "before" | "after"> | undefined {
  const command = facts.event.tool!.command ?? "";
  if (!command.includes("<<")) return undefined;
  const bodies = [...command.matchAll(/<<-?\s*(['"]?)(\w+)\1[^\n]*\n([^]*?)^\s*\2$/gm)];
  const written = facts.changes.filter((c) => c.kind === "write" && c.below !== undefined);
  const path = written[0]?.path;
  if (bodies.length !== 1 || written.length !== 1 || path === undefined) return undefined;
  const before = facts.world.project.read(path) ?? "";
  const body = bodies[0]![3]!;
  const appended = /(?<![<>])>>(?!>)|\btee\s+-a\b/.test(command.slice(0, command.indexOf("\n")));
  return { path, before: appended ? before : "", after: appended ? `${before}${body}` : body };
}

const linesOf = (text: string): number => (text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
