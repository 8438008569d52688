// What `interlock intent` shows: the list, one intent, the map, the history. Reads only.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { intentHistory, readIntents } from "../../../intents/read-intents.js";
import type { JsonObject } from "../../../model/json.js";
import { orchestrationFolder } from "../../../model/orchestration.js";
import { printJson } from "../current-project.js";
import { shown } from "../paint.js";
import { countOption } from "../runs-here.js";
import { say } from "../wrap.js";
import { type IntentHere, intentUsage, loadedIntents, namedIntent } from "./intent-here.js";
import { requestsIn, selectionsIn } from "./intent-store.js";
import { historyLine, intentDetails, intentLines } from "./intent-views.js";

export function listIntents(here: IntentHere): number {
  const set = loadedIntents(here);
  if (!set) return 1;
  const state = here.opened.store.read().state as JsonObject;
  const selections = selectionsIn(state);
  const open = requestsIn(state).filter((r) => !r.decided).length;
  if (here.values.json) {
    printJson({ intents: set.intents, selections, openRequests: open });
    return 0;
  }
  say(intentLines(set, selections).join("\n") || 'No intents. Add one: interlock intent add "<what for>"');
  if (open) say(`${open} request(s) for more scope: interlock intent scope list`);
  return 0;
}

export async function showIntent(here: IntentHere): Promise<number> {
  const intent = namedIntent(here);
  if (typeof intent === "number") return intent;
  const history = await intentHistory(here.root, here.opened.folder, intent.id, 5);
  if (here.values.json) printJson({ intent, history });
  else say(intentDetails(readIntents(here.root).set, intent, history).join("\n"));
  return 0;
}

export function showMap({ root, words, values }: IntentHere): number {
  const file = join(root, orchestrationFolder, "intent_map.md");
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
      say(
        part
          .trimEnd()
          .split("\n")
          .map((l) => shown(l, 300))
          .join("\n"),
      );
  else say("Nothing is mapped yet: a file appears once an agent changed it under an intent.");
  return 0;
}

export async function showHistory(here: IntentHere): Promise<number> {
  const intent = namedIntent(here);
  if (typeof intent === "number") return intent;
  const limit = countOption("limit", here.values.limit, intentUsage) ?? 20;
  const entries = await intentHistory(here.root, here.opened.folder, intent.id, limit);
  if (here.values.json) printJson({ intent: intent.id, history: entries });
  else say(entries.map((e) => shown(historyLine(e), 200)).join("\n") || `Nothing was changed under ${intent.id} yet.`);
  return 0;
}
