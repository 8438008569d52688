// Takes one bounded snapshot of a project's tree and keeps it in a file.
import { keepSnapshot } from "./snapshot-file.js";
import { type TreeSnapshot, takeSnapshot } from "./tree-snapshot.js";

const limits = { entries: 25_000, ms: 1_000 };

export const lookAtTree = (
  root: string,
  protectedFiles: readonly string[],
  keepUncommitted = false,
): Promise<TreeSnapshot> =>
  takeSnapshot(root, {
    protectedFiles: protectedFiles.filter((path) => !ownedByClient(path)),
    keepCopies: true,
    keepUncommitted,
    limits,
  });

/** The client rewrites its own bookkeeping all the time. */
const ownedByClient = (path: string): boolean => /[\\/]\.claude\.json$/.test(path);

export async function startWatch(file: string, root: string, protectedFiles: readonly string[]): Promise<TreeSnapshot> {
  const snapshot = await lookAtTree(root, protectedFiles, true);
  keepSnapshot(file, snapshot);
  return snapshot;
}
