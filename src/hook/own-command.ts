// How Interlock is called on this machine: by its name where it is on PATH, else through npx.
// Invariant: only the words of an answer change, never the record; PATH is searched once per process and value.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const named = /(?<![\w/.-])interlock (?=(?:allow|loop|discipline|recover|verify|doctor|kit|lifecycle|feedback)\b)/g;
const known = new Map<string, boolean>();

/** A refusal with commands that exist as the user has them. */
export function asInstalled(text: string, path: string | undefined): string {
  if (!text.includes("interlock ") || isOnPath(path ?? "")) return text;
  return text.replace(named, "npx agent-interlock ");
}

function isOnPath(path: string): boolean {
  let found = known.get(path);
  if (found === undefined) {
    found = path.split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, "interlock")));
    if (known.size > 20) known.clear();
    known.set(path, found);
  }
  return found;
}
