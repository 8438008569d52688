// When hooks start the resident server: not where a person ended it, not all at once, and ever more rarely where it does not come.
// Invariant: reads and writes small files in the server's folder, and loads nothing that costs a hook time.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, serverFolder } from "./server-address.js";

/** `interlock down` keeps hooks from starting a server until the next session starts; with --stay until `interlock up`. */
export type Rest = "session" | "up";
const restFile = (home: string): string => join(serverFolder(home), "down");

export function restOf(home: string): Rest | undefined {
  const file = restFile(home);
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, "utf8").trim() === "up" ? "up" : "session";
  } catch {
    return "session"; // somebody meant something by it
  }
}

export function setRest(home: string, rest: Rest): void {
  makeFolder(serverFolder(home));
  writeFileSync(restFile(home), `${rest}\n`, { mode: 0o600 });
}

export const endRest = (home: string): void => forget(restFile(home));

const callFile = (home: string): string => join(serverFolder(home), "called");

/** How often hooks called a server that has not come yet, and whether it is time to call again: ever more rarely, at most ten minutes apart. */
export function callsFor(home: string): { calls: number; due: boolean } {
  const last = existsSync(callFile(home)) && statSync(callFile(home), { throwIfNoEntry: false });
  if (!last) return { calls: 0, due: true };
  const calls = Math.max(1, last.size);
  const age = Date.now() - last.mtimeMs;
  return { calls, due: age < 0 || age > Math.min(600_000, 5_000 * 2 ** Math.min(calls, 20)) };
}

/** One byte a call. False: another hook is calling at this very moment, or nothing can be written here, so no server could live here either. */
export function noteCall(home: string): boolean {
  const { calls } = callsFor(home);
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
export const forgetCalls = (home: string): void => forget(callFile(home));

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
  const rest = restOf(home);
  return rest && `was ended by interlock down${rest === "up" ? " --stay" : ""}`;
}

/** Whether a hook that found no server, where one would help, calls it now. */
export const mayCall = (home: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  keptDown(home, env) === undefined && callsFor(home).due;
