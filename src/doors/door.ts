// The address of the resident server: its port, the word that opens its hook door, its socket; kept so that registered addresses stay valid.
// Invariant: the folder is 0700 and its files 0600; whether a server lives is read from its lock, never guessed from an old file.
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../engine/json.js";
import { os } from "../files/builtin.js";
import { replaceFile } from "../files/replace.js";
import { systemClock } from "../store/clock.js";
import { lockPath } from "../store/lock.js";
import { life, parseOwner } from "../store/owner.js";

export interface Door {
  port: number;
  /** Opens the hook door on loopback and nothing else. */
  token: string;
  /** For the shim and the command line. */
  socket: string;
  /** Minutes without an event after which the whole server ends; 0: never. */
  idleMinutes: number;
}

export { protocol } from "./spool.js";

export const serverFolder = (home: string): string => join(home, "server");
const doorFile = (home: string): string => join(serverFolder(home), "door.json");

/** A socket's path has room for about 100 bytes; a deeper home gets a folder of its own below the temporary one. */
function socketPath(home: string): string {
  const name = createHash("sha256").update(home).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\interlock-${name}`;
  const path = join(serverFolder(home), "socket");
  return Buffer.byteLength(path) <= 100
    ? path
    : join(os().tmpdir(), `interlock-${process.getuid?.() ?? 0}-${name}`, "socket");
}

export function readDoor(home: string): Door | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(doorFile(home), "utf8"));
    if (!isObject(value)) return undefined;
    const { port, token, socket, idleMinutes } = value;
    if (!Number.isInteger(port) || typeof token !== "string" || !/^[\w-]{43}$/.test(token)) return undefined;
    if (typeof socket !== "string") return undefined;
    return { port: port as number, token, socket, idleMinutes: Number(idleMinutes) || 0 };
  } catch {
    return undefined; // none was made, or it cannot be read: a new one is made by `interlock up`
  }
}

export function writeDoor(home: string, door: Door): void {
  makeFolder(serverFolder(home));
  replaceFile(doorFile(home), `${JSON.stringify(door, null, 2)}\n`, 0o600);
}

export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform !== "win32") chmodSync(folder, 0o700);
}

/** Not written yet. The port lies below those systems hand out by themselves, so that no chance listener ever sits on a registered address. */
export const draftDoor = (home: string): Door => ({
  port: 20_000 + (randomBytes(2).readUInt16BE() % 12_000),
  token: randomBytes(32).toString("base64url"),
  socket: socketPath(home),
  idleMinutes: 0,
});

const kept =
  /^(?:HOME|PATH|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|LANG|LC_\w+|XDG_\w+|SystemRoot|USERPROFILE|APPDATA|LOCALAPPDATA)$/;

/** What of an environment the server lives in: enough to find its files and to run git; no key, no phase, no Node option of whoever started it. */
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
