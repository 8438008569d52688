// Interlock's own entries in a settings file: how they are written and recognised.
// Invariant: an entry is ours by the program it runs and the words `hook claude-code`, wherever that program is.

import { asString, isObject, type Json, type JsonObject } from "../../../model/json.js";
import { limits } from "../../../model/limits.js";
import { shellQuote } from "../../../model/shell-quote.js";
import { hostEvent } from "../protocol/events.js";
import { isTeamEntry, teamCommand } from "./team-entry.js";

export interface HookProgram {
  /** Absolute path of the Node binary. */
  node: string;
  /** Absolute path of dist/interlock.cjs. */
  script: string;
}

/** How long the client waits for a hook. */
export const hookTimeoutSeconds = limits.host / 1_000;

export interface Registration {
  command: HookProgram;
  timeoutSeconds: number;
  /** "2.1.325"; undefined if the client could not be asked. */
  clientVersion?: string | undefined;
  /** Interlock's home, written into the entry so that no environment variable can name another. */
  home?: string | undefined;
  platform?: NodeJS.Platform;
  /** Where the resident server takes events. Without it every event starts a process. */
  served?: Served | undefined;
  /** An entry that can be committed: it finds Interlock on each machine. */
  team?: boolean | undefined;
}

export interface Served {
  /** The shim: hands an event to the server, or decides without it. Undefined where there is no `sh`. */
  shim?: string | undefined;
  /** The server's address; undefined for clients that let calls through when a server fails. */
  url?: string | undefined;
  /** Authenticates hooks. Sent in a header: the client shows the address of a failing hook to the agent. */
  token?: string | undefined;
  /** Environment variables that gates ask for. */
  env: readonly string[];
}

export type HookType = "http" | "shim" | "command";

/**
 * The hook type of one event. At the start of a session the client calls no http hook. At the end of a turn it ignores
 * `onFailure`, so the shim must be able to decide without the server. A prompt comes by the shim to notice that the
 * server is gone and start it again.
 */
export function hookTypeFor(event: string, served: Served | undefined): HookType {
  if (!served || event === "SessionStart") return "command";
  if (served.url === undefined) return served.shim ? "shim" : "command";
  return served.shim && ["UserPromptSubmit", "Stop", "SubagentStop"].includes(event) ? "shim" : "http";
}

/** The first version that fails closed; it also knows the exec form (`args`). */
export const failClosedSince = "2.1.295";

/** A pre-release (0.2.0-rc.1) comes before its release. */
export const atLeast = (version: string | undefined, least: string): boolean => {
  const [have, want] = [version ?? "", least].map((text) => {
    const [core = "", ...added] = text.split("+", 1)[0]!.split("-");
    return { core: core.split(".").map(Number), added: added.join("-") };
  });
  for (const [i, part] of want!.core.entries()) {
    const mine = have!.core[i] ?? -1;
    if (mine !== part) return mine > part;
  }
  if (!have!.added || !want!.added) return !have!.added;
  return have!.added.localeCompare(want!.added, "en", { numeric: true }) >= 0;
};

/** The hook type of an entry of ours as it is written. */
export function hookTypeOf(handler: JsonObject): HookType {
  if (handler.type === "http") return "http";
  return /interlock\.sh\b/.test(JSON.stringify(handler)) ? "shim" : "command";
}

/**
 * The exec form needs no shell and no quoting, but a client that does not know `args` would start Node without a
 * script: it is written only for clients known to have it. `onFailure` is harmless to a client that does not know it.
 */
export function ourHandler(event: string, registration: Registration): JsonObject {
  const { command, timeoutSeconds, clientVersion, served } = registration;
  if (registration.team) {
    const fails = hostEvent(event).failClosed ? { onFailure: "block" } : {};
    return { type: "command", command: teamCommand(event), timeout: timeoutSeconds, ...fails };
  }
  const exec = atLeast(clientVersion, failClosedSince);
  const closed = hostEvent(event).failClosed && (exec || clientVersion === undefined);
  const type = hookTypeFor(event, served);
  const manner = { timeout: timeoutSeconds, ...(closed ? { onFailure: "block" } : {}) };
  if (type === "http")
    return { type: "http", url: `${served!.url}/hook/claude-code/${event}/${hint}`, ...headersFor(served!), ...manner };
  const program = type === "shim" ? ["/bin/sh", served!.shim!] : [command.node, command.script];
  const home = type === "command" && registration.home ? ["--home", registration.home] : [];
  const [first, ...args] = [...program, "hook", "claude-code", "--event", event, ...home] as [string, ...string[]];
  const quoted = [first, ...args].map((word) => shellQuote(word, registration.platform ?? process.platform));
  return { type: "command", ...(exec ? { command: first, args } : { command: quoted.join(" ") }), ...manner };
}

/** Variables are sent as headers. The client fills in those it is allowed to; an unset one arrives empty. */
function headersFor({ token = "", env }: Served): JsonObject {
  const variables = env.map((name) => [`x-interlock-env-${name}`, `\${${name}}`]);
  return {
    headers: { [tokenHeader]: token, ...Object.fromEntries(variables) },
    ...(env.length ? { allowedEnvVars: [...env] } : {}),
  };
}

export const tokenHeader = "x-interlock-token";

/** The agent reads this when nobody answers: the client's error message shows the address. */
export const hint = "when-this-fails-ask-the-user-to-run:interlock-up";

export function isOurs(handler: Json | undefined): boolean {
  if (!isObject(handler)) return false;
  if (handler.type === "http") return isOurUrl(asString(handler.url));
  if (isTeamEntry(handler)) return true;
  const words = wordsOf(handler);
  const at = words.findIndex((word, i) => word === "hook" && words[i + 1] === "claude-code");
  return at > 0 && words.slice(0, at).some((word) => /(^|[\\/])(agent-)?interlock(\.[cm]?js|\.sh)?$/.test(word));
}

/** The words of a command entry, in the exec form and the shell form; empty for other types. */
export function wordsOf(handler: JsonObject): string[] {
  const command = asString(handler.command);
  if (handler.type !== "command" || command === undefined) return [];
  return Array.isArray(handler.args) ? [command, ...handler.args.map(String)] : shellWords(command);
}

/** The value a shim assigns to one of its variables. */
export const namedInShim = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}='((?:[^']|'\\\\'')*)'$`, "m").exec(text)?.[1]?.replaceAll("'\\''", "'");

function isOurUrl(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && /^\/hook\/claude-code(\/|$)/.test(pathname);
}

/** Splits a simple command line; enough to recognise our own. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
  );
}
