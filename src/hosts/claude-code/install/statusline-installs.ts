// Which settings files hold our status line, and the user's own command for each: kept in Interlock's home.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { readTextFile, replaceText } from "../settings/settings-files.js";

export interface StatusLineInstall {
  /** Hash of the file before; null if there was none. */
  before: string | null;
  after: string;
  backup?: string;
  /** The user's own entry in this file. */
  own?: JsonObject;
  /** The command to run beside ours: of this file, or of one below it. */
  chained?: string;
}

const installsFile = (home: string): string => join(home, "installs", "statusline.json");

/** By the name of the chain, which our command carries. */
export function readStatusLines(home: string): Record<string, StatusLineInstall> {
  try {
    const value: unknown = JSON.parse(readTextFile(installsFile(home)) ?? "{}");
    return isObject(value as Json) ? (value as unknown as Record<string, StatusLineInstall>) : {};
  } catch {
    return {}; // torn or edited by hand: nothing in it can be relied on
  }
}

export function writeStatusLines(home: string, installs: Record<string, StatusLineInstall>): void {
  mkdirSync(join(home, "installs"), { recursive: true, mode: 0o700 });
  replaceText(installsFile(home), `${JSON.stringify(installs as unknown as JsonObject, null, 2)}\n`, 0o600);
}
