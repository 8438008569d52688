// Starting the resident server from a hook or a command: detached, in the background, for the home that has a door.
// Invariant: never throws and never makes the caller wait for more than it asked to.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { makeFolder, readDoor, serverEnv, serverFolder, serverPid } from "./door.js";

/** Two that summon at once start two processes; the lock lets one of them live. */
export function summon(home: string, script: string): void {
  if (serverPid(home) !== undefined) return;
  try {
    makeFolder(serverFolder(home));
    const child = spawn(process.execPath, [script, "serve", "--home", home], {
      cwd: home,
      env: serverEnv(process.env),
      detached: true,
      stdio: "ignore",
      windowsHide: true,
    });
    child.on("error", () => {}); // no process to be had: the hook has decided by itself, the next one tries again
    child.unref();
  } catch {
    // the same, said synchronously
  }
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

/**
 * For the hook that starts a session: the next events go to the server, so it is waited for, in bounds.
 * Returns a sentence when it does not come.
 */
export async function summonForSession(home: string, script: string): Promise<string | undefined> {
  const door = readDoor(home);
  if (!door) return undefined;
  summon(home, script);
  if (await answers({ path: door.socket }, 5_000)) return undefined;
  return "Interlock's server does not start: calls registered over http are refused until it does. Run: interlock up";
}
