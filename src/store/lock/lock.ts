// One lock per project: a file that names its owner, taken by `link` (whole or not at all), taken over when the owner is dead.
// Invariant: at most one living process holds it. The right to remove a dead owner's lock is itself taken by exclusive creation of
// `lock.after-<nonce>`, so of any number of processes that find the same corpse exactly one inherits, even if heirs die in turn.

import { join } from "node:path";
import { monotonic, sleep } from "../../model/clock.js";
import { sha256 } from "../../model/sha256.js";
import type { Clock } from "../clock.js";
import { asFault, errno, StoreBusy } from "../fault.js";
import { claimName, closeQuietly, type Io, listDir, openMaking, readOr, removeIfThere, writeAll } from "../io.js";
import { life, type Owner, parseOwner, thisHost, thisStart } from "./owner.js";
import { type Claim, claimWithSpare, giveUpSpare, keepAsSpare, prepareSpare, type Spare } from "./reusable-lock.js";

/** Content that names no owner is not ours (ours is linked whole, where the disk can do that); it gets this long before it counts as abandoned. */
const garbageGrace = 300;
/** Owners on other machines or in other pid spaces cannot be asked; nobody holds the lock this long. */
const strangerGrace = 30_000;
/** Asking whether the holder lives costs more than trying again. */
const lookEvery = 25;

export interface Lock {
  nonce: string;
  /** The one before us died holding it, so the files may be one step apart. */
  takenOver: boolean;
  release(): void;
  /** Gives the lock up but leaves it lying as the sign that the files may be one step apart. */
  abandon(): void;
}

export const lockPath = (folder: string): string => `${folder}/lock`;
export const uncleanPath = (folder: string): string => `${folder}/unclean`;
const heirPath = (folder: string, nonce: string) => join(folder, `lock.after-${nonce}`);

/** 16 hex digits, unique on this machine: not a secret, so no call to the system's random source, which a hook would pay for. */
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

function claimOf(clock: Clock): Claim {
  const nonce = freshNonce();
  const owner: Owner = { pid: process.pid, start: thisStart(), boot: clock.boot(), host: thisHost(), nonce };
  return { nonce, content: Buffer.from(`${JSON.stringify(owner)}\n`) };
}

interface Held {
  path: string;
  nonce: string;
  owner: Owner | undefined;
}

export function takeLock(io: Io, folder: string, clock: Clock, deadlineMs: number): Lock {
  const path = lockPath(folder);
  const claim = () => claimOf(clock);
  const spare = claimWithSpare(io, folder, path, claim);
  if (spare) return heldWithSpare(io, folder, spare, claim);
  const { nonce, content } = claim();
  const mine = `${folder}/lock.${process.pid}.${nonce}.tmp`;
  const start = monotonic();
  const watched = new Map<string, number>();
  let looked = Number.NEGATIVE_INFINITY;
  let own: number | undefined;
  const closed = (): undefined => {
    if (own !== undefined) closeQuietly(io, own);
  };
  try {
    own = writeOwner(io, mine, content);
    for (let tries = 0; ; tries++) {
      if (claimName(io, mine, path))
        return held(io, folder, nonce, false, soleName(io, mine) ? { fd: own, size: content.length } : closed());
      const now = monotonic();
      const late = now - start >= deadlineMs;
      if (now - looked < lookEvery && !late) {
        sleep(pause(tries, now - start, deadlineMs));
        continue;
      }
      looked = now;
      const last = holder(io, folder);
      if (last && abandoned(io, last, clock, watched) && claimName(io, mine, heirPath(folder, last.nonce))) {
        if (inherits(io, folder, nonce)) {
          const corpses = listDir(io, folder).filter((name) => name.startsWith("lock.after-"));
          io.renameSync(mine, path);
          for (const name of corpses) removeIfThere(io, join(folder, name));
          return held(io, folder, nonce, true, closed());
        }
        removeIfThere(io, heirPath(folder, last.nonce));
      }
      if (late) throw new StoreBusy(busySentence(last));
      sleep(pause(tries, now - start, deadlineMs));
    }
  } catch (error) {
    closed();
    removeIfThere(io, mine);
    throw asFault(error, "lock", path);
  }
}

/** Quick at first, for the usual wait of a millisecond; then seldom, so that many waiters leave the processor to the holder, but the oftener the longer one waits. */
function pause(tries: number, waited: number, deadlineMs: number): number {
  const usual = tries < 4 ? 1 + tries : Math.max(3, 30 - waited / 60);
  return Math.max(0.5, Math.min(usual * (0.5 + Math.random()), deadlineMs - waited));
}

