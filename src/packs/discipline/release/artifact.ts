// Release artifacts on disk: hashes, sizes, and the current commit.
// Invariant: reads only; what cannot be read is undefined.
import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Project } from "../../../model/gate.js";
import { hashFile } from "../../../project/file-hash.js";

const maxBytes = 2 * 1024 ** 3;

export const artifactHash = (path: string): string | undefined => hashFile(path, maxBytes);

/** A file with this name in the project or one of the usual output folders. */
export function localPath(project: Project, name: string): string | undefined {
  for (const folder of [".", "dist", "build", "release", "releases", "out"]) {
    const path = join(resolve(project.root, folder), basename(name));
    if (existsSync(path) && statSync(path).isFile()) return path;
  }
  return undefined;
}

export function localSize(project: Project, name: string): number | undefined {
  const path = localPath(project, name);
  return path === undefined ? undefined : statSync(path).size;
}

/** The commit HEAD points to, from git's own files. */
export function commitAtHead({ read, gitDir, commonDir }: Project): string | undefined {
  if (!gitDir) return undefined;
  const head = read(join(gitDir, "HEAD"))?.trim();
  const ref = head && /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (!ref) return head && /^[0-9a-f]{40,64}$/.test(head) ? head : undefined;
  const loose = read(join(gitDir, ref)) ?? (commonDir ? read(join(commonDir, ref)) : undefined);
  if (loose) return loose.trim();
  const packed = read(join(commonDir ?? gitDir, "packed-refs")) ?? "";
  return packed
    .split("\n")
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(" ")[0];
}
