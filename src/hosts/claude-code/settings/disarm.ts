// What a change of a settings file would mean for Interlock: whether it would switch it off, and how.
// Invariant: reads, never writes; a file we are not installed in can disarm us only by switching all hooks off.
import { realpathSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../../../model/json.js";
import { type Install, readManifest } from "../install/install-manifest.js";
import { describeProblem, hookEntries, readSettings } from "./settings.js";
import { readTextFile } from "./settings-files.js";

/** Why the text would switch us off, or nothing. `installed`: what we put into this file, where we did. */
export function disarms(text: string | undefined, installed?: Pick<Install, "handlers">): string | undefined {
  if (text === undefined) return installed && "the file that registers Interlock is gone";
  const settings = readSettings(text);
  if (installed) {
    const fatal = settings.problems.find((problem) => problem.effect === "file");
    if (fatal) return `it registers Interlock, but ${describeProblem(fatal)}`;
  }
  if (!settings.ok) return undefined;
  const { json } = settings;
  if (json.disableAllHooks === true) return "it sets disableAllHooks, which switches off the hooks of every scope";
  const simple = isObject(json.env) ? json.env.CLAUDE_CODE_SIMPLE : undefined;
  if (simple !== undefined && !["", "0", "false"].includes(String(simple)))
    return "it sets CLAUDE_CODE_SIMPLE, which drops all hooks";
  const missing = Object.entries(installed?.handlers ?? {}).filter(([event, ours]) => !registered(json, event, ours));
  if (!missing.length) return undefined;
  return `Interlock's own entry is gone or changed for ${missing.map(([event]) => event).join(", ")}`;
}

function registered(json: JsonObject, event: string, ours: JsonObject): boolean {
  return hookEntries(json).some(
    (entry) =>
      entry.event === event && ["", "*", undefined].includes(entry.matcher) && isDeepStrictEqual(entry.handler, ours),
  );
}

/** The same for a file as it is now on disk. */
export function disarmedBy(home: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const { installs } = readManifest(home);
  const known = Object.keys(installs).find((each) => each === file || real(each) === real(file));
  const installed = known === undefined ? undefined : installs[known];
  try {
    return disarms(readTextFile(file), installed);
  } catch (fault) {
    return installed && (fault as Error).message;
  }
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // it is gone: its name is all there is
  }
}
