// Which project a session belongs to, for doors that do not see the agent's environment: the agent's folder moves with every `cd`, its project does not.
// Invariant: the first place a session was seen in stays its place, also over a restart of the server.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asString, isObject } from "../model/json.js";

export interface SessionPlace {
  project: string;
  configDir?: string;
}

const folderIn = (home: string): string => join(home, "sessions");
const fileOf = (home: string, session: string): string =>
  join(folderIn(home), createHash("sha256").update(session).digest("hex").slice(0, 32));

const keptMs = 60 * 24 * 3_600_000;
const keptFiles = 2_000;

export function readPlace(home: string, session: string): SessionPlace | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(home, session), "utf8"));
    const project = isObject(value) ? asString(value["project"]) : undefined;
    if (!project || !isObject(value)) return undefined;
    const configDir = asString(value["configDir"]);
    return configDir ? { project, configDir } : { project };
  } catch {
    return undefined; // not seen before, or not readable: its folder is then its project
  }
}

/** The first writer wins: a later event cannot move a session to another project. */
export function notePlace(home: string, session: string, place: SessionPlace): SessionPlace {
  const file = fileOf(home, session);
  try {
    mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(place), { mode: 0o600, flag: "wx" });
    sweep(home);
    return place;
  } catch {
    return readPlace(home, session) ?? place; // known already, or a disk that cannot be written: then as seen now
  }
}

function sweep(home: string): void {
  const folder = folderIn(home);
  const names = readdirSync(folder);
  if (names.length < keptFiles) return;
  const old = Date.now() - keptMs;
  for (const name of names) {
    const file = join(folder, name);
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < old) rmSync(file, { force: true });
  }
}
