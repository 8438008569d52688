// Another program on the server's port: whatever it answers, the client takes for ours, so it has to be noticed wherever we are asked by another way.
// Invariant: said only of a port that takes connections while no server of ours lives or is about to.

import { encode, encodeRefusal } from "../hosts/claude-code/protocol/encode.js";
import type { Event } from "../model/event.js";
import { inert } from "../model/text.js";
import type { Verdict } from "../model/verdict.js";
import { listenerOn } from "../project/protected/own-server.js";
import type { Answered } from "./answer.js";
import type { Opened } from "./open-project.js";
import { readDoor, serverPid } from "./server-address.js";
import { answers, calledOverHttp } from "./start-server.js";

export interface Stranger {
  port: number;
  /** Where it can be seen. */
  pid?: number;
  command?: string;
}

/** As long as a keeper needs to start the next server on the port it holds. */
const revivalMs = 4_000;

/** Only where something registered calls the port. */
export async function strangerOn(home: string, waitMs = revivalMs): Promise<Stranger | undefined> {
  const door = readDoor(home);
  if (!door || serverPid(home) !== undefined || !calledOverHttp(home)) return undefined;
  // A server in another container shares the folder, not the process table: its socket shows that it lives.
  if (!(await answers({ port: door.port }, 0)) || (await answers({ path: door.socket }, 0))) return undefined;
  const end = performance.now() + waitMs;
  for (;;) {
    const holder = listenerOn(door.port);
    if (serverPid(home) !== undefined || (await answers({ path: door.socket }, 0))) return undefined;
    const ours = holder !== undefined && / serve --home /.test(holder.command) && holder.command.includes(home);
    if (holder && !ours) return { port: door.port, pid: holder.pid, command: holder.command };
    if (performance.now() >= end) return ours ? undefined : { port: door.port };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export const repairOfStranger = "interlock doctor --fix, which moves Interlock to another port";

export function describeStranger({ port, pid, command }: Stranger): string {
  const who = pid === undefined ? "another program" : `another program (process ${pid}: ${inert(command ?? "?", 80)})`;
  return `${who} answers on 127.0.0.1:${port} in the place of Interlock's server, so calls that come over http pass unjudged`;
}

/** A prompt starts work that nobody would judge: it is refused. Elsewhere the person is told. It is on record either way. */
export function tellStranger(stranger: Stranger, opened: Opened, event: Event, verdict: Verdict): Answered {
  const said = describeStranger(stranger);
  const policy = event.kind === "prompt" ? "deny" : "pass";
  try {
    opened.store.transact(() => ({
      type: "fault",
      session: event.session,
      body: { faults: [{ gate: "interlock/port", policy, message: said }] },
    }));
  } catch {
    // a record that can't be written is told by the event's own answer
  }
  verdict.messages.push(`Interlock: ${said}. Run: ${repairOfStranger}`);
  if (policy === "pass") return { text: encode(verdict, event.hostEvent), verdict, event };
  const text = `BLOCKED interlock/port\nwhat: a prompt\nwhy: ${said}\nnext: run ${repairOfStranger}; then send the prompt again`;
  return { text: encodeRefusal(event.hostEvent, text), verdict, event };
}
