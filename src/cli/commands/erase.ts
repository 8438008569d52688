// interlock erase: removes the texts (prompts, outputs) of old records; the records and their chain stay.
import { parseOptions, UsageError } from "../lib/args.js";
import { confirm, notDone, person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { withProgress } from "../lib/progress.js";

export const usage = `Usage: interlock erase --before <when> [--yes] [--json]

  --before  a date or a number of days, such as 2026-01-31 or 90d
  --yes     do not ask; needed where there is no terminal
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(
    args,
    { before: "text", yes: "flag", json: "flag", cwd: "text", home: "text" },
    usage,
  );
  const before = moment(values.before ?? "");
  if (!before) throw new UsageError(`say up to when: --before 2026-01-31 or --before 90d\n${usage}`);
  if (person(values.json, "script") === undefined) return 1;
  const question = `Erase the texts of all records from before ${before.toISOString()}? They can't be brought back.`;
  if (!(await confirm(question, values.yes))) return notDone(values.json);
  const { store } = await openHere(values);
  const erased = await withProgress("erasing texts", () => store.eraseTexts(before));
  if (values.json) printJson({ erased, before: before.toISOString() });
  else
    console.log(
      `${erased} text${erased === 1 ? "" : "s"} from before ${before.toISOString()} erased; the chain is whole.`,
    );
  return 0;
}

function moment(text: string): Date | undefined {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days) return new Date(Date.now() - Number(days) * 86_400_000);
  return /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined;
}
