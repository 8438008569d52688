// The version matrix of `interlock doctor`: what is installed, what it can do, what of it is registered, and what is therefore enforced.
// Invariant: looks only; a statement about a client rests on its own version and on the entries as they are written.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { type Env, version } from "../hook/folders.js";
import { clientVersion, execute, type Run } from "../hosts/claude-code/install/client.js";
import {
  atLeast,
  failClosedSince,
  isOurs,
  namedInShim,
  type Way,
  wayOfHandler,
  wordsOf,
} from "../hosts/claude-code/install/own-entries.js";
import { abilities, eventSince, has, refusalMeans, testedWith } from "../hosts/claude-code/protocol/client-versions.js";
import { registeredEvents } from "../hosts/claude-code/protocol/events.js";
import type { Inspection } from "../hosts/claude-code/settings/scopes.js";
import { hookEntries, readSettings } from "../hosts/claude-code/settings/settings.js";
import type { Scope } from "../hosts/claude-code/settings/settings-files.js";
import { knownAgents, versionOfAgent } from "../hosts/other-agents.js";
import type { JsonObject } from "../model/json.js";
import type { Line } from "./checkup.js";

export const least = { node: "20.0.0", git: "2.23.0" };

export interface EventRow {
  event: string;
  since?: string;
  /** How it is registered; undefined: not at all. */
  door?: Way;
  refusal: ReturnType<typeof refusalMeans>;
  /** What the client does when Interlock fails. */
  failing: "refuses" | "lets it pass" | "not known";
}

export interface Matrix {
  tools: { name: string; version?: string; least: string; ok: boolean }[];
  interlock: { here: string; server?: string; supervisor?: string; registered: Registered[] };
  client: {
    name: "Claude Code";
    version?: string;
    testedWith: string;
    abilities: { name: string; since?: string; has?: boolean; without: string }[];
    events: EventRow[];
    /** enforced: also when Interlock fails; advisory: refusals hold while Interlock answers in time; none: nothing is registered. */
    enforcement: "enforced" | "advisory" | "none";
    why: string;
  };
  others: { name: string; version?: string; note: string }[];
}

/** One settings file with entries of ours, and the programs they start. */
export interface Registered {
  scope: Scope | "managed";
  file: string;
  doors: Way[];
  programs: { path: string; version?: string }[];
}

export interface Running {
  /** The version that judges, and the one that keeps the sockets. */
  worker: string;
  supervisor: string;
}

