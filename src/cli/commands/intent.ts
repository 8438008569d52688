// interlock intent: what agents may work on, for people; selecting one also for agents.
// Invariant: what grants something needs a person at a terminal of their own, and every change is a record.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { compiledFolder } from "../../intents/compiled-intents.js";
import { contextBlock } from "../../intents/context-block.js";
import {
  addIntentScope,
  addIntents,
  type EditedIntents,
  nextIntentId,
  problemLine,
  setIntentStatus,
  tickCriteria,
} from "../../intents/document.js";
import { importIntents } from "../../intents/import-intents.js";
import { findIntent, type Intent, type IntentStatus, openCriteria, unselectable } from "../../intents/intent.js";
import { ignoredIntents, intentHistory, lessonsIn, readIntents } from "../../intents/read-intents.js";
import type { JsonObject } from "../../model/json.js";
import type { IntentOptions } from "../../packs/intent/intent-options.js";
import { whoAsks } from "../../person/terminal.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import {
  acceptFiles,
  changeIntents,
  decideRequest,
  distrustedIn,
  requestsIn,
  selectionSlice,
  selectionsIn,
} from "../lib/intent-store.js";
import { historyLine, intentDetails, intentLines, requestLine } from "../lib/intent-views.js";
import { green, red, shown } from "../lib/paint.js";
import { countOption } from "../lib/runs-here.js";

