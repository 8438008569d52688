// Limits the length of files: a warning above 500 lines, a refusal above 800 when the call makes the file longer.
// Invariant: the step it names can be done with a file of this kind; a file that is too long already can be worked on.
import { basename, extname } from "node:path";
import type { EditFact } from "../../../facts/edit.js";
import type { Facts } from "../../../facts/index.js";
import { before, gate } from "../../../model/gate.js";
import { deny, note } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";

/** Lines one call may add to a file that is too long already: splitting it is a task of its own. */
const smallGrowth = 60;
/** Lines one call may add to a file that stands at the limit: a missing import is no reason to split it now. */
const atLimit = 5;

export const fileSize = gate<{ told: string[] }, DisciplineOptions>({
  id: "discipline/file-size",
  title: "Files stay small",
  about:
    "Counts the lines a Write, an Edit (all replacements included) or a here-document would leave in a " +
    "file. Above `fileSize.refuse` (800; other limits by extension) a call that makes the file longer is " +
    "refused (test files: twice as many); above `fileSize.warn` (500) the agent " +
    "is warned. A file that is too long already may grow by " +
    "60 lines in a call, one at the limit by five, with one note. Making a long file shorter always passes.",
  remedy: "Put the new part in a file of its own, as the message says for this kind of file.",
  window: "The note comes once per file and session.",
  reset: "A new session.",
  on: before("edit", "write", "notebook", "shell"),
  onError: "pass",
  state: { scope: "session", initial: { told: [] } },
  judge({ facts, config, event, state }) {
    const edit = event.tool!.kind === "shell" ? hereDocument(facts) : facts.edit;
    if (!edit || edit.after === undefined) return;
    const shown = facts.targets[0]?.given ?? facts.changes[0]?.shown ?? edit.path;
    const lines = linesOf(edit.after);
    const before = linesOf(edit.before ?? "");
    if (lines <= before) return;
    const { warn, refuse, byExtension } = config.fileSize;
    const extension = extname(edit.path).slice(1).toLowerCase();
    const own = byExtension[extension];
    const limit = own ?? (isTestFile.test(edit.path) ? 2 * refuse : refuse);
    if (lines > limit && lines - before <= (before > limit ? smallGrowth : atLimit)) {
      if (state.value.told.includes(edit.path)) return;
      state.update((s) => void (s.told = [...s.told, edit.path].slice(-100)));
      return note(
        `${shown} has ${lines} lines, more than ${limit}. Small changes pass; put larger parts in a new file.`,
      );
    }
    if (lines > limit)
      return deny({
        joins: true,
        what: `${event.tool!.name} ${shown}`,
        why: `the file would have ${lines} lines, the limit is ${limit}`,
        next: splitStep(edit.path, extension, before > limit),
      });
    if (own === undefined && lines > warn && before <= warn)
      return note(`${shown} now has ${lines} lines; ${limit} is the limit. Consider splitting it.`);
  },
});

/** Tests are lists of cases; they may be twice as long. */
const isTestFile = /(?:_test|[._-](?:test|spec))\.\w+$/;

const styles = new Set(["css", "scss", "sass", "less", "styl"]);
const data = new Set([
  "json",
  "jsonc",
  "yaml",
  "yml",
  "toml",
  "xml",
  "plist",
  "csv",
  "tsv",
  "html",
  "svg",
  "lock",
  "arb",
  "po",
]);

/** What can be done about it with a file of this kind. */
function splitStep(path: string, extension: string, already: boolean): string {
  const stem = basename(path, extname(path)).replace(/_test$|[.-](?:test|spec)$/, "");
  const beside = `a new file beside it, such as ${basename(path).replace(stem, `${stem}-more`)}`;
  if (data.has(extension))
    return (
      "write the new part to a second file where what reads it takes several; if it takes only one, ask the user to " +
      `raise packs.discipline.fileSize.byExtension.${extension} in interlock.yaml`
    );
  if (styles.has(extension)) return `put the new rules in ${beside}, and load it with @import or a second link`;
  const rest = already ? `; at most ${smallGrowth} lines of it may stay here` : "";
  return `put the new part in a file of its own and import it: ${beside}${rest}`;
}

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
