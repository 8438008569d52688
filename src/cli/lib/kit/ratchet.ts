// Takes code back to what it was before a research cycle that was not confirmed; the change is kept as a patch.
// Invariant: restores exactly the files that differ, never touches the user's index, and saves the patch first.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Ratchet {
  /** How many files were taken back; 0 when nothing differed. */
  revert(patchFile: string): number;
}

/** Undefined where git can't tell: outside a repository, or none of the folders is there yet and nothing can differ. */
export function ratchetAt(project: string, folders: readonly string[]): Ratchet | undefined {
  const before = treeOf(project, folders);
  if (before === undefined) return undefined;
  return {
    revert(patchFile) {
      const now = treeOf(project, folders);
      if (now === undefined || now === before) return 0;
      const patch = git(project, ["diff", "--binary", before, now]);
      const names = git(project, ["diff", "--name-status", "--no-renames", "-z", before, now]);
      if (patch.status !== 0 || names.status !== 0) return 0;
      writeFileSync(patchFile, patch.stdout);
      const words = names.stdout.split("\0").filter(Boolean);
      const back: string[] = [];
      for (let i = 0; i + 1 < words.length; i += 2)
        if (words[i] === "A") rmSync(join(project, words[i + 1]!), { force: true });
        else back.push(words[i + 1]!);
      if (back.length)
        withIndex((index) => {
          git(project, ["read-tree", before], index);
          git(project, ["checkout-index", "-f", "-z", "--stdin"], index, back.join("\0"));
        });
      return words.length / 2;
    },
  };
}

/** The folders as a tree of git's, by an index of our own; ignored files are left out. */
function treeOf(project: string, folders: readonly string[]): string | undefined {
  return withIndex((index) => {
    if (git(project, ["read-tree", "--empty"], index).status !== 0) return undefined;
    const there = folders.filter((folder) => existsSync(join(project, folder)));
    if (there.length && git(project, ["add", "-A", "--", ...there], index).status !== 0) return undefined;
    const { status, stdout } = git(project, ["write-tree"], index);
    return status === 0 ? stdout.trim() : undefined;
  });
}

function withIndex<T>(use: (index: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "interlock-index-"));
  try {
    return use(join(folder, "index"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const git = (project: string, args: readonly string[], index?: string, input?: string) =>
  spawnSync("git", ["-c", "core.quotePath=false", "-C", project, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    ...(input !== undefined && { input }),
    env: { ...process.env, ...(index && { GIT_INDEX_FILE: index }) },
  });
