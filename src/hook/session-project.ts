// Which project a session belongs to. Http hooks do not see the agent's environment, and the agent's folder moves
// with every `cd`, its project does not.
// Invariant: the first project a session was seen in stays its project, also after a restart of the server.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "../model/event.js";
import { asString, isObject } from "../model/json.js";
import { sha256 } from "../model/sha256.js";
import { readBoundedText } from "../project/bounded-read.js";
import type { Env } from "./folders.js";

export interface SessionProject {
  project: string;
  configDir?: string;
}

const folderIn = (home: string): string => join(home, "sessions");
const fileOf = (home: string, session: string): string => join(folderIn(home), sha256(session).slice(0, 32));

const keptMs = 60 * 24 * 3_600_000;
const keptFiles = 2_000;

const most = 500;

/** The projects of sessions, remembered. */
export class SessionProjects {
  readonly #known = new Map<string, SessionProject>();

  constructor(private readonly home: string) {}

  /** Sets the event's project, and where the client keeps its settings, as the environment of a command hook would. */
  locate(event: Event, env: Env): void {
    const given = event.projectDir ?? (event.cwd || undefined);
    const known = event.session ? this.#find(event.session, given) : undefined;
    event.projectDir ??= known?.project ?? given;
    if (known?.configDir) env["CLAUDE_CONFIG_DIR"] ??= known.configDir;
  }

  #find(session: string, given: string | undefined): SessionProject | undefined {
    const known = this.#known.get(session);
    if (known) return known;
    const noted = () => (given ? noteSessionProject(this.home, session, { project: given }) : undefined);
    const found = readSessionProject(this.home, session) ?? noted();
    if (!found) return undefined;
    if (this.#known.size >= most) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(session, found);
    return found;
  }
}

export function readSessionProject(home: string, session: string): SessionProject | undefined {
  try {
    const value: unknown = JSON.parse(readBoundedText(fileOf(home, session), 1 << 20));
    const project = isObject(value) ? asString(value["project"]) : undefined;
    if (!project || !isObject(value)) return undefined;
    const configDir = asString(value["configDir"]);
    return configDir ? { project, configDir } : { project };
  } catch {
    return undefined; // a new session, or an unreadable file: its folder is then its project
  }
}

/** The first writer wins: a later event cannot move a session to another project. */
export function noteSessionProject(home: string, session: string, project: SessionProject): SessionProject {
  const file = fileOf(home, session);
  try {
    mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(project), { mode: 0o600, flag: "wx" });
    sweep(home);
    return project;
  } catch {
    return readSessionProject(home, session) ?? project; // known already, or the disk cannot be written
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
