// Our own entries in a settings file: how they are written, and how they are known again.
// Invariant: an entry is ours by the program it runs and the words `hook claude-code`, wherever that program lies.
import { asString, isObject, type Json, type JsonObject } from "../../engine/json.js";
import { hostEvent } from "./events.js";

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
}

/** The first version that fails closed, and the first we know to have the exec form. */
export const failClosedSince = "2.1.295";

export const atLeast = (version: string | undefined, least: string): boolean => {
  const [have, want] = [version, least].map((v) => v?.split(".").map(Number) ?? []);
  for (const [i, part] of want!.entries()) if ((have![i] ?? -1) !== part) return (have![i] ?? -1) > part;
  return true;
};

/**
 * The exec form needs no shell and no quoting, but a client that does not know `args` would start Node with nothing to run:
 * so it is written only for clients known to have it. `onFailure` is harmless to a client that does not know it.
 */
export function ourHandler(event: string, registration: Registration): JsonObject {
  const { command, timeoutSeconds, clientVersion } = registration;
  const args = [
    command.script,
    "hook",
    "claude-code",
    "--event",
    event,
    ...(registration.home ? ["--home", registration.home] : []),
  ];
  const exec = atLeast(clientVersion, failClosedSince);
  const closed = hostEvent(event).failClosed && (exec || clientVersion === undefined);
  const quoted = [command.node, ...args].map((word) => quote(word, registration.platform ?? process.platform));
  return {
    type: "command",
    ...(exec ? { command: command.node, args } : { command: quoted.join(" ") }),
    timeout: timeoutSeconds,
    ...(closed ? { onFailure: "block" } : {}),
  };
}

function quote(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

export function isOurs(handler: Json | undefined): boolean {
  if (!isObject(handler)) return false;
  if (handler.type === "http") return isOurUrl(asString(handler.url));
  const command = asString(handler.command);
  if (handler.type !== "command" || command === undefined) return false;
  const args = Array.isArray(handler.args) ? handler.args.map(String) : undefined;
  const words = args ? [command, ...args] : shellWords(command);
  const at = words.findIndex((word, i) => word === "hook" && words[i + 1] === "claude-code");
  return at > 0 && words.slice(0, at).some((word) => /(^|[\\/])(agent-)?interlock(\.[cm]?js)?$/.test(word));
}

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
