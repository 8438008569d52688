// The address file of the resident server: port, token and socket, kept so that registered addresses stay valid.
// Invariant: the folder is 0700 and its files 0600; the lock says whether a server runs, never an old file.
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isObject } from "../model/json.js";
import { readBoundedText } from "../project/bounded-read.js";
import { lockPath } from "../store/lock/lock.js";
import { life, parseOwner } from "../store/lock/owner.js";
import { systemClock } from "../store/record-clock.js";

export interface ServerAddress {
  port: number;
  /** Opens the hook door on loopback and nothing else. */
  token: string;
  /** For the shim and the command line. */
  socket: string;
  /** Minutes without an event after which the whole server ends; 0: never. */
  idleMinutes: number;
}

export { protocol } from "./spool-protocol.js";

export const serverFolder = (home: string): string => join(home, "server");
export const addressFile = (home: string): string => join(serverFolder(home), "door.json");

export function readAddress(home: string): ServerAddress | undefined {
  try {
    const value: unknown = JSON.parse(readBoundedText(addressFile(home), 1 << 20));
    if (!isObject(value)) return undefined;
    const { port, token, socket, idleMinutes } = value;
    const usable = Number.isInteger(port) && (port as number) > 0 && (port as number) < 65_536;
    if (!usable || typeof token !== "string" || !/^[\w-]{43}$/.test(token)) return undefined;
    if (typeof socket !== "string" || !isAbsolute(socket)) return undefined;
    return { port: port as number, token, socket, idleMinutes: Math.max(0, Number(idleMinutes) || 0) };
  } catch {
    return undefined; // none was made, or it cannot be read: a new one is made by `interlock up`
  }
}

export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform !== "win32") chmodSync(folder, 0o700);
}

const kept =
  /^(?:HOME|PATH|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|LANG|LC_\w+|XDG_\w+|SystemRoot|USERPROFILE|APPDATA|LOCALAPPDATA)$/;

/** The environment the server runs in: enough to find its files and run git; no key, phase or Node option of whoever
 * started it. */
export const serverEnv = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined && kept.test(e[0])));

/** The process that owns the sockets, if it lives. */
export function serverPid(home: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(lockPath(serverFolder(home)), "utf8");
  } catch {
    return undefined; // no lock, no server
  }
  const owner = parseOwner(text);
  return owner && life(owner, systemClock.boot()) === "alive" ? owner.pid : undefined;
}
