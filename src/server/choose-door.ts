// How `init` lets events come in: over http where the client fails closed, by the shim elsewhere, by starting the program where nothing else fits.
// Invariant: what is chosen works now (the server answers before its address is written anywhere), and the choice comes with its reason.

import { readDoor } from "../hook/server-address.js";
import { always } from "../hook/spool-protocol.js";
import { keptDown } from "../hook/start-policy.js";
import { atLeast, failClosedSince, type Served, type Way } from "../hosts/claude-code/install/own-entries.js";
import { gateVariables } from "../packs/variables.js";
import { draftDoor } from "./new-address.js";
import { shimPath, writeShim } from "./shim.js";
import { bringDown, bringUp } from "./start-stop.js";

export interface Wish {
  /** Named by the person, or as it is registered already. */
  way?: Way | undefined;
  home: string;
  node: string;
  script: string;
  clientVersion: string | undefined;
  /** Hooks of others run under Interlock: they need the agent's environment, which only a started program has. */
  adopts: boolean;
  /** Only say what would be. */
  dry: boolean;
}

export interface Choice {
  way: Way;
  served?: Served;
  why: string;
}

export async function choose(wish: Wish): Promise<Choice> {
  const best = bestWay(wish);
  const way = wish.way ?? best.way;
  const why = wish.way === undefined || wish.way === best.way ? best.why : "as chosen before or by you";
  if (way === "command") return { way, why };
  const env = await gateVariables();
  // The shim decides without a server too: one that a person ended stays ended.
  const rests = way === "shim" && keptDown(wish.home, process.env) !== undefined;
  if (!wish.dry && !rests) {
    const up = await bringUp(wish.home, wish.script);
    if ("why" in up) return { way: "command", why: `${up.why} (fix: ${up.fix}), so each event starts the program` };
  }
  const door = readDoor(wish.home) ?? draftDoor(wish.home);
  const shim =
    process.platform === "win32"
      ? undefined
      : wish.dry
        ? shimPath(wish.home)
        : writeShim({ ...wish, env: [...always, ...env] });
  const address = way === "http" ? { url: `http://127.0.0.1:${door.port}`, token: door.token } : {};
  return { way, why, served: { shim, ...address, env } };
}

function bestWay({ adopts, clientVersion }: Wish): { way: Way; why: string } {
  if (adopts) return { way: "command", why: "the adopted hooks need the agent's environment" };
  if (atLeast(clientVersion, failClosedSince))
    return { way: "http", why: `Claude Code ${clientVersion} refuses when the server does not answer` };
  if (process.platform === "win32") return { way: "command", why: "there is no sh here for the shim" };
  return {
    way: "shim",
    why: clientVersion
      ? `Claude Code ${clientVersion} lets calls through when a server does not answer`
      : "the client's version is not known",
  };
}

/** For `doctor --live`: everything the entries of an installation need, in another home. */
export async function serveForProof(home: string, script: string) {
  const up = await bringUp(home, script);
  if ("why" in up) return up;
  writeShim({ home, node: process.execPath, script, env: always });
  return { port: up.door.port, token: up.door.token, end: () => bringDown(home) };
}
