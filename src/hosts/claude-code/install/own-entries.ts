// Our own entries in a settings file: how they are written, and how they are known again.
// Invariant: an entry is ours by the program it runs and the words `hook claude-code`, wherever that program lies.
import { asString, isObject, type Json, type JsonObject } from "../../../model/json.js";
import { hostEvent } from "../protocol/events.js";

export interface Program {
  /** Absolute path of the Node binary. */
  node: string;
  /** Absolute path of dist/interlock.cjs. */
  script: string;
}

export interface Registration {
  command: Program;
  timeoutSeconds: number;
  /** "2.1.325"; undefined where the client could not be asked. */
  clientVersion?: string | undefined;
  /** Interlock's own folder, written into the entry so that no environment variable can name another. */
  home?: string | undefined;
  platform?: NodeJS.Platform;
  /** Where the resident server takes events; without it every event starts the program. */
  served?: Served | undefined;
}

export interface Served {
  /** The small program that hands an event to the server, or decides without it. Undefined where there is no `sh`. */
  shim?: string | undefined;
  /** The server's address; undefined for clients that let calls through when a server fails. */
  url?: string | undefined;
  /** Opens the server's hook door. In a header, not in the address: the client shows a failing hook's address to the agent. */
  token?: string | undefined;
  /** Variables of the agent's environment that gates ask for. */
  env: readonly string[];
}

export type Way = "http" | "shim" | "command";

/**
 * How an event comes to us. The client calls no server at the start of a session; it ignores `onFailure` where a turn ends, so there something
 * must be able to decide without the server; and each prompt is a chance to notice that the server is gone and to start it again.
 */
export function wayOf(event: string, served: Served | undefined): Way {
  if (!served || event === "SessionStart") return "command";
  if (served.url === undefined) return served.shim ? "shim" : "command";
  return served.shim && ["UserPromptSubmit", "Stop", "SubagentStop"].includes(event) ? "shim" : "http";
}

/** The first version that fails closed, and the first we know to have the exec form. */
export const failClosedSince = "2.1.295";

/** A version with an addition (0.2.0-rc.1) comes before the one without. */
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

/** The way of an entry of ours as it is written. */
export function wayOfHandler(handler: JsonObject): Way {
  if (handler.type === "http") return "http";
  return /interlock\.sh\b/.test(JSON.stringify(handler)) ? "shim" : "command";
}

/**
 * The exec form needs no shell and no quoting, but a client that does not know `args` would start Node with nothing to run:
 * so it is written only for clients known to have it. `onFailure` is harmless to a client that does not know it.
 */
export function ourHandler(event: string, registration: Registration): JsonObject {
  const { command, timeoutSeconds, clientVersion, served } = registration;
  const exec = atLeast(clientVersion, failClosedSince);
  const closed = hostEvent(event).failClosed && (exec || clientVersion === undefined);
  const way = wayOf(event, served);
  const manner = { timeout: timeoutSeconds, ...(closed ? { onFailure: "block" } : {}) };
  if (way === "http")
    return { type: "http", url: `${served!.url}/hook/claude-code/${event}/${hint}`, ...headersFor(served!), ...manner };
  const program = way === "shim" ? ["/bin/sh", served!.shim!] : [command.node, command.script];
  const home = way === "command" && registration.home ? ["--home", registration.home] : [];
  const [first, ...args] = [...program, "hook", "claude-code", "--event", event, ...home] as [string, ...string[]];
  const quoted = [first, ...args].map((word) => quote(word, registration.platform ?? process.platform));
  return { type: "command", ...(exec ? { command: first, args } : { command: quoted.join(" ") }), ...manner };
}

/** Variables travel as headers; the client fills in those it is allowed to, an unset one arrives empty. */
function headersFor({ token = "", env }: Served): JsonObject {
  const variables = env.map((name) => [`x-interlock-env-${name}`, `\${${name}}`]);
  return {
    headers: { [tokenHeader]: token, ...Object.fromEntries(variables) },
    ...(env.length ? { allowedEnvVars: [...env] } : {}),
  };
}

export const tokenHeader = "x-interlock-token";

/** What the agent reads when nobody answers: the client's own message names the address. */
export const hint = "when-this-fails-ask-the-user-to-run:interlock-up";

function quote(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

export function isOurs(handler: Json | undefined): boolean {
  if (!isObject(handler)) return false;
  if (handler.type === "http") return isOurUrl(asString(handler.url));
  const words = wordsOf(handler);
  const at = words.findIndex((word, i) => word === "hook" && words[i + 1] === "claude-code");
  return at > 0 && words.slice(0, at).some((word) => /(^|[\\/])(agent-)?interlock(\.[cm]?js|\.sh)?$/.test(word));
}

/** What a command entry runs, word by word, in both forms; empty for others. */
export function wordsOf(handler: JsonObject): string[] {
  const command = asString(handler.command);
  if (handler.type !== "command" || command === undefined) return [];
  return Array.isArray(handler.args) ? [command, ...handler.args.map(String)] : shellWords(command);
}

/** What a shim sets one of its variables to, as the shell would read it. */
export const namedInShim = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}='((?:[^']|'\\\\'')*)'$`, "m").exec(text)?.[1]?.replaceAll("'\\''", "'");

function isOurUrl(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && /^\/hook\/claude-code(\/|$)/.test(pathname);
}

/** Words of a simple command line; enough to know our own again. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
  );
}
