// Interlock's status line in a settings file, with the user's own kept and run beside it.
// Invariant: foreign entries and formatting stay; removing it restores a file nobody else changed byte for byte, and
// otherwise puts the user's own status line back.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { sha256 } from "../../../model/sha256.js";
import { appendItem, removeItem, replaceValue } from "../settings/edit-jsonc.js";
import { type Container, type Document, toJson } from "../settings/jsonc.js";
import {
  itemOf,
  objectIn,
  type PlannedChange,
  plannedChange,
  textBefore,
  writeChange,
} from "../settings/planned-change.js";
import {
  readTextFile,
  replaceText,
  type SettingsPlaces,
  type SettingsScope,
  settingsFile,
} from "../settings/settings-files.js";
import { keepCopy } from "./install-manifest.js";
import { readStatusLines, type StatusLineInstall, writeStatusLines } from "./statusline-installs.js";

export interface StatusLinePlan extends PlannedChange {
  /** The user's own command that is run beside ours. */
  chained?: string;
  own?: JsonObject;
}

const key = "statusLine";
const ours = /\bstatusline --chain ([0-9a-f]{12})\b/;

/** Names the settings file in our command, which looks the user's own command up by it. */
const chainName = (file: string): string => sha256(file).slice(0, 12);

/** `program`: the command for a shell; `{chain}` in it becomes the name of the settings file. */
export function planStatusLine(program: string, scope: SettingsScope, places: SettingsPlaces): StatusLinePlan {
  const file = settingsFile(scope, places);
  const before = readTextFile(file);
  const command = program.replace("{chain}", chainName(file));
  const read = settingsIn(before, file);
  if ("blocked" in read) return { ...plannedChange(file, before, before), blocked: read.blocked };
  const own = read.entry;
  const said = typeof own?.["command"] === "string" ? own["command"] : undefined;
  if (said !== undefined && ours.test(said)) {
    if (said === command) return plannedChange(file, before, before);
    return plannedChange(file, before, replaceValue(read.document!, nodeOf(read.root!)!, { ...own!, command }));
  }
  const chained = said ?? lowerCommand(scope, places);
  const entry: JsonObject = { ...own, type: "command", command };
  const text = !read.root
    ? `${JSON.stringify({ [key]: entry }, null, 2)}\n`
    : own
      ? replaceValue(read.document!, nodeOf(read.root)!, entry)
      : appendItem(read.document!, read.root, entry, key);
  return { ...plannedChange(file, before, text), ...(chained && { chained }), ...(own && { own }) };
}

/** What the client would run without us: ours hides it. */
function lowerCommand(scope: SettingsScope, places: SettingsPlaces): string | undefined {
  const order: SettingsScope[] = ["local", "project", "user"];
  for (const lower of order.slice(order.indexOf(scope) + 1)) {
    const file = settingsFile(lower, places);
    const read = settingsIn(readTextFile(file), file);
    const command = "blocked" in read ? undefined : read.entry?.["command"];
    if (typeof command === "string" && !ours.test(command)) return command;
  }
  return undefined;
}

export function applyStatusLine(found: StatusLinePlan, home: string, now = new Date()): void {
  const { file, before, after, nothingToDo, own, chained } = found;
  if (nothingToDo || after === undefined) return;
  const installs = readStatusLines(home);
  const known = installs[chainName(file)];
  const isRenewed = before !== undefined && ours.test(before) && known !== undefined;
  const backup = isRenewed || before === undefined ? undefined : keepCopy(home, file, before, now);
  const fresh: StatusLineInstall = isRenewed
    ? { ...known, after: known.after === sha256(before) ? sha256(after) : "" }
    : {
        before: before === undefined ? null : sha256(before),
        after: sha256(after),
        ...(backup && { backup }),
        ...(own && { own }),
        ...(chained && { chained }),
      };
  writeStatusLines(home, { ...installs, [chainName(file)]: fresh });
  mkdirSync(dirname(file), { recursive: true });
  replaceText(file, after);
}

/** Undefined where nothing of ours is there. */
export function planStatusLineRemoval(
  scope: SettingsScope,
  places: SettingsPlaces,
  home: string,
): StatusLinePlan | undefined {
  const file = settingsFile(scope, places);
  const before = readTextFile(file);
  const read = settingsIn(before, file);
  if (before === undefined || "blocked" in read) return undefined;
  if (!ours.test(String(read.entry?.["command"] ?? ""))) return undefined;
  const install = readStatusLines(home)[chainName(file)];
  const restored = textBefore(before, install);
  if (restored) return plannedChange(file, before, restored.text);
  const { document, root } = read;
  const at = root!.items.findIndex((item) => item.key === key);
  const without = install?.own
    ? replaceValue(document!, root!.items[at]!.value, install.own)
    : removeItem(document!, root!, at);
  return plannedChange(file, before, without);
}

export function applyStatusLineRemoval(removal: StatusLinePlan, home: string): void {
  writeChange(removal);
  const { [chainName(removal.file)]: _, ...rest } = readStatusLines(home);
  writeStatusLines(home, rest);
}

interface SettingsText {
  document?: Document;
  root?: Container;
  entry?: JsonObject;
}

function settingsIn(text: string | undefined, file: string): SettingsText | { blocked: string } {
  if (!text?.trim()) return {};
  const found = objectIn(text, file);
  if ("blocked" in found) return found;
  const node = nodeOf(found.root);
  const entry: Json | undefined = node && toJson(node);
  return { ...found, ...(isObject(entry) && { entry }) };
}

const nodeOf = (root: Container) => itemOf(root, key)?.value;
