// interlock intent: what agents may work on, for people; selecting one also for agents.
// Invariant: what grants something needs a person at a terminal of their own, and every change is a record.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { compiledFolder } from "../../intents/compiled-intents.js";
import { contextBlock } from "../../intents/context-block.js";
import { addIntents, nextIntentId, problemLine, setIntentStatus, tickCriteria } from "../../intents/document.js";
import { importIntents } from "../../intents/import-intents.js";
import { findIntent, type IntentStatus, openCriteria, unselectable } from "../../intents/intent.js";
import { ignoredIntents, intentHistory, lessonsIn, readIntents } from "../../intents/read-intents.js";
import type { JsonObject } from "../../model/json.js";
import { orchestrationFolder } from "../../model/orchestration.js";
import { whoAsks } from "../../person/terminal.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import {
  answered,
  answerRefusal,
  type IntentHere,
  intentOptionsHere,
  intentSpec,
  namedIntent,
  personsChange,
  intentUsage as usage,
} from "../lib/intent/intent-here.js";
import { listIntents, showHistory, showIntent, showMap } from "../lib/intent/intent-looks.js";
import { decideScope } from "../lib/intent/intent-scope.js";
import { acceptFiles, changeIntents, distrustedIn, selectionSlice } from "../lib/intent/intent-store.js";
import { green, red, shown } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { countOption } from "../lib/runs-here.js";
import { say, sayError } from "../lib/wrap.js";

export { usage };

const commands: Record<string, { words: number; run(here: IntentHere): number | Promise<number> }> = {
  add: { words: 1, run: add },
  list: { words: 0, run: listIntents },
  show: { words: 1, run: showIntent },
  select: { words: 1, run: select },
  approve: { words: 1, run: (here) => move(here, ["PENDING", "BLOCKED"], "IN_PROGRESS") },
  complete: { words: 1, run: complete },
  block: { words: 1, run: block },
  archive: { words: 1, run: (here) => move(here, ["PENDING", "IN_PROGRESS", "BLOCKED", "COMPLETED"], "ARCHIVED") },
  scope: { words: 50, run: decideScope },
  map: { words: 1, run: showMap },
  history: { words: 1, run: showHistory },
  import: { words: 1, run: importFile },
  accept: { words: 0, run: accept },
  forget: { words: 0, run: forget },
};

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, intentSpec, usage, "words");
  const [name, ...rest] = words;
  if (name === undefined) throw new UsageError(`say what to do\n${usage}`);
  if (!Object.hasOwn(commands, name)) throw unknownWord("unknown command", name, Object.keys(commands), usage);
  const command = commands[name]!;
  atMost(rest, command.words, usage);
  const opened = await openHere(values);
  return command.run({ values, words: rest, opened, root: opened.repository.root, now: Date.now() });
}

function add(here: IntentHere): number {
  const { words, values, root, now } = here;
  const [name] = words;
  if (!name?.trim()) throw new UsageError(`say what it is for\n${usage}`);
  if (values.approval !== undefined && values.approval !== "person")
    throw new UsageError(`--approval is person, or left out\n${usage}`);
  const { set, text } = readIntents(root);
  if (set.problem && text !== undefined) return answerRefusal(here, problemLine(set.problem));
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
  return personsChange(here, { command: "add", intent: id }, (old) => addIntents(old, [intent], now), said);
}

async function select(here: IntentHere): Promise<number> {
  const { values, root, now, opened } = here;
  const asker = whoAsks();
  if (values.none) {
    if (!asker.person && person(values.json) === undefined) return 1;
    changeIntents(opened.store, root, {
      body: { command: "select", intent: "none", by: asker.person ? asker.by : "" },
      next: () => selectionSlice(values.session, { at: now, by: "person" }),
    });
    return answered(here, "No intent is selected.", { selected: null });
  }
  const intent = namedIntent(here);
  if (typeof intent === "number") return intent;
  if (ignoredIntents(root).includes(intent.id)) return answerRefusal(here, `${intent.id} is excluded in .intentignore`);
  const by = asker.person ? "person" : "agent";
  const why = unselectable(intent, intentOptionsHere(opened).approval, by);
  if (why) return answerRefusal(here, `${intent.id} can't be selected: ${why}`);
  if (asker.person) {
    const refused = changeIntents(opened.store, root, {
      body: { command: "select", intent: intent.id, by: asker.by, ...(values.session && { session: values.session }) },
      ...(intent.status === "PENDING" && {
        edit: (text: string | undefined) => setIntentStatus(text ?? "", intent.id, "IN_PROGRESS", now),
      }),
      next: () => selectionSlice(values.session, { id: intent.id, at: now, by: "person" }),
    });
    if (refused !== undefined) return answerRefusal(here, refused);
  }
  const history = await intentHistory(root, opened.folder, intent.id);
  const lessons = lessonsIn(root, intentOptionsHere(opened).lessons.file);
  const { set } = readIntents(root);
  const block = contextBlock({ set, intent: findIntent(set, intent.id) ?? intent, history, lessons });
  if (values.json) printJson({ selected: intent.id, by, context: block });
  else say(block);
  const whose = values.session ? `for session ${values.session}` : "for every session of this project";
  sayError(by === "person" ? `Selected ${whose}.` : "Selected for this agent's session, by its hook.");
  return 0;
}

