// Files stay readable: told above 500 lines of the result, refused above 800 where the call makes it longer.
import { extname } from "node:path";
import { before, gate } from "../../engine/gate.js";
import { deny, note } from "../../engine/verdict.js";
import type { Options } from "./options.js";

export const fileSize = gate<undefined, Options>({
  id: "discipline/file-size",
  title: "Files stay small",
  about:
    "Counts the lines a Write or Edit would leave (all replacements counted). Above `fileSize.refuse` (800; other limits by extension) a call that makes the file longer is refused; above `fileSize.warn` (500) it is told. Making a long file shorter always passes.",
  remedy: "Split the file: put the new part in a file of its own.",
  on: before("edit", "write", "notebook"),
  onError: "pass",
  judge({ facts, config, event }) {
    const edit = facts.edit;
    if (!edit || edit.after === undefined) return;
    const lines = linesOf(edit.after);
    const before = linesOf(edit.before ?? "");
    if (lines <= before) return;
    const { warn, refuse, byExtension } = config.fileSize;
    const own = byExtension[extname(edit.path).slice(1).toLowerCase()];
    const limit = own ?? refuse;
    const what = `${event.tool!.name} ${facts.targets[0]?.given ?? edit.path}`;
    if (lines > limit)
      return deny({
        what,
        why: `the file would have ${lines} lines, the limit is ${limit}`,
        next: "put the new part in a file of its own and import it",
      });
    if (own === undefined && lines > warn && before <= warn)
      return note(`${facts.targets[0]?.given} now has ${lines} lines; ${limit} is the limit. Consider splitting it.`);
  },
});

const linesOf = (text: string): number => (text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
