// Takes away what writers that died left behind: temporary files, the sign of an unclean end.
// Invariant: only called under the lock, and only after the files agree again; files of living processes stay.
import { dirname, join } from "node:path";
import { isAlive } from "../../project/process-alive.js";
import { type Io, listDir, removeIfThere } from "../io.js";
import type { Layout } from "../layout.js";
import { uncleanPath } from "../lock/lock.js";

/**
 * A process that died before it held the lock leaves only its temporary file; those are searched every so many records.
 */
export const sweepEvery = 64;

export function sweep(io: Io, at: Layout): void {
  removeIfThere(io, uncleanPath(at.folder));
  removeStrays(io, at);
}

/** Temporary files of dead writers: they may hold texts. */
export function removeStrays(io: Io, at: Layout): void {
  const marks = dirname(at.marks[0]);
  const strays = [
    ...[at.folder, at.texts].flatMap((folder) => listDir(io, folder).map((name) => join(folder, name))),
    ...listDir(io, marks)
      .filter((name) => name.startsWith(`${at.id}.`))
      .map((name) => join(marks, name)),
  ];
  for (const path of strays) {
    const pid = /\.(\d+)\.[0-9a-f]+\.tmp$/.exec(path)?.[1];
    if (pid && !isAlive(Number(pid))) removeIfThere(io, path);
  }
}
