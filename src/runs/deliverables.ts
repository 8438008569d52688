// Which of the expected deliverables a child run really made: files created or changed while it ran.
// Invariant: a file that was there before with the same content is no deliverable, however fresh its times are.
import { join } from "node:path";
import { matchGlob } from "../project/globs.js";
import { hashFiles } from "./hash-files.js";
import { sameStat, type TrackedFile, trackedFiles } from "./tracked-files.js";

/** Beyond this a file counts as changed by its times alone. */
const hashLimits = { files: 2_000, bytes: 256 << 20 };

export interface Before {
  patterns: readonly string[];
  files: Map<string, TrackedFile>;
  digests: Map<string, string>;
}

export async function beforeChild(project: string, patterns: readonly string[]): Promise<Before> {
  const files = trackedFiles(project, patterns);
  const total = files.reduce((sum, f) => sum + f.bytes, 0);
  const hashed = files.length <= hashLimits.files && total <= hashLimits.bytes ? files.map((f) => f.path) : [];
  return {
    patterns,
    files: new Map(files.map((f) => [f.path, f])),
    digests: await digestsOf(project, hashed, total),
  };
}

export async function madeByChild(project: string, before: Before): Promise<{ made: string[]; missing: string[] }> {
  const touched = trackedFiles(project, before.patterns).filter((file) => {
    const was = before.files.get(file.path);
    return !was || !sameStat(was, file);
  });
  const again = touched.filter((f) => before.digests.has(f.path));
  const total = again.reduce((sum, f) => sum + f.bytes, 0);
  const now = await digestsOf(
    project,
    again.map((f) => f.path),
    total,
  );
  const made = touched.flatMap(({ path }) => {
    const was = before.digests.get(path);
    return was !== undefined && was === now.get(path) ? [] : [path];
  });
  return { made, missing: before.patterns.filter((glob) => !made.some((path) => matchGlob(glob, path))) };
}

async function digestsOf(project: string, paths: readonly string[], total: number): Promise<Map<string, string>> {
  const digests = await hashFiles(
    paths.map((path) => join(project, path)),
    total,
  );
  return new Map(paths.flatMap((path, i) => (digests[i] ? [[path, digests[i].sha256] as const] : [])));
}
