// Makes a planned change of interlock.yaml: shows it, checks it, writes it, and says what is in force then.
// Invariant: an agent may not change what governs it; an invalid or ignored change is an error and not written.
import { unifiedDiff } from "../../hosts/claude-code/settings/diff.js";
import { person } from "./confirm.js";
import { printJson } from "./current-project.js";
import { applyConfigEdit, type ConfigEdit } from "./edit-config.js";
import { dim, green, red } from "./paint.js";
import { say, sayError, wrapLine } from "./wrap.js";

/** Options of every command that changes interlock.yaml. */
export const changeOptions = {
  user: "flag",
  "dry-run": "flag",
  json: "flag",
  cwd: "text",
  home: "text",
} as const;

export const changeUsage = `
  --user     change your own interlock.yaml, for all projects; without it, this project's
  --dry-run  show the change and write nothing
`;

export function changeConfig(edit: ConfigEdit, values: { json?: boolean; "dry-run"?: boolean }, done: string): number {
  const { file, before, after, problems, ignored } = edit;
  const nothing = before === after;
  const why = problems[0] ?? (ignored[0] && unheard(edit));
  if (why !== undefined) {
    if (values.json) printJson({ applied: false, file, problems, ignored });
    sayError(red(wrapLine(`interlock: ${why}`, 2)));
    return 1;
  }
  if (!nothing && !values["dry-run"]) {
    if (person(values.json, "script") === undefined) return 1;
    applyConfigEdit(edit);
  }
  const difference = before === undefined ? after : unifiedDiff(before, after, file).split("\n").slice(2).join("\n");
  if (values.json) printJson({ applied: !nothing && !values["dry-run"], file, nothingToDo: nothing, diff: difference });
  else if (nothing) say(`Nothing to do: ${file} says that already.`);
  else {
    if (values["dry-run"]) console.log(difference.trimEnd());
    else say(green(done), 2);
    say(dim(values["dry-run"] ? "Nothing was written (--dry-run)." : `${made(edit)} ${file}`), 2);
  }
  return 0;
}

const made = ({ before }: ConfigEdit): string => (before === undefined ? "made" : "changed");

function unheard({ ignored: [first] }: ConfigEdit): string {
  const { path, kept, refused } = first!;
  return (
    `${path} would stay ${JSON.stringify(kept)}: a project's file may only tighten what you have set, and ` +
    `${JSON.stringify(refused)} is looser. For your own file: the same command with --user`
  );
}
