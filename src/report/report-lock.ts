// One report at a time: a folder that is made by who holds it. After 30 minutes it is taken over.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const staleMs = 30 * 60_000;

export class ReportIsRunning extends Error {}

/** Returns the function that gives the lock back. */
export function lockReport(out: string, now: number): () => void {
  const folder = join(out, ".daily-report.lock");
  mkdirSync(out, { recursive: true });
  if (!make(folder)) {
    const held = statSync(folder, { throwIfNoEntry: false });
    // A time far in the future is one of a wrong clock: it would hold for ever.
    if (held && Math.abs(now - held.mtimeMs) < staleMs) {
      const minutes = Math.max(0, Math.round((now - held.mtimeMs) / 60_000));
      const holder = readHolder(folder);
      throw new ReportIsRunning(
        `another report runs since ${minutes} min${holder ? ` (process ${holder})` : ""}. Wait for it; after 30 min ` +
          `its lock is taken over. If it is dead, remove ${folder}`,
      );
    }
    // Only one of several takers can rename it away.
    const aside = `${folder}.${process.pid}.${now}`;
    try {
      renameSync(folder, aside);
      rmSync(aside, { recursive: true, force: true });
    } catch {
      // Another one took it, or it was given back.
    }
    if (!make(folder)) throw new ReportIsRunning("another report has just begun. Wait for it");
  }
  return () => {
    if (readHolder(folder) === String(process.pid)) rmSync(folder, { recursive: true, force: true });
  };
}

function make(folder: string): boolean {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(folder, "pid"), String(process.pid));
  return true;
}

function readHolder(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "pid"), "utf8").slice(0, 20);
  } catch {
    return undefined;
  }
}
