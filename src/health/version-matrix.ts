// The version matrix of `interlock doctor`: what is installed, what it can do, what is registered, what is enforced.
// Invariant: looks only; what is said of a client rests on its own version and on the entries as they are written.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Env, interlockHome, version } from "../hook/folders.js";
import { clientVersion, execute, type RunProgram } from "../hosts/claude-code/install/installed-client.js";
import {
  atLeast,
  failClosedSince,
  type HookType,
  hookTypeOf,
  isOurs,
  namedInShim,
  wordsOf,
} from "../hosts/claude-code/install/own-entries.js";
import { isTeamEntry } from "../hosts/claude-code/install/team-entry.js";
import { abilities, eventSince, has, refusalMeans, testedWith } from "../hosts/claude-code/protocol/client-versions.js";
import { registeredEvents } from "../hosts/claude-code/protocol/events.js";
import type { Inspection } from "../hosts/claude-code/settings/scopes.js";
import { hookEntries, readSettings } from "../hosts/claude-code/settings/settings.js";
import type { SettingsScope } from "../hosts/claude-code/settings/settings-files.js";
import { knownAgents, versionOfAgent } from "../hosts/other-agents.js";
import type { JsonObject } from "../model/json.js";
import { readBoundedText } from "../project/bounded-read.js";
import { teamProgram } from "./own-program.js";

export const least = { node: "20.0.0", git: "2.23.0" };

export interface EventRow {
  event: string;
  since?: string;
  /** The hook type it is registered with; undefined: it is not registered. */
  door?: HookType;
  refusal: ReturnType<typeof refusalMeans>;
  /** What the client does when Interlock fails. */
  failing: "refuses" | "lets it pass" | "not known";
}

export interface VersionMatrix {
  tools: { name: string; version?: string; least: string; ok: boolean }[];
  interlock: { here: string; server?: string; supervisor?: string; registered: RegisteredFile[] };
  client: {
    name: "Claude Code";
    version?: string;
    testedWith: string;
    abilities: { name: string; since?: string; has?: boolean; without: string }[];
    events: EventRow[];
    /**
     * enforced: calls are refused even when Interlock fails. advisory: refusals hold while Interlock answers in time.
     * none: nothing is registered.
     */
    enforcement: "enforced" | "advisory" | "none";
    why: string;
  };
  others: { name: string; version?: string; note: string }[];
}

/** One settings file with entries of ours, and the programs they start. */
export interface RegisteredFile {
  scope: SettingsScope | "managed";
  file: string;
  doors: HookType[];
  programs: { path: string; version?: string }[];
}

export interface RunningVersions {
  /** The version that judges, and the one that holds the sockets. */
  worker: string;
  supervisor: string;
}

export async function versionMatrix(
  found: Inspection,
  running: RunningVersions | undefined,
  env: Env,
  run: RunProgram = execute,
): Promise<VersionMatrix> {
  const client = await clientVersion(run);
  const entries = found.scopes.filter((s) => s.ours.length > 0).map((s) => ({ ...s, handlers: ourHandlers(s.file) }));
  const events = registeredEvents.map((event) => eventRow(event, client, entries));
  return {
    tools: [tool("node", process.versions.node, least.node), tool("git", gitVersion(env), least.git)],
    interlock: {
      here: version,
      ...(running && { server: running.worker, supervisor: running.supervisor }),
      registered: entries.map(({ scope, file, handlers }) => ({
        scope,
        file,
        doors: [...new Set(handlers.map(({ handler }) => hookTypeOf(handler)))],
        programs: [...new Set(handlers.flatMap(({ handler }) => programsOf(handler, file, env)))].map((path) => ({
          path,
          version: versionOfProgram(path, env),
        })),
      })),
    },
    client: {
      name: "Claude Code",
      ...(client !== undefined && { version: client }),
      testedWith,
      abilities: abilities.map((a) => ({ ...a, has: has(client, a.since) })),
      events,
      ...enforcement(client, events, found),
    },
    others: await Promise.all(
      knownAgents.map(async ({ name, program, note }) => ({ name, version: await versionOfAgent(program, run), note })),
    ),
  };
}

