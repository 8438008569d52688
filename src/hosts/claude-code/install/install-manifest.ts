// What was installed where: kept in the Interlock home, so that uninstalling can put back exactly what was there.
// Invariant: the copy of the file before is written and named here before the file itself is changed.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { sha256 } from "../../../model/sha256.js";
import type { Exclusion } from "../../../project/git-exclude.js";
import type { ChangedFile } from "../settings/planned-change.js";
import { readTextFile, replaceText, type SettingsScope } from "../settings/settings-files.js";

export interface Install extends ChangedFile {
  scope: SettingsScope;
  at: string;
  /** Containers and folders that were not there before. */
  made: string[];
  madeFolder?: string;
  /** Our handler for each event. */
  handlers: Record<string, JsonObject>;
  /** Foreign groups that were taken over, to be put back. */
  adopted: { event: string; group: JsonObject }[];
  /** How the file is kept out of git. */
  excluded?: Exclusion;
}

export interface Manifest {
  version: 1;
  /** By the path of the settings file. */
  installs: Record<string, Install>;
}

const manifestFile = (home: string) => installsFile(home, "claude-code");

/** A missing or unreadable manifest is an empty one: uninstalling then removes our entries and restores nothing. */
export function readManifest(home: string): Manifest {
  const text = readTextFile(manifestFile(home));
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (isObject(value) && value.version === 1 && isObject(value.installs)) return value as unknown as Manifest;
  } catch {
    // torn or edited by hand: nothing in it can be relied on
  }
  return { version: 1, installs: {} };
}

export function writeInstall(home: string, file: string, install: Install | undefined): void {
  const manifest = readManifest(home);
  if (install) manifest.installs[file] = install;
  else delete manifest.installs[file];
  mkdirSync(join(home, "installs"), { recursive: true, mode: 0o700 });
  replaceText(manifestFile(home), `${JSON.stringify(manifest, null, 2)}\n`, 0o600);
}

const installsFile = (home: string, name: string) => join(home, "installs", `${name}.json`);

/** What was installed besides the hooks, by a key of the caller's; empty if the file is torn or edited by hand. */
export function readInstalls<Kept extends ChangedFile>(home: string, name: string): Record<string, Kept> {
  try {
    const value: unknown = JSON.parse(readTextFile(installsFile(home, name)) ?? "{}");
    return isObject(value as Json) ? (value as Record<string, Kept>) : {};
  } catch {
    return {};
  }
}

export function writeInstalls(home: string, name: string, installs: Record<string, ChangedFile>): void {
  mkdirSync(join(home, "installs"), { recursive: true, mode: 0o700 });
  replaceText(installsFile(home, name), `${JSON.stringify(installs, null, 2)}\n`, 0o600);
}

/** Keeps a copy of what a file held; returns where. */
export function keepCopy(home: string, file: string, text: string, now: Date): string {
  const folder = join(home, "backups", "claude-code");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = now.toISOString().replace(/[:.]/g, "-");
  const copy = join(folder, `${stamp}-${sha256(file + text).slice(0, 8)}-${basename(file)}`);
  writeFileSync(copy, text, { mode: 0o600 });
  return copy;
}
