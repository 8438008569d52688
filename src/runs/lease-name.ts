// A lease written in a file name: `<id>@<attempt>@<expires>@<pid>@<start>@<machine>@<nonce>.json`.
// Invariant: claiming, renewing and taking over are one rename each, so there is never a claim without an owner.
import { randomBytes } from "node:crypto";
import { sha256 } from "../model/sha256.js";
import { life, thisHost, thisStart } from "../store/lock/owner.js";
import { systemClock } from "../store/record-clock.js";
import { isRequestId } from "./ids.js";

export interface Lease {
  id: string;
  attempt: number;
  expiresAt: number;
  /** 0: nobody holds it; it may be claimed from `expiresAt` on. */
  pid: number;
  start: string;
  /** Machine, boot and pid space: only there does the pid mean anything. */
  machine: string;
}

let machine: string | undefined;
const thisMachine = (): string => (machine ??= sha256(`${thisHost()} ${systemClock.boot()}`).slice(0, 12));

export const leaseName = (id: string, attempt: number, expiresAt: number, held = true): string =>
  `${[
    id,
    attempt,
    Math.round(expiresAt),
    held ? process.pid : 0,
    held ? thisStart() : "",
    thisMachine(),
    randomBytes(4).toString("hex"),
  ].join("@")}.json`;

export function parseLease(name: string): Lease | undefined {
  const [id = "", attempt, expires, pid, start = "", owner = "", nonce] = name.replace(/\.json$/, "").split("@");
  const numbers = [attempt, expires, pid].map(Number);
  if (nonce === undefined || !isRequestId(id) || !numbers.every((n) => Number.isSafeInteger(n) && n >= 0))
    return undefined;
  return { id, attempt: numbers[0]!, expiresAt: numbers[1]!, pid: numbers[2]!, start, machine: owner };
}

/** Whether another worker may take the request: given back, run out, or its owner is dead. */
export function isFree(lease: Lease, now: number): boolean {
  if (lease.expiresAt <= now) return true;
  if (lease.pid === 0 || lease.machine !== thisMachine()) return false;
  const owner = { pid: lease.pid, start: lease.start, boot: systemClock.boot(), host: thisHost(), nonce: "" };
  return life(owner, owner.boot) === "dead";
}
