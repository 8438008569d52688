// The checked form of active_intents.yaml for hooks: parsed once per content, kept in Interlock's folder, signed.
// Invariant: keyed by the content's hash and authenticated; whatever does not fit both is parsed again.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../model/sha256.js";
import { readBoundedText } from "../project/bounded-read.js";
import { replaceFile } from "../project/replace-file.js";
import type { IntentSet } from "./intent.js";

/** There from the first event of a project with intents on: deleting `.orchestration` does not open the gate. */
export const compiledFolder = (folder: string): string => join(folder, "intents");

/** Remembers in Interlock's folder that this project uses intents. */
export function markIntentsUsed(folder: string): void {
  try {
    if (!existsSync(compiledFolder(folder))) mkdirSync(compiledFolder(folder), { recursive: true, mode: 0o700 });
  } catch {
    // The record can't be written here either, and says so.
  }
}

/** Authenticates a text with the record's key; undefined where there is no key yet. */
export type Sign = (text: string) => string | undefined;

const form = "2";
const known = new Map<string, IntentSet>();
const mostKnown = 16;
const mostFiles = 8;
const mostBytes = 8 << 20;

const keyOf = (text: string): string => sha256(`${form}\n${text}`);

/** Makes `preparedIntents` answer for this text. */
export async function prepareIntents(text: string, folder: string, sign: Sign): Promise<void> {
  const key = keyOf(text);
  if (known.has(key)) return;
  const file = join(compiledFolder(folder), `${key.slice(0, 32)}.json`);
  const kept = readKept(file, key, sign);
  if (kept) return remember(key, kept);
  const { parseIntents } = await import("./document.js");
  const set = parseIntents(text);
  remember(key, set);
  const body = JSON.stringify(set);
  const mac = sign(`interlock-intents\n${key}\n${body}`);
  if (mac === undefined) return;
  try {
    prune(compiledFolder(folder));
    replaceFile(file, `${mac}\n${body}`, 0o600);
  } catch {
    // On a disk that cannot be written every hook parses again, and none fails.
  }
}

let last: { text: string; set: IntentSet } | undefined;

/** Throws where nobody prepared the text: judging can't wait for a parser. */
export function preparedIntents(text: string): IntentSet {
  if (last?.text === text) return last.set;
  const set = known.get(keyOf(text));
  if (!set) throw new Error("active_intents.yaml changed while it was read");
  last = { text, set };
  return set;
}

function readKept(file: string, key: string, sign: Sign): IntentSet | undefined {
  let text: string;
  try {
    text = readBoundedText(file, mostBytes);
  } catch {
    return undefined; // not compiled yet
  }
  const cut = text.indexOf("\n");
  const body = text.slice(cut + 1);
  const mac = sign(`interlock-intents\n${key}\n${body}`);
  return mac !== undefined && text.slice(0, Math.max(0, cut)) === mac ? (JSON.parse(body) as IntentSet) : undefined;
}

function remember(key: string, set: IntentSet): void {
  if (known.size >= mostKnown) known.delete(known.keys().next().value!);
  known.set(key, set);
}

function prune(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length < mostFiles) return;
  files.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  for (const old of files.slice(0, files.length - mostFiles + 1)) rmSync(old, { force: true });
}
