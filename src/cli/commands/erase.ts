// interlock erase: removes texts (prompts, outputs, commands) and kept work; the records and their chain stay.
// Invariant: a person asks for it; what was removed where is printed, and never the text itself.
import { lstatSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type ErasedEverywhere, eraseEverywhere } from "../../engine/erase-everywhere.js";
import { notesFolder } from "../../engine/unrecorded-notes.js";
import { spoolFolder } from "../../hook/spool-protocol.js";
import { counted } from "../../model/text.js";
import type { Erasure } from "../../store/index.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { confirm, notDone, person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { withProgress } from "../lib/progress.js";
import { say } from "../lib/wrap.js";

export const usage = `Usage: interlock erase --before <when> | --session <id> | --matching <text> | --project
                       [--dry-run] [--yes] [--json]

Removes what Interlock keeps of prompts, outputs, commands and files: texts beside the ledger, words the state refers
to, the state of sessions, kept work, looks at the work tree, the server's log and spool. The records stay, and
\`interlock verify\` still passes. What is given together must all hold.

  --before    now, a date or a number of days, such as 2026-01-31 or 90d
  --session   only this session
  --matching  only what holds this text, as it is or in lower case
  --project   everything kept for this project
  --dry-run   count, remove nothing
  --yes       do not ask; needed where there is no terminal
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(
    args,
    {
      before: "text",
      session: "text",
      matching: "text",
      project: "flag",
      "dry-run": "flag",
      yes: "flag",
      json: "flag",
      cwd: "text",
      home: "text",
    },
    usage,
  );
  const before = values.before === undefined ? undefined : moment(values.before);
  const named = before ?? values.session ?? values.matching ?? values.project;
  if (named === undefined || (values.before !== undefined && !before))
    throw new UsageError(`say what: --before 2026-01-31, --before 90d, --session, --matching or --project\n${usage}`);
  if (values.matching !== undefined && values.matching.length < 3)
    throw new UsageError(`--matching takes at least three characters\n${usage}`);
  const dryRun = values["dry-run"] === true;
  if (person(values.json, "script") === undefined) return 1;
  if (!dryRun && !(await confirm(`Erase ${inWords(values, before)}? It can't be brought back.`, values.yes)))
    return notDone(values.json);
  const { store, folder, repository, home } = await openHere(values);
  const what: Erasure = {
    ...(before && { before }),
    ...(values.session !== undefined && { session: values.session }),
    ...(values.matching !== undefined && { matching: formsOf(values.matching) }),
    dryRun,
  };
  const erased = await withProgress("erasing", () => eraseEverywhere({ store, folder, root: repository.root }, what));
  const whole = values.session === undefined && values.matching === undefined;
  const logs = whole ? eraseServerFiles(home, before, dryRun) : 0;
  if (values.json) printJson({ ...erased, logs, dryRun, ...(before && { before: before.toISOString() }) });
  else for (const line of linesOf(erased, logs, dryRun)) say(line);
  return 0;
}

function inWords(values: { session?: string; matching?: string }, before: Date | undefined): string {
  const parts = [
    before && `what is from before ${before.toISOString()}`,
    values.session !== undefined && "of that session",
    values.matching !== undefined && "that holds that text",
  ].filter(Boolean);
  return parts.length ? `the texts kept here, ${parts.join(", ")}` : "every text and all work kept for this project";
}

function linesOf(erased: ErasedEverywhere, logs: number, dryRun: boolean): string[] {
  const { texts, words, slices, work, looks, bytes } = erased;
  const rows: [n: number, one: string, about: string][] = [
    [texts, "text", ` beside the ledger (${counted(bytes, "byte")})`],
    [words, "word", " the state refers to"],
    [slices, "slice", " of session state, in the snapshot and its copy"],
    [work.length, "piece", " of kept work"],
    [looks, "look", " at the work tree"],
    [logs, "file", " of the server and of hooks (log, spool, notes)"],
  ];
  const found = rows.filter(([n]) => n > 0).map(([n, one, about]) => `  ${counted(n, one)}${about}`);
  if (!found.length) return ["Nothing of the kind is kept."];
  return [dryRun ? "Would erase:" : "Erased; the chain is whole:", ...found];
}

/** The server's log names no text of a call; a caller that was killed may have left its request. */
function eraseServerFiles(home: string, before: Date | undefined, dryRun: boolean): number {
  const spool = spoolFolder(home);
  let count = 0;
  for (const name of namesIn(spool)) {
    const path = join(spool, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!/\.[qaw]$/.test(name) || !stat?.isFile() || Date.now() - stat.mtimeMs < 60_000) continue;
    count++;
    if (!dryRun) rmSync(path, { force: true });
  }
  for (const name of namesIn(notesFolder(home))) {
    count++;
    if (!dryRun) rmSync(join(notesFolder(home), name), { force: true });
  }
  const log = join(home, "server", "log");
  const stat = lstatSync(log, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size > 0 && (!before || stat.birthtimeMs < before.getTime())) {
    count++;
    if (!dryRun) truncateSync(log);
  }
  return count;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no server ran here
  }
}

/** As typed, in lower case, url-encoded and as JSON has it. */
function formsOf(text: string): string[] {
  const forms = [text, text.toLowerCase()];
  return [...new Set(forms.flatMap((one) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)]))];
}

function moment(text: string): Date | undefined {
  if (text === "now") return new Date(Date.now() + 1);
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days) return new Date(Date.now() - Number(days) * 86_400_000);
  return /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined;
}
