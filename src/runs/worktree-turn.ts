// One child run at a time in a work tree, so that what it changed can be told apart; a request of the running child
// itself does not wait.
// Invariant: a dead holder never blocks; the turn of a run covers the runs below it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readBoundedText } from "../project/bounded-read.js";
import { StoreBusy } from "../store/fault.js";
import { realIo } from "../store/io.js";
import { takeLock } from "../store/lock/lock.js";
import { systemClock } from "../store/record-clock.js";

export interface Turn {
  end(): void;
}

/** Undefined when the signal came first. `above`: the runs the child descends from. */
export async function takeTurn(
  project: string,
  childRunId: string,
  above: readonly string[],
  signal?: AbortSignal,
): Promise<Turn | undefined> {
  const folder = join(project, "interop", "turn");
  const holder = join(folder, "holder");
  mkdirSync(folder, { recursive: true });
  for (let pause = 10; !signal?.aborted; pause = Math.min(pause * 1.5, 300)) {
    try {
      const lock = takeLock(realIo, folder, systemClock, 0);
      writeFileSync(holder, childRunId);
      return { end: () => lock.release() };
    } catch (error) {
      if (!(error instanceof StoreBusy)) throw error;
    }
    if (above.includes(holderOf(holder))) return { end: () => undefined };
    await wait(pause * (0.5 + Math.random()));
  }
  return undefined;
}

function holderOf(file: string): string {
  try {
    return readBoundedText(file, 200).trim();
  } catch {
    return ""; // just being written
  }
}
