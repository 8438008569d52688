// The hooks `init --adopt` took over: the list for a project, how it grows and shrinks, and how they are run.
// Invariant: hooks from the user's own settings run in every project; each hook names the settings file it came from.
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { monotonic } from "../model/clock.js";
import type { AdoptedHook } from "../model/config.js";
import type { Event } from "../model/event.js";
import { limits } from "../model/limits.js";
import type { Judged } from "../model/verdict.js";
import { readBoundedText } from "../project/bounded-read.js";
import { replaceFile } from "../project/replace-file.js";
import type { Opened } from "./open-project.js";
import type { HookCall } from "./pipeline.js";

const fileIn = (folder: string): string => join(folder, "adopted.json");

/** First those in the configuration, then those from the user's settings, then those from the project's. */
export function adoptedHooks({ settings, home, folder }: Opened): AdoptedHook[] {
  return [...settings.config.adopt, ...read(fileIn(home)), ...read(fileIn(folder))];
}

/** Runs them for one event, within the time that is left. Their code is loaded only where there are some. */
export async function adoptedRunner(
  { home, folder, settings }: Opened,
  { bytes, env, deadline = Number.POSITIVE_INFINITY }: HookCall,
  list: readonly AdoptedHook[],
): Promise<(event: Event) => Promise<Judged[]>> {
  const { runAdopted } = await import("../hosts/claude-code/adopt/run-adopted.js");
  const file = join(folder, "trace.jsonl");
  const trace = (line: object) =>
    appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
  return (event) =>
    runAdopted(list, bytes.toString("utf8"), event, {
      home,
      cwd: event.cwd,
      env,
      limitMs: Math.min(limits.adopted, deadline - monotonic() - limits.margin),
      trace: settings.config.trace ? trace : undefined,
    });
}

function read(file: string): AdoptedHook[] {
  if (!existsSync(file)) return [];
  try {
    const list: unknown = JSON.parse(readBoundedText(file, 1 << 20));
    if (Array.isArray(list)) return list as AdoptedHook[];
  } catch {
    // reported below
  }
  throw new Error(
    `${file}, the list of adopted hooks, cannot be read; run: interlock uninstall, then interlock init --adopt`,
  );
}

export function takeOver(
  { home, folder }: Opened,
  scope: "user" | "project" | "local",
  hooks: readonly AdoptedHook[],
): void {
  const file = fileIn(scope === "user" ? home : folder);
  const known = read(file);
  const fresh = hooks.filter((hook) => !known.some((each) => isDeepStrictEqual(each, hook)));
  if (fresh.length) write(file, [...known, ...fresh]);
}

/** The hooks of these settings files are back where they were. */
export function giveBack({ home, folder }: Opened, sources: readonly string[]): void {
  for (const file of [fileIn(home), fileIn(folder)]) {
    if (existsSync(file))
      write(
        file,
        readable(file).filter((hook) => !sources.includes(hook.source ?? "")),
      );
  }
}

function readable(file: string): AdoptedHook[] {
  try {
    return read(file);
  } catch {
    return []; // unreadable, and the settings files have the hooks again
  }
}

const write = (file: string, hooks: readonly AdoptedHook[]): void =>
  replaceFile(file, `${JSON.stringify(hooks, null, 2)}\n`, 0o600);
