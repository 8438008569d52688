// Which hook type `init` registers, and what the server has to provide for it.
// http where the client fails closed, the shim elsewhere, a process per event where neither fits.
// Invariant: planning only looks; `applyServing` does what the plan says, or returns why it could not.
import { existsSync, readFileSync } from "node:fs";
import { readAddress, type ServerAddress } from "../hook/server-address.js";
import { always } from "../hook/spool-protocol.js";
import { keptDown } from "../hook/start-policy.js";
import { atLeast, failClosedSince, type HookType, type Served } from "../hosts/claude-code/install/own-entries.js";
import { gateVariables } from "../packs/variables.js";
import { proposeAddress, writeAddress } from "./new-address.js";
import { registeredAddress } from "./repair-address.js";
import { type ShimParts, shimPath, shimText, writeShim } from "./shim.js";
import { bringDown, bringUp, type NotUp, serverStep } from "./start-stop.js";

export interface HookTypeRequest {
  /** Named by the user, or registered already. */
  wanted?: HookType | undefined;
  clientVersion: string | undefined;
  /** Adopted hooks need the agent's environment, which only a process started by the agent has. */
  adopts: boolean;
}

export interface HookTypeChoice {
  type: HookType;
  why: string;
}

export function chooseHookType({ wanted, clientVersion, adopts }: HookTypeRequest): HookTypeChoice {
  const best = bestHookType(clientVersion, adopts);
  return wanted === undefined || wanted === best.type ? best : { type: wanted, why: "as chosen before or by you" };
}

function bestHookType(clientVersion: string | undefined, adopts: boolean): HookTypeChoice {
  if (adopts) return { type: "command", why: "the adopted hooks need the agent's environment" };
  if (atLeast(clientVersion, failClosedSince))
    return { type: "http", why: `Claude Code ${clientVersion} refuses when the server does not answer` };
  if (process.platform === "win32") return { type: "command", why: "the shim needs a POSIX shell" };
  const why = clientVersion
    ? `Claude Code ${clientVersion} lets calls through when a server does not answer`
    : "the version of Claude Code is not known";
  return { type: "shim", why };
}

export interface ServingPlan {
  type: "http" | "shim";
  /** What the entries in the settings file name. */
  served: Served;
  address: ServerAddress;
  /** The address is not in the address file yet. */
  writeAddress: boolean;
  server: "nothing" | "started" | "switched";
  /** The program the server is started from. */
  script: string;
  /** Undefined where the shim is in place already, or there is no `sh`. */
  writeShim?: ShimParts;
}

/** What entries of this type would name: the address in force, or the one that would be made. */
export async function planAddress(
  home: string,
  type: "http" | "shim",
): Promise<{ address: ServerAddress; served: Served }> {
  const address = readAddress(home) ?? registeredAddress(home) ?? (await proposeAddress(home));
  const shim = process.platform === "win32" ? undefined : shimPath(home);
  const url = type === "http" ? { url: `http://127.0.0.1:${address.port}`, token: address.token } : {};
  return { address, served: { shim, ...url, env: await gateVariables() } };
}

export async function planServing(
  home: string,
  type: "http" | "shim",
  program: { node: string; script: string },
): Promise<ServingPlan> {
  const { address, served } = await planAddress(home, type);
  const { shim, env } = served;
  const parts = { home, ...program, env: [...always, ...env] };
  const inPlace = shim === undefined || (existsSync(shim) && readFileSync(shim, "utf8") === shimText(parts));
  // The shim also decides without a server, so one that a person stopped stays stopped.
  const stays = type === "shim" && keptDown(home, process.env) !== undefined;
  return {
    type,
    served,
    address,
    writeAddress: !readAddress(home),
    server: stays ? "nothing" : await serverStep(home),
    script: program.script,
    ...(!inPlace && { writeShim: parts }),
  };
}

/** The plan's server steps as sentences, in the order they are done. */
export function describeServing({ address, server, writeShim: shim }: ServingPlan): string[] {
  return [
    ...(server === "started" ? [`start the server on 127.0.0.1:${address.port}`] : []),
    ...(server === "switched" ? ["switch the running server to this version"] : []),
    ...(shim ? [`write ${shimPath(shim.home)}`] : []),
  ];
}

export async function applyServing(home: string, plan: ServingPlan): Promise<NotUp | undefined> {
  if (plan.server !== "nothing") {
    if (plan.writeAddress) writeAddress(home, plan.address);
    const up = await bringUp(home, plan.script);
    if ("why" in up) return up;
    if (plan.type === "http" && up.door.port !== plan.address.port)
      return {
        why: `port ${plan.address.port} was taken meanwhile; the server now runs on ${up.door.port}`,
        fix: "run the same command again",
      };
  }
  if (plan.writeShim) writeShim(plan.writeShim);
  return undefined;
}

/** For `doctor --live`: a server and a shim in a throw-away home. */
export async function serveForProof(home: string, script: string) {
  const up = await bringUp(home, script);
  if ("why" in up) return up;
  writeShim({ home, node: process.execPath, script, env: always });
  return { port: up.door.port, token: up.door.token, end: () => bringDown(home) };
}
