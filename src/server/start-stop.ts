// Starts and stops the resident server from the command line.
// Invariant: after `bringUp` a server no older than this version answers, or the reason why none does is returned.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { version } from "../hook/folders.js";
import { readAddress, type ServerAddress, serverFolder, serverPid } from "../hook/server-address.js";
import { endDown } from "../hook/start-policy.js";
import { acceptsConnections, startServer } from "../hook/start-server.js";
import { atLeast } from "../hosts/claude-code/install/own-entries.js";
import { inert } from "../model/text.js";
import { residenceOf } from "../project/protected/own-server.js";
import { type About, aboutServer, requestServer } from "./client.js";
import { prepareFolder } from "./home-preflight.js";
import { draftAddress, writeAddress } from "./new-address.js";
import { restoreAddress } from "./repair-address.js";

export interface Up {
  door: ServerAddress;
  about: About;
  did: "nothing" | "started" | "switched";
}

export interface NotUp {
  why: string;
  fix: string;
}

export async function bringUp(home: string, script: string, withinMs = 15_000): Promise<Up | NotUp> {
  const unusable = prepareFolder(home);
  if (unusable) return unusable;
  endDown(home);
  restoreAddress(home);
  const before = await running(home);
  const up = before ?? (await started(home, script, withinMs));
  if (!up) return whyNot(home);
  if (before && needsSwitch(up.about)) {
    const switched = await requestServer(up.door.socket, "POST", "/switch", script, 30_000);
    if (!switched || switched["why"]) {
      const why = inert(String(switched?.["why"] ?? "no answer"), 300);
      return {
        why: `version ${versionOf(up.about)} runs and version ${version} could not take over: ${why}`,
        fix: "interlock down, then interlock up",
      };
    }
    return { door: up.door, about: (await aboutServer(up.door.socket)) ?? up.about, did: "switched" };
  }
  return { ...up, did: before ? "nothing" : "started" };
}

/** What `bringUp` would have to do; looks only. */
export async function serverStep(home: string): Promise<Up["did"]> {
  const up = await running(home);
  if (!up) return "started";
  return needsSwitch(up.about) ? "switched" : "nothing";
}

/** The version that judges: the worker's, if there is a worker. */
export function versionOf(about: About): string {
  const worker = about["worker"] as { version?: string } | null;
  return worker?.version ?? about.version;
}

const isOlder = (about: About): boolean => {
  const runs = versionOf(about);
  return runs !== version && !atLeast(runs, version);
};

/** An older version runs, or the supervisor runs but cannot keep a worker alive. */
const needsSwitch = (about: About): boolean =>
  isOlder(about) || (about["worker"] === null && about["trouble"] !== undefined);

export async function running(home: string): Promise<Omit<Up, "did"> | undefined> {
  const door = readAddress(home);
  if (!door || serverPid(home) === undefined) return undefined;
  const about = await aboutServer(door.socket);
  return about && { door, about };
}

/** The same, with a wait for a server that has its lock and does not answer yet: it may just be starting. */
export const runningSoon = (home: string, withinMs = 10_000): Promise<Omit<Up, "did"> | undefined> =>
  waitFor(home, withinMs, () => serverPid(home) === undefined);

async function waitFor(home: string, withinMs: number, isGone: () => boolean): Promise<Omit<Up, "did"> | undefined> {
  const end = performance.now() + withinMs;
  for (;;) {
    const up = await running(home);
    if (up || isGone() || performance.now() > end) return up;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

function started(home: string, script: string, withinMs: number): Promise<Omit<Up, "did"> | undefined> {
  const server = startServer(home, script);
  // Over without a lock: it started and ended again.
  return waitFor(home, withinMs, () => server.over && serverPid(home) === undefined);
}

async function whyNot(home: string): Promise<NotUp> {
  const pid = serverPid(home);
  if (pid !== undefined)
    return {
      why: `process ${pid} holds the server's place and does not answer`,
      fix: "interlock down, then interlock up",
    };
  const door = readAddress(home);
  if (door && (await acceptsConnections({ port: door.port }, 0)))
    return {
      why: `port ${door.port}, which the registered hooks call, is taken by another program`,
      fix: "interlock up --new-port",
    };
  return { why: "the server did not start", fix: "interlock serve, which says why" };
}

/** True if it ran and has ended now. */
export async function bringDown(home: string, withinMs = 10_000): Promise<boolean> {
  const pid = serverPid(home);
  if (pid === undefined) return false;
  const door = readAddress(home);
  const asked = door && (await requestServer(door.socket, "POST", "/stop"));
  if (!asked) signal(pid, "SIGTERM");
  const end = performance.now() + (asked ? withinMs : 2_000);
  while (serverPid(home) === pid) {
    if (performance.now() >= end) {
      // The socket holder would otherwise take this for a crash and start the next server.
      for (const each of residenceOf(home).processes) if (/--listen/.test(each.command)) signal(each.pid, "SIGKILL");
      signal(pid, "SIGKILL");
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended by itself
  }
}

/** A new port and token: after this, every registered address must be written again. */
export function changeAddress(home: string): ServerAddress {
  const { idleMinutes = 0 } = readAddress(home) ?? {};
  const door = { ...draftAddress(home), idleMinutes };
  rmSync(join(serverFolder(home), "door.json"), { force: true });
  writeAddress(home, door);
  return door;
}
