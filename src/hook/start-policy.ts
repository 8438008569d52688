// When hooks start the resident server: not after `interlock down`, one at a time, and with a growing pause after
// failed starts.
// Invariant: reads and writes small files in the server's folder, and loads nothing that costs a hook time.
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBoundedText } from "../project/bounded-read.js";
import { makeFolder, serverFolder } from "./server-address.js";

/** `interlock down` keeps hooks from starting a server until the next session; with --stay until `interlock up`. */
export type DownUntil = "session" | "up";
const restFile = (home: string): string => join(serverFolder(home), "down");

export function downUntil(home: string): DownUntil | undefined {
  const file = restFile(home);
  if (!existsSync(file)) return undefined;
  try {
    return readBoundedText(file, 1 << 20).trim() === "up" ? "up" : "session";
  } catch {
    return "session"; // somebody meant something by it
  }
}

export function setDown(home: string, rest: DownUntil): void {
  makeFolder(serverFolder(home));
  writeFileSync(restFile(home), `${rest}\n`, { mode: 0o600 });
}

export const endDown = (home: string): void => forget(restFile(home));

const callFile = (home: string): string => join(serverFolder(home), "called");

/** How many starts failed, and whether it is time for the next: the pause doubles, up to ten minutes. */
export function startAttempts(home: string): { calls: number; due: boolean } {
  const last = existsSync(callFile(home)) && statSync(callFile(home), { throwIfNoEntry: false });
  if (!last) return { calls: 0, due: true };
  const calls = Math.max(1, last.size);
  const age = Date.now() - last.mtimeMs;
  return { calls, due: age < 0 || age > Math.min(600_000, 5_000 * 2 ** Math.min(calls, 20)) };
}

/** One byte per attempt. False: another hook is starting it right now, or nothing can be written here, so no server
 * could run here either. */
export function noteStartAttempt(home: string): boolean {
  const { calls } = startAttempts(home);
  try {
    makeFolder(serverFolder(home));
    if (calls) rmSync(callFile(home), { force: true });
    writeFileSync(callFile(home), ".".repeat(Math.min(calls + 1, 20)), { mode: 0o600, flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

/** It came. */
export const forgetStartAttempts = (home: string): void => forget(callFile(home));

function forget(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // nothing can be written here: what stays is read again, and doctor names the folder
  }
}

/** Why no hook starts a server here, in words that follow "the server"; undefined: hooks do. */
export function keptDown(home: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env["INTERLOCK_SERVER"] === "off") return "is kept from starting by INTERLOCK_SERVER=off";
  const rest = downUntil(home);
  return rest && `was ended by interlock down${rest === "up" ? " --stay" : ""}`;
}

/** Whether a hook that found no server, where one would help, calls it now. */
export const mayStart = (home: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  keptDown(home, env) === undefined && startAttempts(home).due;
