// The hooks `init --adopt` took over: which there are for a project, and how the list grows and shrinks.
// Invariant: what came from the user's own settings runs in every project; each hook names the settings file it goes back to.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { AdoptedHook } from "../model/config.js";
import { replaceFile } from "../project/replace-file.js";
import type { Opened } from "./open-project.js";

const fileIn = (folder: string): string => join(folder, "adopted.json");

/** Those the user listed in the configuration, then those taken over from the user's settings, then from the project's. */
export function adoptedHooks({ settings, home, folder }: Opened): AdoptedHook[] {
  return [...settings.config.adopt, ...read(fileIn(home)), ...read(fileIn(folder))];
}

function read(file: string): AdoptedHook[] {
  if (!existsSync(file)) return [];
  try {
    const list: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (Array.isArray(list)) return list as AdoptedHook[];
  } catch {
    // said below in our own words
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
    return []; // unreadable: the settings files, which have the hooks again, are the better record
  }
}

const write = (file: string, hooks: readonly AdoptedHook[]): void =>
  replaceFile(file, `${JSON.stringify(hooks, null, 2)}\n`, 0o600);
