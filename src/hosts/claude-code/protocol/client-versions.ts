// What Claude Code can do from which version on, from its change log and from running it.
// Invariant: a bound is stated only where it is known; without one the ability is taken to be there.

import { atLeast, failClosedSince } from "../install/own-entries.js";
import { type HostEvent, hostEvent } from "./events.js";

/** The version every release of ours is run against. */
export const testedWith = "2.1.325";

export interface Ability {
  name: string;
  since?: string;
  without: string;
}

export const abilities: readonly Ability[] = [
  { name: "command hooks (sh shim, program)", without: "nothing can be registered" },
  {
    name: "exit 2 and JSON refusals always stop the call",
    since: "2.1.214",
    without: "some refusals of hooks were ignored",
  },
  { name: "ConfigChange", since: "2.1.49", without: "settings can switch hooks off in mid-session" },
  {
    name: "managed hooks can't be switched off from below",
    since: "2.1.49",
    without: "there is no stronger place than your own settings",
  },
  {
    name: "http hooks, registered with a refusal on failure",
    since: failClosedSince,
    without: "events come by the sh shim",
  },
  {
    name: 'onFailure: "block"',
    since: failClosedSince,
    without: "a hook that fails or is too slow lets the call through",
  },
];

const eventsSince: Readonly<Record<string, string>> = { ConfigChange: "2.1.49" };
export const eventSince = (event: string): string | undefined =>
  Object.hasOwn(eventsSince, event) ? eventsSince[event] : undefined;

/** Undefined: the version is not known. */
export const has = (version: string | undefined, since: string | undefined): boolean | undefined =>
  since === undefined ? true : version === undefined ? undefined : atLeast(version, since);

/** What a refusal does at this event. */
export function refusalMeans(
  event: string,
): "stops it" | "asks for another turn" | "tells the agent" | "tells the user" {
  const { refusal, kind }: HostEvent = hostEvent(event);
  if (kind === "turn.end" || kind === "agent.end") return "asks for another turn";
  if (refusal === "feedback" || refusal === "context") return "tells the agent";
  return refusal === "message" ? "tells the user" : "stops it";
}
