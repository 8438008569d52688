// Another program on the server's port: the client would take its answers for ours, so hooks that are not http look out
// for it. Invariant: reported only for a port that accepts connections while no server of ours runs or is starting.
import type { Event } from "../model/event.js";
import { builtInDeny } from "../model/refusal.js";
import { inert } from "../model/text.js";
import { type Fault, type Judged, note } from "../model/verdict.js";
import { listenerOn } from "../project/protected/own-server.js";
import { readAddress, serverPid } from "./server-address.js";
import { acceptsConnections, calledOverHttp } from "./start-server.js";

export interface PortConflict {
  port: number;
  /** Where it can be seen. */
  pid?: number;
  command?: string;
}

/** The socket holder needs up to this long to start the next server on the port. */
const revivalMs = 4_000;

/** Undefined where no registered hook calls the port. */
export async function portConflictOn(home: string, waitMs = revivalMs): Promise<PortConflict | undefined> {
  const door = readAddress(home);
  if (!door || serverPid(home) !== undefined || !calledOverHttp(home)) return undefined;
  // A server in another container shares the folder but not the process table: its socket shows that it runs.
  if (!(await acceptsConnections({ port: door.port }, 0)) || (await acceptsConnections({ path: door.socket }, 0)))
    return undefined;
  const end = performance.now() + waitMs;
  for (;;) {
    const holder = listenerOn(door.port);
    if (serverPid(home) !== undefined || (await acceptsConnections({ path: door.socket }, 0))) return undefined;
    const ours = holder !== undefined && / serve --home /.test(holder.command) && holder.command.includes(home);
    if (holder && !ours) return { port: door.port, pid: holder.pid, command: holder.command };
    if (performance.now() >= end) return ours ? undefined : { port: door.port };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export const portConflictRepair = "interlock doctor --fix, which moves Interlock to another port";

export function describePortConflict({ port, pid, command }: PortConflict): string {
  const who = pid === undefined ? "another program" : `another program (process ${pid}: ${inert(command ?? "?", 70)})`;
  return (
    `${who} answers on 127.0.0.1:${port} in the place of Interlock's server, ` +
    "so calls that come over http pass unjudged"
  );
}

/** A prompt starts work that nobody would judge, so it is refused. With other events the person is told. */
export function conflictOpinions(conflict: PortConflict, event: Event): { opinions: Judged[]; faults: Fault[] } {
  const said = describePortConflict(conflict);
  const policy = event.kind === "prompt" ? "deny" : "pass";
  const told = note(`Interlock: ${said}. Run: ${portConflictRepair}`, "person");
  const opinions = policy === "deny" ? [told, builtInDeny("interlock/port", said)] : [told];
  return {
    opinions: opinions.map((opinion) => ({ gate: "interlock/port", mode: "enforce", opinion })),
    faults: [{ gate: "interlock/port", policy, message: said }],
  };
}