export async function versionMatrix(
  found: Inspection,
  running: Running | undefined,
  env: Env,
  run: Run = execute,
): Promise<Matrix> {
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
        doors: [...new Set(handlers.map(({ handler }) => wayOfHandler(handler)))],
        programs: [...new Set(handlers.flatMap(({ handler }) => programsOf(handler)))].map((path) => ({
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
  const settings = readSettings(readFileSync(file, "utf8"));
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
    ...(ours[0] && { door: wayOfHandler(ours[0].handler) }),
    refusal: refusalMeans(event),
    failing: !closed || honoured === false ? "lets it pass" : honoured ? "refuses" : "not known",
  };
}

function enforcement(
  client: string | undefined,
  events: readonly EventRow[],
  { off }: Inspection,
): Pick<Matrix["client"], "enforcement" | "why"> {
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
      why: `refusals hold, but ${client} lets a call through when a hook fails or is too slow; ${failClosedSince} refuses`,
    };
  return calls.failing === "refuses"
    ? { enforcement: "enforced", why: "refusals hold, and a call is refused when Interlock fails" }
    : { enforcement: "advisory", why: "the entries do not say that a failing hook refuses" };
}

/** The program file an entry starts; the shim names its own. */
function programsOf(handler: JsonObject): string[] {
  const words = wordsOf(handler);
  const shim = words.find((word) => /(^|\/)interlock\.sh$/.test(word));
  const text = shim !== undefined && existsSync(shim) ? readFileSync(shim, "utf8") : "";
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

/** What of the matrix needs doing, with the command that does it. */
export function versionLines(matrix: Matrix): Line[] {
  return [...matrix.tools.map(toolLine), ...clientLines(matrix), ...ownLines(matrix.interlock)];
}

function toolLine({ name, version: installed, least: minimum, ok }: Matrix["tools"][number]): Line {
  const title = name === "node" ? "Node" : name;
  if (ok) return { area: name, ok, what: `${title} ${installed} (${minimum} or newer)` };
  const missing = "branches and snapshots of the work tree are unknown to the gates";
  return {
    area: name,
    ok,
    ...(name === "git" && { mild: true as const }),
    what: installed ? `${title} ${installed} is older than ${minimum}` : `${name} was not found; ${missing}`,
    fix: name === "git" ? "install git 2.23 or newer" : "install Node 20 or newer",
  };
}

function clientLines({ client, others, interlock }: Matrix): Line[] {
  const lines: Line[] = [];
  const { version: installed } = client;
  if (!installed)
    lines.push({
      area: "client",
      ok: false,
      mild: true,
      what: "Claude Code was not found on PATH",
      fix: "npm install -g @anthropic-ai/claude-code",
    });
  else if (atLeast(installed, failClosedSince))
    lines.push({ area: "client", ok: true, what: `Claude Code ${installed} fails closed` });
  else
    lines.push({
      area: "client",
      ok: false,
      mild: true,
      what: `Claude Code ${installed} lets calls through when a hook fails: this installation is advisory in that case`,
      fix: `npm install -g @anthropic-ai/claude-code@${testedWith}`,
    });
  for (const { scope, file, doors } of interlock.registered) {
    if (scope === "managed" || !installed) continue;
    if (!atLeast(installed, failClosedSince) && doors.includes("http"))
      lines.push({
        area: "hooks",
        ok: false,
        what: `${file} calls the server over http, and Claude Code ${installed} lets every call through when it does not answer`,
        fix: `interlock init --scope ${scope} --door ${process.platform === "win32" ? "command" : "shim"}`,
        repair: { do: "register", scope, door: process.platform === "win32" ? "command" : "shim" },
      });
  }
  const calls = client.events.find((row) => row.event === "PreToolUse")!;
  const [first] = interlock.registered;
  if (installed && atLeast(installed, failClosedSince) && calls.door && calls.failing !== "refuses" && first)
    lines.push({
      area: "hooks",
      ok: false,
      what: `registered for an older client: Claude Code ${installed} could refuse when Interlock fails, and the entries do not ask it to`,
      fix: `interlock init --scope ${first.scope}`,
      repair: { do: "register", ...(first.scope !== "managed" && { scope: first.scope }) },
    });
  for (const other of others)
    if (other.version !== undefined)
      lines.push({
        area: "other agents",
        ok: false,
        mild: true,
        what: `${other.name} ${other.version} is installed and Interlock has no door into it: ${other.note}`,
      });
  return lines;
}

function ownLines({ here, server, registered }: Matrix["interlock"]): Line[] {
  const lines: Line[] = [];
  for (const { scope, file, programs } of registered)
    for (const { path, version: theirs } of programs) {
      if (theirs === here) continue;
      const repair = { do: "register" as const, ...(scope !== "managed" && { scope }) };
      const fix = scope === "managed" ? `correct the path in ${file}` : `interlock init --scope ${scope}`;
      const what =
        theirs === undefined
          ? `${path}, registered in ${file}, is missing or does not run`
          : `${file} starts version ${theirs} (${path}), this is version ${here}`;
      lines.push({ area: "version", ok: false, what, fix, ...(scope !== "managed" && { repair }) });
    }
  if (server !== undefined && server !== here) {
    const newer = atLeast(server, here);
    lines.push({
      area: "version",
      ok: false,
      ...(newer && { mild: true as const }),
      what: `the server judges with version ${server}, this is version ${here}`,
      fix: newer ? `npm install -g agent-interlock@${server}` : "interlock up",
      ...(!newer && { repair: { do: "up" as const } }),
    });
  }
  if (!lines.length) {
    const where = [server && "the server", registered.length && "the registration"].filter(Boolean);
    lines.push({
      area: "version",
      ok: true,
      what: `Interlock ${here}${where.length ? `, the same in ${where.join(" and ")}` : ""}`,
    });
  }
  return lines;
}