const tool = (name: string, installed: string | undefined, minimum: string) => ({
  name,
  ...(installed !== undefined && { version: installed }),
  least: minimum,
  ok: atLeast(installed, minimum),
});

function gitVersion(env: Env): string | undefined {
  const asked = spawnSync("git", ["--version"], { env: env as NodeJS.ProcessEnv, encoding: "utf8", timeout: 10_000 });
  return asked.status === 0 ? /(\d+\.\d+(?:\.\d+)?)/.exec(asked.stdout)?.[1] : undefined;
}

interface Entry {
  event: string;
  handler: JsonObject;
}

function ourHandlers(file: string): Entry[] {
  const settings = readSettings(readBoundedText(file, 1 << 20));
  return settings.ok ? hookEntries(settings.json).filter((entry) => isOurs(entry.handler)) : [];
}

function eventRow(event: string, client: string | undefined, files: { handlers: Entry[] }[]): EventRow {
  const since = eventSince(event);
  const ours = files.flatMap(({ handlers }) => handlers).filter((entry) => entry.event === event);
  const closed = ours.some(({ handler }) => handler["onFailure"] === "block");
  const honoured = has(client, failClosedSince);
  return {
    event,
    ...(since !== undefined && { since }),
    ...(ours[0] && { door: hookTypeOf(ours[0].handler) }),
    refusal: refusalMeans(event),
    failing: !closed || honoured === false ? "lets it pass" : honoured ? "refuses" : "not known",
  };
}

function enforcement(
  client: string | undefined,
  events: readonly EventRow[],
  { off }: Inspection,
): Pick<VersionMatrix["client"], "enforcement" | "why"> {
  const calls = events.find((row) => row.event === "PreToolUse")!;
  if (!calls.door) return { enforcement: "none", why: "no call comes to Interlock: it is not registered" };
  if (off.length) return { enforcement: "none", why: `no hook runs: ${off[0]}` };
  if (client === undefined)
    return {
      enforcement: "advisory",
      why: "the client's version is not known; from 2.1.295 on it refuses when a hook fails",
    };
  if (!atLeast(client, failClosedSince))
    return {
      enforcement: "advisory",
      why: `refusals hold, but ${client} lets calls through when a hook fails or times out; ${failClosedSince} refuses`,
    };
  return calls.failing === "refuses"
    ? { enforcement: "enforced", why: "refusals hold, and a call is refused when Interlock fails" }
    : { enforcement: "advisory", why: "the entries do not say that a failing hook refuses" };
}

/** The program file an entry starts; the shim names its own. */
function programsOf(handler: JsonObject, file: string, env: Env): string[] {
  if (isTeamEntry(handler)) return [teamProgram(interlockHome(env), dirname(dirname(file)), env["PATH"]) ?? []].flat();
  const words = wordsOf(handler);
  const shim = words.find((word) => /(^|\/)interlock\.sh$/.test(word));
  const text = shim !== undefined && existsSync(shim) ? readBoundedText(shim, 1 << 20) : "";
  const named =
    shim === undefined ? words.find((word) => /(^|[\\/])interlock\.[cm]?js$/.test(word)) : namedInShim(text, "script");
  return [named ?? shim ?? []].flat();
}

function versionOfProgram(path: string, env: Env): string | undefined {
  if (!existsSync(path)) return undefined;
  const asked = spawnSync(process.execPath, [path, "--version"], {
    env: env as NodeJS.ProcessEnv,
    encoding: "utf8",
    timeout: 10_000,
  });
  return /^\d+\.\d+\.\d+\S*/.exec(asked.stdout?.trim() ?? "")?.[0];
}