export const usage = `Usage: interlock intent <command> [options] [--json]

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

const spec = {
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
type Values = ReturnType<typeof parseOptions<typeof spec>>["values"];
type Opened = Awaited<ReturnType<typeof openHere>>;

interface Here {
  values: Values;
  words: string[];
  opened: Opened;
  root: string;
  now: number;
}

const commands: Record<string, { words: number; run(here: Here): number | Promise<number> }> = {
  add: { words: 1, run: add },
  list: { words: 0, run: list },
  show: { words: 1, run: show },
  select: { words: 1, run: select },
  approve: { words: 1, run: (here) => move(here, ["PENDING", "BLOCKED"], "IN_PROGRESS") },
  complete: { words: 1, run: complete },
  block: { words: 1, run: block },
  archive: { words: 1, run: (here) => move(here, ["PENDING", "IN_PROGRESS", "BLOCKED", "COMPLETED"], "ARCHIVED") },
  scope: { words: 50, run: scope },
  map: { words: 1, run: map },
  history: { words: 1, run: history },
  import: { words: 1, run: importFile },
  accept: { words: 0, run: accept },
  forget: { words: 0, run: forget },
};

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, spec, usage, "words");
  const [name, ...rest] = words;
  if (name === undefined) throw new UsageError(`say what to do\n${usage}`);
  if (!Object.hasOwn(commands, name)) throw unknownWord("unknown command", name, Object.keys(commands), usage);
  const command = commands[name]!;
  atMost(rest, command.words, usage);
  const opened = await openHere(values);
  return command.run({ values, words: rest, opened, root: opened.repository.root, now: Date.now() });
}

const optionsOf = ({ settings }: Opened) => settings.config.packs["intent"]!.options as unknown as IntentOptions;

/** The intents, or the exit code after saying what is wrong with the file. */
function loaded({ root, values }: Here) {
  const { set } = readIntents(root);
  if (!set.problem) return set;
  if (values.json) printJson({ problem: set.problem });
  console.error(red(`interlock: ${problemLine(set.problem)}`));
  return undefined;
}

function named(here: Here): Intent | number {
  const set = loaded(here);
  if (!set) return 1;
  const id = here.words[0];
  if (id === undefined) throw new UsageError(`say which intent\n${usage}`);
  const intent = findIntent(set, id);
  if (intent) return intent;
  const known = set.intents.map((i) => i.id).join(", ") || "none yet";
  console.error(`interlock: there is no intent "${shown(id, 80)}"; there are: ${known}`);
  return 1;
}

function done({ values }: Here, text: string, data: JsonObject): number {
  if (values.json) printJson(data);
  else console.log(text);
  return 0;
}

function refusedBy({ values }: Here, why: string): number {
  if (values.json) printJson({ refused: true, why });
  console.error(red(`interlock: ${why}`));
  return 1;
}

/** A person's change of the file, recorded. */
function change(here: Here, body: JsonObject, edit: (text: string | undefined) => EditedIntents, said: string): number {
  const by = person(here.values.json);
  if (by === undefined) return 1;
  const refused = changeIntents(here.opened.store, here.root, { body: { ...body, by }, edit });
  return refused === undefined ? done(here, said, body) : refusedBy(here, refused);
}

function add(here: Here): number {
  const { words, values, root, now } = here;
  const [name] = words;
  if (!name?.trim()) throw new UsageError(`say what it is for\n${usage}`);
  if (values.approval !== undefined && values.approval !== "person")
    throw new UsageError(`--approval is person, or left out\n${usage}`);
  const { set, text } = readIntents(root);
  if (set.problem && text !== undefined) return refusedBy(here, problemLine(set.problem));
  const id = values.id ?? nextIntentId(set);
  const intent = {
    id,
    name,
    ...(values.start && { status: "IN_PROGRESS" as const }),
    scope: values.scope ?? [],
    anyScope: values.any === true,
    criteria: values.criterion ?? [],
    constraints: values.constraint ?? [],
    ...(values.approval && { approval: "person" as const }),
    ...(values.parent && { parent: values.parent }),
  };
  const empty = !intent.scope.length && !intent.anyScope;
  const said =
    `${green(id)} added${values.start ? ", IN_PROGRESS" : ""}. ` +
    (empty
      ? `Its scope is empty, which allows nothing: interlock intent scope add ${id} "src/**"`
      : "Agents select it before they change files.");
  return change(here, { command: "add", intent: id }, (old) => addIntents(old, [intent], now), said);
}

function list(here: Here): number {
  const set = loaded(here);
  if (!set) return 1;
  const state = here.opened.store.read().state as JsonObject;
  const selections = selectionsIn(state);
  const open = requestsIn(state).filter((r) => !r.decided).length;
  if (here.values.json) {
    printJson({ intents: set.intents, selections, openRequests: open });
    return 0;
  }
  console.log(intentLines(set, selections).join("\n") || 'No intents. Add one: interlock intent add "<what for>"');
  if (open) console.log(`${open} request(s) for more scope: interlock intent scope list`);
  return 0;
}

async function show(here: Here): Promise<number> {
  const intent = named(here);
  if (typeof intent === "number") return intent;
  const history = await intentHistory(here.root, here.opened.folder, intent.id, 5);
  if (here.values.json) printJson({ intent, history });
  else console.log(intentDetails(readIntents(here.root).set, intent, history).join("\n"));
  return 0;
}

async function select(here: Here): Promise<number> {
  const { values, root, now, opened } = here;
  const asker = whoAsks();
  if (values.none) {
    if (!asker.person && person(values.json) === undefined) return 1;
    changeIntents(opened.store, root, {
      body: { command: "select", intent: "none", by: asker.person ? asker.by : "" },
      next: () => selectionSlice(values.session, { at: now, by: "person" }),
    });
    return done(here, "No intent is selected.", { selected: null });
  }
  const intent = named(here);
  if (typeof intent === "number") return intent;
  if (ignoredIntents(root).includes(intent.id)) return refusedBy(here, `${intent.id} is excluded in .intentignore`);
  const by = asker.person ? "person" : "agent";
  const why = unselectable(intent, optionsOf(opened).approval, by);
  if (why) return refusedBy(here, `${intent.id} can't be selected: ${why}`);
  if (asker.person) {
    const refused = changeIntents(opened.store, root, {
      body: { command: "select", intent: intent.id, by: asker.by, ...(values.session && { session: values.session }) },
      ...(intent.status === "PENDING" && {
        edit: (text: string | undefined) => setIntentStatus(text ?? "", intent.id, "IN_PROGRESS", now),
      }),
      next: () => selectionSlice(values.session, { id: intent.id, at: now, by: "person" }),
    });
    if (refused !== undefined) return refusedBy(here, refused);
  }
  const history = await intentHistory(root, opened.folder, intent.id);
  const lessons = lessonsIn(root, optionsOf(opened).lessons.file);
  const { set } = readIntents(root);
  const block = contextBlock({ set, intent: findIntent(set, intent.id) ?? intent, history, lessons });
  if (values.json) printJson({ selected: intent.id, by, context: block });
  else console.log(block);
  const whose = values.session ? `for session ${values.session}` : "for every session of this project";
  console.error(by === "person" ? `Selected ${whose}.` : "Selected for this agent's session, by its hook.");
  return 0;
}

function move(here: Here, from: readonly IntentStatus[], to: IntentStatus): number {
  const intent = named(here);
  if (typeof intent === "number") return intent;
  if (!from.includes(intent.status))
    return refusedBy(here, `${intent.id} is ${intent.status}; only ${from.join(", ")} can become ${to}`);
  return change(
    here,
    { command: "status", intent: intent.id, from: intent.status, to },
    (text) => setIntentStatus(text ?? "", intent.id, to, here.now),
    `${green(intent.id)} is ${to} now.`,
  );
}

