// Marks of calls that passed and have not ended, one file each, so that calls of several sessions at once are noticed.
// Invariant: in Interlock's folder; made only for calls that were let through; a mark older than an hour means nothing.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../model/sha256.js";

const longestMs = 3600_000;
const marksFolder = (folder: string): string => join(folder, "trace", "open");
const short = (text: string): string => sha256(text).slice(0, 16);

/** `paths`: all the call changes, for a tool that was given them; undefined where it may change anything. */
export function openMark(folder: string, session: string, call: string, paths: readonly string[] | undefined): void {
  const own = join(marksFolder(folder), short(session));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, short(call)), JSON.stringify(paths ?? null), { mode: 0o600 });
}

export interface Overlap {
  /** A call that may change anything ran at the same time in another session. */
  anything: boolean;
  /** Files that open calls of other sessions are changing. */
  paths: string[];
}

/** Removes the mark and says which calls of other sessions ran meanwhile. */
export function closeMark(folder: string, session: string, call: string, now: number): Overlap {
  const all = marksFolder(folder);
  const own = join(all, short(session));
  const from = timeOf(join(own, short(call))) ?? now;
  const wide = pathsIn(join(own, short(call))) === null;
  rmSync(join(own, short(call)), { force: true });
  // When the last call that may change anything ended, as the file's own time.
  if (wide) writeFileSync(join(own, "ended"), "", { mode: 0o600 });
  const overlap: Overlap = { anything: false, paths: [] };
  for (const other of namesIn(all)) {
    if (other === short(session)) continue;
    for (const name of namesIn(join(all, other))) {
      const file = join(all, other, name);
      const at = timeOf(file);
      if (at === undefined || now - at > longestMs) rmSync(file, { force: true });
      else if (name === "ended") overlap.anything ||= at >= from;
      else {
        const paths = pathsIn(file);
        if (paths === null) overlap.anything = true;
        else overlap.paths.push(...(paths ?? []));
      }
    }
  }
  return overlap;
}

/** Null: anything; undefined: there is no such mark any more. */
function pathsIn(file: string): string[] | null | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as string[] | null;
  } catch {
    return undefined;
  }
}

const timeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no call was ever marked
  }
}
