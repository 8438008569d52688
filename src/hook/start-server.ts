// Starting the resident server from a hook or a command: detached, in the background, for the home that has a door.
// Invariant: never throws and never makes the caller wait for more than it asked to.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { readManifest } from "../hosts/claude-code/install/install-manifest.js";
import { makeFolder, readAddress, serverEnv, serverFolder, serverPid } from "./server-address.js";
import { downUntil, endDown, forgetStartAttempts, keptDown, noteStartAttempt } from "./start-policy.js";

/** For hooks: concurrent hooks start a single server, and failed starts back off. */
export function startFromHook(home: string, script: string): void {
  const wanted = readAddress(home) !== undefined || Object.keys(readManifest(home).installs).length > 0;
  if (wanted && serverPid(home) === undefined && noteStartAttempt(home)) startServer(home, script, "--called");
}

export interface StartedServer {
  /** Whether its process has ended again. */
  over: boolean;
}

/** Two calls at once start two processes; the lock lets one of them run. */
export function startServer(home: string, script: string, ...how: string[]): StartedServer {
  const started = { over: true };
  if (serverPid(home) !== undefined) return started;
  try {
    makeFolder(serverFolder(home));
    const child = spawn(process.execPath, [script, "serve", "--home", home, ...how], {
      cwd: home,
      env: serverEnv(process.env),
      detached: true,
      stdio: "ignore",
      windowsHide: true,
    });
    started.over = false;
    child.once("exit", () => (started.over = true));
    child.on("error", () => (started.over = true)); // no process: the next hook tries again
    child.unref();
  } catch {
    // no process: the next hook tries again
  }
  return started;
}

/** Whether something accepts connections there within the given time. */
export async function acceptsConnections(
  where: { path: string } | { port: number },
  withinMs: number,
): Promise<boolean> {
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
 * For the hook that starts a session: ends an `interlock down`. Waits for the server where the next events go to it.
 * Returns a sentence when it does not come.
 */
export async function startForSession(
  home: string,
  script: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (env["INTERLOCK_SERVER"] !== "off") {
    if (downUntil(home) === "session") endDown(home);
    forgetStartAttempts(home);
  }
  const door = readAddress(home);
  if (!door || !calledOverHttp(home)) return undefined;
  const down = keptDown(home, env);
  if (down) return `Interlock's server ${down}: calls registered over http are refused until you run: interlock up`;
  startServer(home, script, "--called");
  if (await acceptsConnections({ path: door.socket }, 5_000)) return undefined;
  return "Interlock's server does not start: calls registered over http are refused until it does. Run: interlock up";
}