function block(here: Here): number {
  if (!here.values.reason?.trim()) throw new UsageError(`a reason is needed: it goes in the record\n${usage}`);
  const intent = named(here);
  if (typeof intent === "number") return intent;
  if (intent.status !== "IN_PROGRESS" && intent.status !== "PENDING")
    return refusedBy(here, `${intent.id} is ${intent.status}; only PENDING and IN_PROGRESS can be blocked`);
  return change(
    here,
    {
      command: "status",
      intent: intent.id,
      from: intent.status,
      to: "BLOCKED",
      reason: here.values.reason.slice(0, 500),
    },
    (text) => setIntentStatus(text ?? "", intent.id, "BLOCKED", here.now),
    `${red(intent.id)} is BLOCKED. Reopen it: interlock intent approve ${intent.id}`,
  );
}

function complete(here: Here): number {
  const { values, now } = here;
  const intent = named(here);
  if (typeof intent === "number") return intent;
  if (intent.status !== "IN_PROGRESS") return refusedBy(here, `${intent.id} is ${intent.status}, not IN_PROGRESS`);
  const child = readIntents(here.root).set.intents.find(
    (i) => i.parent === intent.id && i.status !== "COMPLETED" && i.status !== "ARCHIVED",
  );
  if (child) return refusedBy(here, `${child.id}, which is below it, is ${child.status}; finish it first`);
  const numbers = values.all
    ? intent.criteria.map((_, i) => i + 1)
    : (values.tick ?? []).flatMap((t) => t.split(",")).map((t) => countOption("tick", t, usage)!);
  const wrong = numbers.find((n) => n > intent.criteria.length);
  if (wrong) throw new UsageError(`there is no criterion ${wrong}; ${intent.id} has ${intent.criteria.length}`);
  const open = openCriteria(intent).filter((c) => !numbers.includes(c.number));
  if (open.length && !numbers.length) {
    const listed = open.map((c) => `  ${c.number}. ${shown(c.text, 160)}`).join("\n");
    if (values.json) printJson({ completed: false, open });
    console.error(
      `Not yet met:\n${listed}\nTick what holds: interlock intent complete ${intent.id} --tick <n>, or --all`,
    );
    return 1;
  }
  const ticks = numbers.map((number) => ({ number }));
  const said = open.length ? `Ticked. ${open.length} to go.` : `${green(intent.id)} is COMPLETED.`;
  const by = person(values.json);
  if (by === undefined) return 1;
  const body = { command: "complete", intent: intent.id, ticked: numbers, completed: !open.length, by };
  const refused = changeIntents(here.opened.store, here.root, {
    body,
    edit(text) {
      const ticked = tickCriteria(text ?? "", intent.id, ticks, by, now);
      return open.length || "refused" in ticked ? ticked : setIntentStatus(ticked.text, intent.id, "COMPLETED", now);
    },
  });
  return refused === undefined ? done(here, said, body) : refusedBy(here, refused);
}

function scope(here: Here): number {
  const [verb = "list", id, ...patterns] = here.words;
  const state = here.opened.store.read().state as JsonObject;
  const requests = requestsIn(state);
  if (verb === "list") {
    if (here.values.json) printJson({ requests });
    else console.log(requests.map((r) => requestLine(r, here.now)).join("\n") || "Nobody asked for more scope.");
    return 0;
  }
  if (verb === "add") {
    if (id === undefined || !patterns.length) throw new UsageError(`say which intent and which patterns\n${usage}`);
    const body = { command: "scope add", intent: id, patterns };
    const said = `${green(id)} may change ${patterns.join(", ")} too.`;
    return change(here, body, (text) => addIntentScope(text ?? "", id, patterns, here.now), said);
  }
  if (verb !== "approve" && verb !== "refuse")
    throw unknownWord("unknown: scope", verb, ["list", "approve", "refuse", "add"], usage);
  const request = requests.find((r) => r.id === id);
  if (!request)
    return refusedBy(here, `there is no request "${shown(id ?? "", 40)}"; list them: interlock intent scope list`);
  if (request.decided) return refusedBy(here, `${request.id} was ${request.decided} already`);
  const by = person(here.values.json);
  if (by === undefined) return 1;
  const decided = verb === "approve" ? "approved" : "refused";
  const body = { command: `scope ${verb}`, request: request.id, intent: request.intent, paths: request.paths, by };
  const refused = changeIntents(here.opened.store, here.root, {
    body,
    ...(verb === "approve" && {
      edit: (text: string | undefined) => addIntentScope(text ?? "", request.intent, request.paths, here.now),
    }),
    next: (newest) => decideRequest(newest, request.id, decided, by),
  });
  if (refused !== undefined) return refusedBy(here, refused);
  return done(here, `${request.id} ${decided}: ${request.intent}, ${shown(request.paths.join(", "), 120)}.`, body);
}

