// Which settings files hold our status line, and the user's own command for each: kept in Interlock's home.
import type { JsonObject } from "../../../model/json.js";
import type { ChangedFile } from "../settings/planned-change.js";
import { readInstalls, writeInstalls } from "./install-manifest.js";

export interface StatusLineInstall extends ChangedFile {
  /** The user's own entry in this file. */
  own?: JsonObject;
  /** The command to run beside ours: of this file, or of one below it. */
  chained?: string;
}

/** By the name of the chain, which our command carries. */
export const readStatusLines = (home: string): Record<string, StatusLineInstall> =>
  readInstalls<StatusLineInstall>(home, "statusline");

export const writeStatusLines = (home: string, installs: Record<string, StatusLineInstall>): void =>
  writeInstalls(home, "statusline", installs);
