// The lock of a folder: a file that names its owner, created whole by `link`, taken over when the owner is dead.
// Invariant: at most one living process holds it. A stale lock may only be replaced by the process that created
// `lock.after-<nonce of the stale lock>` exclusively, so exactly one waiter takes over, even if waiters die in turn.
import { join } from "node:path";
import { monotonic, sleep } from "../../model/clock.js";
import { sha256 } from "../../model/sha256.js";
import { isAlive } from "../../project/process-alive.js";
import { asFault, errno, StoreBusy } from "../fault.js";
import {
  claimName,
  closeQuietly,
  exists,
  type Io,
  listDir,
  openMaking,
  readOr,
  removeIfThere,
  writeAll,
} from "../io.js";
import type { Clock } from "../record-clock.js";
import { life, type Owner, parseOwner, thisHost, thisStart } from "./owner.js";

/** A lock file without a readable owner is not ours. It counts as stale after this many milliseconds. */
const garbageGrace = 300;
/** An owner on another machine or in another pid namespace cannot be checked. Nobody holds the lock this long. */
const remoteGrace = 30_000;
/** Checking whether the owner lives costs more than trying again, so it happens only this often (ms, per waiter). */
const checkOwnerEvery = 25;
/** The waiter in front tries about this often (ms); each one behind it, that much more rarely: the processor is the
 * owner's. */
const tryEvery = 3;
const longestPause = 250;
/** A free lock that the waiters in front do not take for this long (ms, each) may be taken by the next. */
const turnGrace = 15;
/** A process that had the lock this recently (ms) lets those go first who waited meanwhile. */
const recently = 50;

export interface Lock {
  nonce: string;
  /** The previous owner died while holding it, so the files may be one record apart. */
  takenOver: boolean;
  release(): void;
  /** Releases the lock and leaves a file that says the files may be one record apart. */
  abandon(): void;
}

export const lockPath = (folder: string): string => `${folder}/lock`;
export const uncleanPath = (folder: string): string => `${folder}/unclean`;
const successorPath = (folder: string, nonce: string) => join(folder, `lock.after-${nonce}`);

/** 16 hex digits, unique on this machine. Not a secret, so it avoids the cost of the system's random source. */
function freshNonce(): string {
  const time = process.hrtime.bigint() % 0x100000000n;
  return (
    Number(time).toString(16) +
    process.pid.toString(16).padStart(6, "0") +
    Math.floor(Math.random() * 0x1000000).toString(16)
  )
    .padEnd(16, "0")
    .slice(-16);
}

interface LockHolder {
  path: string;
  nonce: string;
  owner: Owner | undefined;
}

/** When this process last released the lock of a folder, in monotonic milliseconds. */
const released = new Map<string, number>();

/** Waits up to `waitMs`, then throws `StoreBusy`. Waiters get it in the order they came. */
export function takeLock(io: Io, folder: string, clock: Clock, waitMs: number): Lock {
  const path = lockPath(folder);
  const nonce = freshNonce();
  const start = monotonic();
  const name = `lock.${process.pid}.${arrival(start)}${nonce}.tmp`;
  const mine = `${folder}/${name}`;
  const firstSeen = new Map<string, number>();
  let checked = Number.NEGATIVE_INFINITY;
  let free: number | undefined;
  const polite = start - (released.get(folder) ?? Number.NEGATIVE_INFINITY) < recently;
  try {
    const owner: Owner = { pid: process.pid, start: thisStart(), boot: clock.boot(), host: thisHost(), nonce };
    writeOwner(io, mine, Buffer.from(`${JSON.stringify(owner)}\n`));
    for (let tries = 0; ; tries++) {
      const inFront = tries || polite ? waitersBefore(io, folder, name) : 0;
      const now = monotonic();
      const late = now - start >= waitMs;
      if (!inFront || exists(io, path)) free = undefined;
      else free ??= now;
      const stalled = free !== undefined && now - free >= turnGrace * inFront;
      if ((!inFront || stalled || late) && claimName(io, mine, path)) {
        removeIfThere(io, mine);
        return held(io, folder, nonce, false);
      }
      if (late || now - checked >= Math.min(checkOwnerEvery * (inFront + 1), 1_000)) {
        checked = now;
        const last = currentHolder(io, folder);
        if (last && isStale(io, last, clock, firstSeen) && takeOver(io, folder, last, mine, nonce))
          return held(io, folder, nonce, true);
        if (late) throw new StoreBusy(busySentence(last));
      }
      sleep(pause(tries, inFront, waitMs - (now - start)));
    }
  } catch (error) {
    removeIfThere(io, mine);
    throw asFault(error, "lock", path);
  }
}