function map({ root, words, values }: Here): number {
  const file = join(root, ".orchestration", "intent_map.md");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const sections = text.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
  const wanted =
    words[0] === undefined
      ? sections
      : sections.filter((s) => s.startsWith(`## ${words[0]}:`) || s.startsWith(`## ${words[0]}\n`));
  if (values.json) {
    const files = (part: string) => [...part.matchAll(/^[-*] (.+)$/gm)].map((m) => m[1]!);
    printJson({ intents: wanted.map((s) => ({ heading: s.split("\n", 1)[0]!.slice(3), files: files(s) })) });
  } else if (wanted.length)
    for (const part of wanted)
      console.log(
        part
          .trimEnd()
          .split("\n")
          .map((l) => shown(l, 300))
          .join("\n"),
      );
  else console.log("Nothing is mapped yet: a file appears once an agent changed it under an intent.");
  return 0;
}

async function history(here: Here): Promise<number> {
  const intent = named(here);
  if (typeof intent === "number") return intent;
  const limit = countOption("limit", here.values.limit, usage) ?? 20;
  const entries = await intentHistory(here.root, here.opened.folder, intent.id, limit);
  if (here.values.json) printJson({ intent: intent.id, history: entries });
  else
    console.log(
      entries.map((e) => shown(historyLine(e), 200)).join("\n") || `Nothing was changed under ${intent.id} yet.`,
    );
  return 0;
}

function importFile(here: Here): number {
  const { words, values, root, now } = here;
  const [given] = words;
  if (given === undefined) throw new UsageError(`say which file\n${usage}`);
  const file = resolve(values.cwd ?? process.cwd(), given);
  if (!existsSync(file)) return refusedBy(here, `there is no file ${shown(file, 200)}`);
  const { set, text } = readIntents(root);
  if (set.problem && text !== undefined) return refusedBy(here, problemLine(set.problem));
  const known = set.intents.map((i) => i.id);
  const found = importIntents(readFileSync(file, "utf8"), { source: basename(file), known });
  if ("problem" in found) return refusedBy(here, `${shown(given, 100)}: ${found.problem}`);
  const { intents, skipped, form } = found;
  const empty = intents.filter((i) => !i.scope?.length).map((i) => i.id);
  const said = [
    `${intents.length} intent(s) from ${form}, ${skipped} skipped (done, closed or known).`,
    ...intents.map((i) => `  ${i.id}  ${shown(i.name, 60)}  ${shown((i.scope ?? []).join(" "), 60)}`),
    ...(empty.length ? [`Without a scope, which allows nothing: ${shown(empty.join(", "), 200)}`] : []),
  ].join("\n");
  if (values["dry-run"] || !intents.length)
    return done(here, said, { imported: 0, intents: intents as unknown as JsonObject[], skipped, form });
  const body = { command: "import", intents: intents.map((i) => i.id), form, skipped };
  return change(here, body, (old) => addIntents(old, intents, now), said);
}

function accept(here: Here): number {
  const { opened, root, values } = here;
  const file = distrustedIn(opened.store.read().state as JsonObject, root);
  if (file === undefined) return done(here, "Nothing to accept.", { accepted: false });
  const by = person(values.json);
  if (by === undefined) return 1;
  changeIntents(opened.store, root, { body: { command: "accept", file, by }, next: acceptFiles });
  return done(here, `${file} is believed as it is now.`, { accepted: true, file });
}

function forget(here: Here): number {
  if (existsSync(join(here.root, ".orchestration")))
    return refusedBy(here, "there is an .orchestration folder; remove it first, or set packs: intent: enabled: false");
  const by = person(here.values.json);
  if (by === undefined) return 1;
  changeIntents(here.opened.store, here.root, { body: { command: "forget", by } });
  rmSync(compiledFolder(here.opened.folder), { recursive: true, force: true });
  return done(here, "This project no longer uses intents.", { forgotten: true });
}
