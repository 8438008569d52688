// One child run at a time in a work tree, so that what it changed can be told apart; a request of the running child
// itself does not wait.
// Invariant: a dead holder never blocks; the turn of a run covers the runs below it; a child that outlived its pump is
// waited for.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readBoundedText } from "../project/bounded-read.js";
import { StoreBusy } from "../store/fault.js";
import { realIo } from "../store/io.js";
import { takeLock } from "../store/lock/lock.js";
import { life, ownerOf, parseOwner } from "../store/lock/owner.js";
import { systemClock } from "../store/record-clock.js";

export interface Turn {
  /** The process that does the work; written down, so that the next pump sees it if this one dies. */
  started(pid: number): void;
  end(): void;
}

export interface TurnOf {
  project: string;
  childRunId: string;
  requestId: string;
  /** The runs the child descends from. */
  above: readonly string[];
  signal?: AbortSignal;
  /** Told once when a child of an earlier pump still runs. */
  waiting?(pid: number): void;
}

/** Undefined when the signal came first. */
export async function takeTurn(job: TurnOf): Promise<Turn | undefined> {
  const { project, childRunId, above, signal } = job;
  const folder = join(project, "interop", "turn");
  const holder = join(folder, "holder");
  mkdirSync(folder, { recursive: true });
  for (let pause = 10; !signal?.aborted; pause = Math.min(pause * 1.5, 300)) {
    let release: (() => void) | undefined;
    try {
      const lock = takeLock(realIo, folder, systemClock, 0);
      release = () => lock.release();
    } catch (error) {
      if (!(error instanceof StoreBusy)) throw error;
    }
    if (release) {
      writeFileSync(holder, childRunId);
      return afterOrphans(folder, job, (child) => !above.includes(child.run), release);
    }
    if (above.includes(holderOf(holder)))
      return afterOrphans(
        folder,
        job,
        (child) => child.request === job.requestId,
        () => undefined,
      );
    await wait(pause * (0.5 + Math.random()));
  }
  return undefined;
}

interface Child {
  run: string;
  request: string;
  pid: number;
}

const childPrefix = "child-";

/** Waits for the children of dead pumps, which end by their guardian. */
async function afterOrphans(
  folder: string,
  { childRunId, requestId, signal, waiting }: TurnOf,
  concerns: (child: Child) => boolean,
  release: () => void,
): Promise<Turn | undefined> {
  const own = join(folder, `${childPrefix}${childRunId}`);
  let isTold = false;
  for (;;) {
    const [child] = livingChildren(folder).filter((one) => one.run !== childRunId && concerns(one));
    if (!child) break;
    if (!isTold) waiting?.(child.pid);
    isTold = true;
    await wait(100);
    if (!signal?.aborted) continue;
    release();
    return undefined;
  }
  return {
    started: (pid) =>
      writeFileSync(own, JSON.stringify({ ...ownerOf(pid, systemClock.boot()), run: childRunId, request: requestId })),
    end() {
      rmSync(own, { force: true });
      release();
    },
  };
}

/** The notes of dead ones are removed. */
function livingChildren(folder: string): Child[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(childPrefix))
    .flatMap((name) => {
      const text = textOf(join(folder, name));
      const owner = parseOwner(text);
      if (owner && life(owner, systemClock.boot()) === "alive") {
        const { run = "", request = "" } = JSON.parse(text) as Partial<Child>;
        return [{ run, request, pid: owner.pid }];
      }
      rmSync(join(folder, name), { force: true });
      return [];
    });
}

const holderOf = (file: string): string => textOf(file).trim();

function textOf(file: string): string {
  try {
    return readBoundedText(file, 2_000);
  } catch {
    return ""; // just being written
  }
}