/** True: the stale lock was replaced by ours. False: another waiter was faster. */
function takeOver(io: Io, folder: string, stale: LockHolder, mine: string, nonce: string): boolean {
  const successor = successorPath(folder, stale.nonce);
  if (!claimName(io, mine, successor)) return false;
  if (currentHolder(io, folder)?.nonce !== nonce) {
    removeIfThere(io, successor);
    return false;
  }
  const successors = listDir(io, folder).filter((name) => name.startsWith("lock.after-"));
  io.renameSync(mine, lockPath(folder));
  for (const name of successors) removeIfThere(io, join(folder, name));
  return true;
}

/** Short at first, for the usual wait of a millisecond. Then the longer the more wait in front. */
function pause(tries: number, inFront: number, leftMs: number): number {
  const usual = tries < 4 && !inFront ? 1 + tries : Math.min(tryEvery * (inFront + 1), longestPause);
  return Math.max(0.5, Math.min(usual * (0.5 + Math.random()), leftMs));
}

const waiterFile = /^lock\.(\d+)\.([0-9a-f]{28})\.tmp$/;

/** Microseconds of the machine's monotonic clock, so that names sort by arrival. */
const arrival = (ms: number): string =>
  Math.floor(ms * 1_000)
    .toString(16)
    .padStart(12, "0")
    .slice(-12);

/** Living processes that began to wait earlier. */
function waitersBefore(io: Io, folder: string, name: string): number {
  const [, , own = ""] = waiterFile.exec(name) ?? [];
  let count = 0;
  for (const other of listDir(io, folder)) {
    const [, pid, since = own] = waiterFile.exec(other) ?? [];
    if (since < own && isAlive(Number(pid))) count++;
  }
  return count;
}

function writeOwner(io: Io, path: string, content: Buffer): void {
  const fd = openMaking(io, path, "wx");
  try {
    writeAll(io, fd, content, path);
  } finally {
    closeQuietly(io, fd);
  }
}

/** Follows lock -> successor -> its successor to the process that holds the lock or is taking it over.
 * Undefined when the lock is free. */
function currentHolder(io: Io, folder: string): LockHolder | undefined {
  let found = readHolder(io, lockPath(folder));
  for (let steps = 0; found && steps < 1000; steps++) {
    const successor = readHolder(io, successorPath(folder, found.nonce));
    if (!successor) return found;
    found = successor;
  }
  return found;
}

/** Whether a process is writing now, as far as can be told. A dead owner's lock does not count. */
export function isHeld(io: Io, folder: string, clock: Clock): boolean {
  const last = currentHolder(io, folder);
  if (!last || notRemoved.has(last.nonce)) return false;
  return !last.owner || life(last.owner, clock.boot()) !== "dead";
}

function readHolder(io: Io, path: string): LockHolder | undefined {
  const bytes = readOr(io, path);
  if (!bytes) return undefined;
  const owner = parseOwner(bytes.toString("utf8"));
  return { path, owner, nonce: owner?.nonce ?? `x${sha256(bytes).slice(0, 15)}` };
}

/** Locks this process could not remove on release (read-only disk): nobody holds them although their owner lives. */
const notRemoved = new Set<string>();

function isStale(io: Io, last: LockHolder, clock: Clock, firstSeen: Map<string, number>): boolean {
  if (notRemoved.has(last.nonce)) return true;
  const lives = last.owner ? life(last.owner, clock.boot()) : "unknown";
  if (lives !== "unknown") return lives === "dead";
  const grace = last.owner ? remoteGrace : garbageGrace;
  const since = firstSeen.get(last.nonce) ?? monotonic();
  firstSeen.set(last.nonce, since);
  if (monotonic() - since >= grace) return true;
  try {
    return Date.now() - io.statSync(last.path).mtimeMs >= grace;
  } catch (error) {
    if (errno(error) === "ENOENT") return false; // released meanwhile: the next try takes it
    throw error;
  }
}

function held(io: Io, folder: string, nonce: string, takenOver: boolean): Lock {
  const path = lockPath(folder);
  /** Releasing must not fail the write before it. A lock that cannot be removed now is taken over later. */
  const giveUp = (how: () => void) => {
    try {
      if (readHolder(io, path)?.nonce === nonce) how();
      released.set(folder, monotonic());
    } catch {
      notRemoved.add(nonce);
    }
  };
  return {
    nonce,
    takenOver,
    release: () => giveUp(() => io.unlinkSync(path)),
    abandon: () => giveUp(() => io.renameSync(path, uncleanPath(folder))),
  };
}

const busySentence = (last: LockHolder | undefined): string =>
  last?.owner
    ? `The record is held by process ${last.owner.pid} and did not come free in time.`
    : "The record is held by another process and did not come free in time.";