function move(here: IntentHere, from: readonly IntentStatus[], to: IntentStatus): number {
  const intent = namedIntent(here);
  if (typeof intent === "number") return intent;
  if (!from.includes(intent.status))
    return answerRefusal(here, `${intent.id} is ${intent.status}; only ${from.join(", ")} can become ${to}`);
  return personsChange(
    here,
    { command: "status", intent: intent.id, from: intent.status, to },
    (text) => setIntentStatus(text ?? "", intent.id, to, here.now),
    `${green(intent.id)} is ${to} now.`,
  );
}

function block(here: IntentHere): number {
  if (!here.values.reason?.trim()) throw new UsageError(`a reason is needed: it goes in the record\n${usage}`);
  const intent = namedIntent(here);
  if (typeof intent === "number") return intent;
  if (intent.status !== "IN_PROGRESS" && intent.status !== "PENDING")
    return answerRefusal(here, `${intent.id} is ${intent.status}; only PENDING and IN_PROGRESS can be blocked`);
  return personsChange(
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

function complete(here: IntentHere): number {
  const { values, now } = here;
  const intent = namedIntent(here);
  if (typeof intent === "number") return intent;
  if (intent.status !== "IN_PROGRESS") return answerRefusal(here, `${intent.id} is ${intent.status}, not IN_PROGRESS`);
  const child = readIntents(here.root).set.intents.find(
    (i) => i.parent === intent.id && i.status !== "COMPLETED" && i.status !== "ARCHIVED",
  );
  if (child) return answerRefusal(here, `${child.id}, which is below it, is ${child.status}; finish it first`);
  const numbers = values.all
    ? intent.criteria.map((_, i) => i + 1)
    : (values.tick ?? []).flatMap((t) => t.split(",")).map((t) => countOption("tick", t, usage)!);
  const wrong = numbers.find((n) => n > intent.criteria.length);
  if (wrong) throw new UsageError(`there is no criterion ${wrong}; ${intent.id} has ${intent.criteria.length}`);
  const open = openCriteria(intent).filter((c) => !numbers.includes(c.number));
  if (open.length && !numbers.length) {
    const listed = open.map((c) => `  ${c.number}. ${shown(c.text, 160)}`).join("\n");
    if (values.json) printJson({ completed: false, open });
    sayError(`Not yet met:\n${listed}\nTick what holds: interlock intent complete ${intent.id} --tick <n>, or --all`);
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
  return refused === undefined ? answered(here, said, body) : answerRefusal(here, refused);
}

async function importFile(here: IntentHere): Promise<number> {
  const { words, values, root, now } = here;
  const [given] = words;
  if (given === undefined) throw new UsageError(`say which file\n${usage}`);
  const file = resolve(values.cwd ?? process.cwd(), given);
  if (!existsSync(file)) return answerRefusal(here, `there is no file ${shown(file, 200)}`);
  const { set, text } = readIntents(root);
  if (set.problem && text !== undefined) return answerRefusal(here, problemLine(set.problem));
  const known = set.intents.map((i) => i.id);
  const found = await withProgress("reading the file", () =>
    importIntents(readFileSync(file, "utf8"), { source: basename(file), known }),
  );
  if ("problem" in found) return answerRefusal(here, `${shown(given, 100)}: ${found.problem}`);
  const { intents, skipped, form } = found;
  const empty = intents.filter((i) => !i.scope?.length).map((i) => i.id);
  const said = [
    `${intents.length} intent(s) from ${form}, ${skipped} skipped (done, closed or known).`,
    ...intents.map((i) => `  ${i.id}  ${shown(i.name, 60)}  ${shown((i.scope ?? []).join(" "), 60)}`),
    ...(empty.length ? [`Without a scope, which allows nothing: ${shown(empty.join(", "), 200)}`] : []),
  ].join("\n");
  if (values["dry-run"] || !intents.length)
    return answered(here, said, { imported: 0, intents: intents as unknown as JsonObject[], skipped, form });
  const body = { command: "import", intents: intents.map((i) => i.id), form, skipped };
  return personsChange(here, body, (old) => addIntents(old, intents, now), said);
}

function accept(here: IntentHere): number {
  const { opened, root, values } = here;
  const file = distrustedIn(opened.store.read().state as JsonObject, root);
  if (file === undefined) return answered(here, "Nothing to accept.", { accepted: false });
  const by = person(values.json);
  if (by === undefined) return 1;
  changeIntents(opened.store, root, { body: { command: "accept", file, by }, next: acceptFiles });
  return answered(here, `${file} is believed as it is now.`, { accepted: true, file });
}

function forget(here: IntentHere): number {
  if (existsSync(join(here.root, orchestrationFolder)))
    return answerRefusal(
      here,
      "there is an .orchestration folder; remove it first, or set packs: intent: enabled: false",
    );
  const by = person(here.values.json);
  if (by === undefined) return 1;
  changeIntents(here.opened.store, here.root, { body: { command: "forget", by } });
  rmSync(compiledFolder(here.opened.folder), { recursive: true, force: true });
  return answered(here, "This project no longer uses intents.", { forgotten: true });
}
