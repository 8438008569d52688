// The queue of hook processes of one home: only a few work at once, the others sleep in the order they came.
// Without it hundreds of hooks take the processor from the one that holds the record, and all run out of time.
// Invariant: it only delays. Whatever is wrong with the folder, and whoever stalls in front, a hook goes on in time.
import { closeSync, mkdirSync, openSync, readdirSync, unlinkSync } from "node:fs";
import { monotonic, sleep } from "../model/clock.js";

/** So many work at once, or two per processor where that is more. */
const leastWidth = 4;
/** While nobody in front ends, one more may work each time this passes: those at work may be slow or stopped. */
const widenEveryMs = 250;
/** Hooks of one place in the queue need about so long. */
const pauseMs = 10;
const longestPauseMs = 1_000;
const checkEveryMs = 200;

export const turnsFolder = (home: string): string => `${home}/turns`;

export interface HookTurn {
  /** How many were in front when it gave up; undefined: it is this hook's turn. */
  crowd?: number;
  /** Lets the next one work. */
  end(): void;
}

/** Waits until few enough are in front, or until that many milliseconds have passed. */
export function waitForTurn(home: string, waitMs: number): HookTurn {
  const start = monotonic();
  const name = `${Math.floor(start * 1_000)
    .toString()
    .padStart(18, "0")}-${process.pid}`;
  const folder = turnsFolder(home);
  const place = `${folder}/${name}`;
  const end = () => remove(place);
  let inFront = Number.POSITIVE_INFINITY;
  let moved = start;
  let checked = Number.NEGATIVE_INFINITY;
  try {
    makePlace(folder, place);
    for (let width = leastWidth; ; ) {
      const before = readdirSync(folder).filter((other) => other < name && entry.test(other));
      if (before.length < width) return { end };
      width = Math.max(leastWidth, 2 * processors());
      const now = monotonic();
      if (before.length < inFront) moved = now;
      inFront = before.length;
      width += Math.floor((now - moved) / widenEveryMs);
      if (inFront < width) return { end };
      if (now - start >= waitMs) {
        end();
        return { crowd: inFront, end };
      }
      if (now - checked >= checkEveryMs) {
        checked = now;
        for (const other of before.slice(0, 2 * width)) if (!lives(other)) remove(`${folder}/${other}`);
      }
      sleep(Math.min((inFront - width + 1) * pauseMs, longestPauseMs, Math.max(1, waitMs - (now - start))));
    }
  } catch {
    return { end }; // no folder, no queue: the lock of the record still keeps order
  }
}

const entry = /^\d{18}-\d+$/;

function makePlace(folder: string, place: string): void {
  try {
    closeSync(openSync(place, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(place, "wx", 0o600));
  }
}

/** Asked only in a crowd: loading `os` costs a hook time. */
function processors(): number {
  cores ??= process.getBuiltinModule("os").availableParallelism();
  return cores;
}
let cores: number | undefined;

function lives(other: string): boolean {
  try {
    return process.kill(Number(other.slice(other.indexOf("-") + 1)), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's process, alive
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // removed by another hook that took this process for dead
  }
}
