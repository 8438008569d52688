// Starting the resident server from a hook or a command: detached, in the background, for the home that has a door.
// Invariant: never throws and never makes the caller wait for more than it asked to.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { readManifest } from "../hosts/claude-code/install/install-manifest.js";
import { makeFolder, readDoor, serverEnv, serverFolder, serverPid } from "./server-address.js";
import { endRest, forgetCalls, keptDown, noteCall, restOf } from "./start-policy.js";

/** For hooks: one of those that find no server at the same time starts it, and one that does not come is called ever more rarely. */
export function call(home: string, script: string): void {
  const wanted = readDoor(home) !== undefined || Object.keys(readManifest(home).installs).length > 0;
  if (wanted && serverPid(home) === undefined && noteCall(home)) summon(home, script, "--called");
}

export interface Summoned {
  /** Whether its process has ended again. */
  over: boolean;
}

/** Two that summon at once start two processes; the lock lets one of them live. */
export function summon(home: string, script: string, ...how: string[]): Summoned {
  const summoned = { over: true };
  if (serverPid(home) !== undefined) return summoned;
  try {
    makeFolder(serverFolder(home));
    const child = spawn(process.execPath, [script, "serve", "--home", home, ...how], {
      cwd: home,
      env: serverEnv(process.env),
      detached: true,
      stdio: "ignore",
      windowsHide: true,
    });
    summoned.over = false;
    child.once("exit", () => (summoned.over = true));
    child.on("error", () => (summoned.over = true)); // no process to be had: the hook has decided by itself, the next one tries again
    child.unref();
  } catch {
    // the same, said synchronously
  }
  return summoned;
}

/** Whether something takes connections there within the time. */
export async function answers(where: { path: string } | { port: number }, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (;;) {
    if (await connects(where)) return true;
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

function connects(where: { path: string } | { port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect("port" in where ? { ...where, host: "127.0.0.1" } : where);
    const done = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
    socket.setTimeout(1_000, () => done(false));
  });
}

/** Whether something registered calls the server's port: then nothing passes while it is down. */
export const calledOverHttp = (home: string): boolean =>
  Object.values(readManifest(home).installs).some((install) =>
    Object.values(install.handlers).some((handler) => handler["type"] === "http"),
  );

/**
 * For the hook that starts a session: a rest until then is over. Where the next events go to the server it is waited for, in bounds.
 * Returns a sentence when it does not come.
 */
export async function summonForSession(
  home: string,
  script: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (env["INTERLOCK_SERVER"] !== "off") {
    if (restOf(home) === "session") endRest(home);
    forgetCalls(home);
  }
  const door = readDoor(home);
  if (!door || !calledOverHttp(home)) return undefined;
  const down = keptDown(home, env);
  if (down) return `Interlock's server ${down}: calls registered over http are refused until you run: interlock up`;
  summon(home, script, "--called");
  if (await answers({ path: door.socket }, 5_000)) return undefined;
  return "Interlock's server does not start: calls registered over http are refused until it does. Run: interlock up";
}