/** Takes the other name away: then the lock is the only one left. Windows keeps the name of a file that is open. */
const soleName = (io: Io, mine: string): boolean => removeIfThere(io, mine) && process.platform !== "win32";

/** Returns the file opened: while it stays so, no other file can have its inode. */
function writeOwner(io: Io, path: string, content: Buffer): number {
  const fd = openMaking(io, path, "wx");
  try {
    writeAll(io, fd, content, path);
    return fd;
  } catch (error) {
    closeQuietly(io, fd);
    throw error;
  }
}

/** Follows lock -> heir -> heir of the heir to the process that holds or is about to hold it; undefined when the lock is free. */
function holder(io: Io, folder: string): Held | undefined {
  let found = readHeld(io, lockPath(folder));
  for (let steps = 0; found && steps < 1000; steps++) {
    const heir = readHeld(io, heirPath(folder, found.nonce));
    if (!heir) return found;
    found = heir;
  }
  return found;
}

/** Whether someone is writing now, as far as can be told: a dead owner's lock does not count. */
export function isHeld(io: Io, folder: string, clock: Clock): boolean {
  const last = holder(io, folder);
  if (!last || leftBehind.has(last.nonce)) return false;
  return !last.owner || life(last.owner, clock.boot()) !== "dead";
}

function readHeld(io: Io, path: string): Held | undefined {
  const bytes = readOr(io, path);
  if (!bytes) return undefined;
  const owner = parseOwner(bytes.toString("utf8"));
  return { path, owner, nonce: owner?.nonce ?? `x${sha256(bytes).slice(0, 15)}` };
}

function inherits(io: Io, folder: string, nonce: string): boolean {
  return holder(io, folder)?.nonce === nonce;
}

/** Locks this process could not remove when it was done (a disk gone read-only): nobody holds them although their owner lives. */
const leftBehind = new Set<string>();

function abandoned(io: Io, last: Held, clock: Clock, watched: Map<string, number>): boolean {
  if (leftBehind.has(last.nonce)) return true;
  const lives = last.owner ? life(last.owner, clock.boot()) : "unknown";
  if (lives !== "unknown") return lives === "dead";
  const grace = last.owner ? strangerGrace : garbageGrace;
  const since = watched.get(last.nonce) ?? monotonic();
  watched.set(last.nonce, since);
  if (monotonic() - since >= grace) return true;
  try {
    return Date.now() - io.statSync(last.path).mtimeMs >= grace;
  } catch (error) {
    if (errno(error) === "ENOENT") return false; // released meanwhile: the next round takes it plainly
    throw error;
  }
}

/** Our file, opened, where the lock is its only name: it has that name as long as it has any. */
interface Own {
  fd: number;
  size: number;
}

function held(io: Io, folder: string, nonce: string, takenOver: boolean, own: Own | undefined): Lock {
  const path = lockPath(folder);
  const isSole = () => own !== undefined && io.fstatSync(own.fd).nlink === 1;
  /** Giving up cannot fail the work it followed: what cannot be removed now is taken over later. True: the file is still needed. */
  const giveUp = (how: (sole: boolean) => boolean | void) => {
    let needed: boolean | void = false;
    try {
      const sole = isSole();
      if (sole || readHeld(io, path)?.nonce === nonce) needed = how(sole);
    } catch {
      leftBehind.add(nonce);
    } finally {
      if (own && !needed) closeQuietly(io, own.fd);
    }
  };
  return {
    nonce,
    takenOver,
    release: () => giveUp((sole) => (sole && keepAsSpare(io, folder, path, own!)) || io.unlinkSync(path)),
    abandon: () => giveUp(() => io.renameSync(path, uncleanPath(folder))),
  };
}

/** The spare has two names while it is the lock. */
function heldWithSpare(io: Io, folder: string, { fd, nonce = "" }: Spare, next: () => Claim): Lock {
  const path = lockPath(folder);
  const giveUp = (how: () => void) => {
    try {
      if (io.fstatSync(fd).nlink === 2) return how();
    } catch {
      leftBehind.add(nonce);
    }
    giveUpSpare(io, folder);
  };
  return {
    nonce,
    takenOver: false,
    release: () =>
      giveUp(() => {
        io.unlinkSync(path);
        prepareSpare(io, folder, next);
      }),
    abandon: () =>
      giveUp(() => {
        io.renameSync(path, uncleanPath(folder));
        giveUpSpare(io, folder);
      }),
  };
}

const busySentence = (last: Held | undefined): string =>
  last?.owner
    ? `The record is held by process ${last.owner.pid} and did not come free in time.`
    : "The record is held by another process and did not come free in time.";
