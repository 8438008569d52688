// What the commands of `interlock intent` have in common: options, the project, answers, changes by a person.
// Invariant: a file with a problem is named with its line and never changed.
import { type EditedIntents, problemLine } from "../../../intents/document.js";
import { findIntent, type Intent } from "../../../intents/intent.js";
import { readIntents } from "../../../intents/read-intents.js";
import type { JsonObject } from "../../../model/json.js";
import type { IntentOptions } from "../../../packs/intent/intent-options.js";
import { type parseOptions, UsageError } from "../args.js";
import { person } from "../confirm.js";
import { type openHere, printJson } from "../current-project.js";
import { red, shown } from "../paint.js";
import { say, sayError } from "../wrap.js";
import { changeIntents } from "./intent-store.js";

export const intentUsage = `Usage: interlock intent <command> [options] [--json]

  add "<what for>" --scope <pattern>   a new intent; --scope, --criterion and --constraint may be repeated
      [--id <id>] [--any] [--criterion <text>] [--constraint <text>] [--parent <id>] [--approval person] [--start]
  list                                 all intents, their scope, and who works on them
  show <id>                            one intent: scope, criteria, constraints, last changes
  select <id> [--session <id>]         work on it; by a person for one session or for all of them
  select --none [--session <id>]       work on nothing
  approve <id>                         PENDING or BLOCKED becomes IN_PROGRESS
  complete <id> [--tick <n>] [--all]   tick acceptance criteria; COMPLETED once all are met
  block <id> --reason <text>           nobody works on it until it is approved again
  archive <id>                         put it away for good
  scope list                           what agents asked for
  scope approve <sr-n> | refuse <sr-n> decide it
  scope add <id> <pattern>...          give an intent more files
  map [<id>]                           files and symbols each intent touched
  history <id> [--limit <n>]           changes made under it, newest first
  import <file> [--dry-run]            spec-kit tasks.md, or gh issue list --json number,title,body,state,labels,url
  accept                               believe the files again after an agent's call changed them
  forget                               this project no longer uses intents: opens the gate after .orchestration is gone

Commands that change something have to be typed in a terminal that is not the agent's; an agent may select.
Patterns are those of .gitignore from the repository's root: src/auth/ or src/auth/**, *.md, !src/auth/keys.ts

Example:
  interlock intent add "Refactor the auth middleware" --scope "src/auth/**" --criterion "unit tests pass"
`;

export const intentSpec = {
  id: "text",
  scope: "texts",
  any: "flag",
  criterion: "texts",
  constraint: "texts",
  parent: "text",
  approval: "text",
  start: "flag",
  session: "text",
  none: "flag",
  tick: "texts",
  all: "flag",
  reason: "text",
  limit: "text",
  "dry-run": "flag",
  json: "flag",
  cwd: "text",
  home: "text",
} as const;
type Values = ReturnType<typeof parseOptions<typeof intentSpec>>["values"];
type OpenedHere = Awaited<ReturnType<typeof openHere>>;

export interface IntentHere {
  values: Values;
  words: string[];
  opened: OpenedHere;
  root: string;
  now: number;
}

export const intentOptionsHere = ({ settings }: OpenedHere) =>
  settings.config.packs["intent"]!.options as unknown as IntentOptions;

/** The intents, or the exit code after saying what is wrong with the file. */
export function loadedIntents({ root, values }: IntentHere) {
  const { set } = readIntents(root);
  if (!set.problem) return set;
  if (values.json) printJson({ problem: set.problem });
  sayError(red(`interlock: ${problemLine(set.problem)}`));
  return undefined;
}

export function namedIntent(here: IntentHere): Intent | number {
  const set = loadedIntents(here);
  if (!set) return 1;
  const id = here.words[0];
  if (id === undefined) throw new UsageError(`say which intent\n${intentUsage}`);
  const intent = findIntent(set, id);
  if (intent) return intent;
  const known = set.intents.map((i) => i.id).join(", ") || "none yet";
  sayError(`interlock: there is no intent "${shown(id, 80)}"; there are: ${known}`);
  return 1;
}

export function answered({ values }: IntentHere, text: string, data: JsonObject): number {
  if (values.json) printJson(data);
  else say(text);
  return 0;
}

export function answerRefusal({ values }: IntentHere, why: string): number {
  if (values.json) printJson({ refused: true, why });
  sayError(red(`interlock: ${why}`));
  return 1;
}

/** A person's change of the file, recorded. */
export function personsChange(
  here: IntentHere,
  body: JsonObject,
  edit: (text: string | undefined) => EditedIntents,
  said: string,
): number {
  const by = person(here.values.json);
  if (by === undefined) return 1;
  const refused = changeIntents(here.opened.store, here.root, { body: { ...body, by }, edit });
  return refused === undefined ? answered(here, said, body) : answerRefusal(here, refused);
}
