// Who holds a lock, and whether that process still lives.
// Invariant: "dead" is only said of a process that provably ended (same machine, boot and pid namespace); for all
// others only time can tell.
import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { os } from "../../project/node-builtins.js";
import { readProc } from "../record-clock.js";

export interface Owner {
  pid: number;
  /** Start time of the process in clock ticks since boot; "" where the system does not say. */
  start: string;
  boot: string;
  /** Machine and pid name space. */
  host: string;
  nonce: string;
}

let host: string | undefined;
export const thisHost = (): string => (host ??= `${hostname()}${pidSpace()}`);

function hostname(): string {
  try {
    return readProc("/proc/sys/kernel/hostname").trimEnd();
  } catch {
    return os().hostname(); // no /proc here
  }
}

function pidSpace(): string {
  try {
    return ` ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return ""; // no name spaces here: the host name alone identifies the pid space
  }
}

let ownStart: string | undefined;
export const thisStart = (): string => (ownStart ??= processStart("self") ?? "");

/** Start ticks from /proc; undefined when there is no such (living) process or no /proc. */
function processStart(pid: number | "self"): string | undefined {
  let stat: string;
  try {
    stat = readProc(`/proc/${pid}/stat`);
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/** A living process as an owner. */
export const ownerOf = (pid: number, boot: string): Owner => ({
  pid,
  start: processStart(pid) ?? "",
  boot,
  host: thisHost(),
  nonce: randomBytes(8).toString("hex"),
});

export type Life = "alive" | "dead" | "unknown";

export function life(owner: Owner, boot: string): Life {
  if (owner.host !== thisHost()) return "unknown";
  if (owner.boot !== boot) return owner.boot === "-" || boot === "-" ? "unknown" : "dead";
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "dead";
  }
  if (owner.start === "" || thisStart() === "") return "alive";
  return processStart(owner.pid) === owner.start ? "alive" : "dead";
}

export function parseOwner(text: string): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const owner = value as Partial<Owner> | null;
  const whole =
    typeof owner === "object" &&
    owner !== null &&
    Number.isInteger(owner.pid) &&
    owner.pid! > 0 &&
    typeof owner.start === "string" &&
    typeof owner.boot === "string" &&
    typeof owner.host === "string" &&
    typeof owner.nonce === "string" &&
    /^[0-9a-f]{16}$/.test(owner.nonce);
  return whole ? (owner as Owner) : undefined;
}
