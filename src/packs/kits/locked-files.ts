// The files of a project with their hashes, as a phase finds them, and what has become of them since.
// Invariant: a snapshot lies in Interlock's own folder and counts only with the hash its signed record names.
import { type BigIntStats, lstatSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../model/sha256.js";
import { readBoundedText } from "../../project/bounded-read.js";
import { hashFile, statKey } from "../../project/file-hash.js";
import { matchCompiled } from "../../project/globs.js";
import { listFiles } from "../../project/list-files.js";
import type { LeanFacts } from "./math/lean-source.js";
import type { TestFacts } from "./tdd/test-strength.js";

export interface LockedFile {
  /** Size, times and inode: equal means unchanged without hashing. */
  key: string;
  /** Absent for a file above 64 MB: its key stands for it. */
  sha256?: string;
}

export interface PhaseSnapshot {
  /** Every file the phase may not write, relative to the project. */
  files: Record<string, LockedFile>;
  lean?: Record<string, LeanFacts>;
  /** Of each test file. */
  tests?: Record<string, TestFacts>;
  scripts?: Record<string, string>;
  /** More files than are looked at. */
  truncated?: true;
}

const mostBytes = 64 << 20;
const snapshotBytes = 64 << 20;
const leftOut = new Set([".claude", "__pycache__", ".lake", "_deps"]);

/** All files below the root but output, runs and requests; links are not followed. */
export const walkFiles = (root: string, outputs: readonly string[]): { files: string[]; truncated: boolean } =>
  listFiles(
    root,
    ".",
    (below, entry) =>
      below === "runs" ||
      below === "interop" ||
      leftOut.has(entry.name) ||
      matchCompiled(outputs, entry.isDirectory() ? `${below}/.` : below),
  );

export function lockFile(root: string, below: string): LockedFile | undefined {
  const stat = statOf(join(root, below));
  if (!stat) return undefined;
  const digest = stat.size <= mostBytes ? hashFile(join(root, below)) : undefined;
  return { key: statKey(stat), ...(digest && { sha256: digest }) };
}

const statOf = (path: string): BigIntStats | undefined => lstatSync(path, { bigint: true, throwIfNoEntry: false });

/** The locked files that are gone or hold something else now. */
export function changedFiles(root: string, files: Readonly<Record<string, LockedFile>>): string[] {
  return Object.keys(files).filter((below) => {
    const known = files[below]!;
    const stat = statOf(join(root, below));
    if (!stat) return true;
    if (statKey(stat) === known.key) return false;
    return known.sha256 === undefined || hashFile(join(root, below)) !== known.sha256;
  });
}

const read = new Map<string, PhaseSnapshot>();

/** The snapshot of a record; throws where it is not the one the record names. */
export function snapshotOf({ file, sha256: wanted }: { file: string; sha256: string }): PhaseSnapshot {
  const known = read.get(wanted);
  if (known) return known;
  const text = readBoundedText(file, snapshotBytes);
  if (sha256(text) !== wanted) throw new Error("the snapshot of the phase's locked files was changed");
  const snapshot = JSON.parse(text) as PhaseSnapshot;
  if (read.size > 8) read.clear();
  read.set(wanted, snapshot);
  return snapshot;
}
