// Takes one bounded snapshot of a project's tree and keeps it in a file.
import { keepSnapshot } from "./snapshot-file.js";
import { type SnapshotOptions, type TreeSnapshot, takeSnapshot } from "./tree-snapshot.js";
import type { StatusLook } from "./tree-status.js";

const limits = { entries: 25_000, ms: 5_000 };

export interface WatchedPlaces {
  protectedFiles: readonly string[];
  /** Of those, our own program's. */
  program: readonly string[];
  /** What git said about the tree a moment ago. */
  status?: StatusLook | undefined;
}

export const lookAtTree = (
  root: string,
  { protectedFiles, program, status }: WatchedPlaces,
  more: Pick<SnapshotOptions, "keepUncommitted" | "like"> = {},
): Promise<TreeSnapshot> =>
  takeSnapshot(root, {
    protectedFiles: protectedFiles.filter((path) => !ownedByClient(path)),
    program,
    status,
    keepCopies: true,
    ...more,
    limits,
  });

/** The client rewrites its own bookkeeping all the time. */
const ownedByClient = (path: string): boolean => /[\\/]\.claude\.json$/.test(path);

export async function startWatch(file: string, root: string, places: WatchedPlaces): Promise<TreeSnapshot> {
  const snapshot = await lookAtTree(root, places, { keepUncommitted: true });
  keepSnapshot(file, snapshot);
  return snapshot;
}
