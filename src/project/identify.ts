// Which repository a folder belongs to, read from the files git keeps: no git process, so it costs the hook nothing.
// Invariant: all worktrees of one repository have one id; the answer never throws, whatever lies in `.git`.
import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { sha256 } from "../model/sha256.js";
import { readBoundedText } from "./bounded-read.js";
import { canonicalPath } from "./canonical-path.js";
import { homedir } from "./node-builtins.js";

export interface Repository {
  /** Top of the work tree (git), the folder itself (bare, plain). */
  root: string;
  /** This work tree's own git directory. */
  gitDir?: string;
  /** The git directory all worktrees share. */
  commonDir?: string;
  /** Names the repository in our store: 16 hex digits. */
  id: string;
  kind: "git" | "plain";
  /** A linked worktree (`git worktree add`). */
  worktree: boolean;
  bare?: true;
  submodule?: true;
}

/** `.git` files and HEAD are one short line. */
const MAX_POINTER = 4_096;
const MAX_DEPTH = 256;
const MAX_PACKED = 32 << 20;

/** The nearest repository at or above the folder (which may be gone); outside git, the folder itself. */
export function identify(cwd: string): Repository {
  const start = canonicalPath(cwd || "/", "/").path;
  let at = start;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const found = repositoryAt(at);
    if (found) return found;
    const up = dirname(at);
    if (up === at) break;
    at = up;
  }
  return { root: start, id: idOf(start), kind: "plain", worktree: false };
}

/** The repository that governs a file: of the path it leads to, not of the folder the agent happens to be in. */
export function identifyTarget(path: string, cwd: string, home: string = homedir()): Repository {
  const target = canonicalPath(path, cwd, home);
  return identify(target.directory ? target.path : dirname(target.path));
}

function repositoryAt(folder: string): Repository | undefined {
  const dot = join(folder, ".git");
  const kind = kindOf(dot);
  const gitDir = kind === "directory" ? dot : kind === "file" ? pointer(dot, folder) : undefined;
  if (gitDir && looksLikeGitDir(gitDir)) return describe(folder, gitDir);
  if (!looksLikeGitDir(folder)) return undefined;
  // A folder inside `.git` belongs to the work tree above it; any other git directory is bare.
  return /[/\\]\.git$/.test(folder) ? describe(dirname(folder), folder) : { ...describe(folder, folder), bare: true };
}

function describe(root: string, dir: string): Repository {
  const gitDir = canonicalPath(dir, "/").path;
  const common = firstLine(join(gitDir, "commondir"));
  const commonDir = common ? canonicalPath(resolve(gitDir, common), "/").path : gitDir;
  const repository: Repository = {
    root,
    gitDir,
    commonDir,
    id: idOf(commonDir),
    kind: "git",
    worktree: commonDir !== gitDir,
  };
  if (/\/\.git\/(?:worktrees\/[^/]+\/)?modules\//.test(gitDir)) repository.submodule = true;
  return repository;
}

/** What git itself asks for: HEAD, and objects and refs here or in the common directory. */
function looksLikeGitDir(dir: string): boolean {
  if (kindOf(join(dir, "HEAD")) !== "file") return false;
  if (kindOf(join(dir, "objects")) === "directory" && kindOf(join(dir, "refs")) === "directory") return true;
  return kindOf(join(dir, "commondir")) === "file";
}

function pointer(file: string, folder: string): string | undefined {
  const target = /^gitdir: (.+)$/.exec(firstLine(file) ?? "")?.[1];
  return target && (isAbsolute(target) ? target : resolve(folder, target));
}

/** The branch HEAD is on, "HEAD" when detached, undefined when it can't be read. An unborn branch has a name too. */
export function headBranch(gitDir: string): string | undefined {
  const head = firstLine(join(gitDir, "HEAD"));
  if (!head) return undefined;
  const ref = /^ref: (?:refs\/heads\/)?(.+)$/.exec(head)?.[1];
  return ref ?? (/^[0-9a-f]{40,64}$/.test(head) ? "HEAD" : undefined);
}

/** The commit HEAD is at, undefined before the first one or where refs are kept otherwise (reftable). */
export function headCommit(repository: Repository): string | undefined {
  const { gitDir, commonDir } = repository;
  if (!gitDir || !commonDir) return undefined;
  let value = firstLine(join(gitDir, "HEAD"));
  for (let hops = 0; hops < 5; hops++) {
    if (value && /^[0-9a-f]{40,64}$/.test(value)) return value;
    const ref = /^ref: (refs\/[^\0]+)$/.exec(value ?? "")?.[1];
    if (!ref || ref.includes("..")) return undefined;
    value = firstLine(join(gitDir, ref)) ?? firstLine(join(commonDir, ref)) ?? packed(commonDir, ref);
  }
  return undefined;
}

function packed(commonDir: string, ref: string): string | undefined {
  const file = join(commonDir, "packed-refs");
  try {
    const line = readBoundedText(file, MAX_PACKED)
      .split("\n")
      .find((l) => l.endsWith(` ${ref}`));
    return line?.split(" ")[0];
  } catch {
    return undefined; // no packed refs: the branch has no commit yet
  }
}

/** By the disk's own spelling: one id on a disk that ignores case, too. */
function idOf(path: string): string {
  let name = path;
  try {
    name = realpathSync.native(path);
  } catch {
    // the folder is gone: its text is all there is
  }
  return sha256(name).slice(0, 16);
}

function kindOf(path: string): "file" | "directory" | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() ? "directory" : stat?.isFile() ? "file" : undefined;
  } catch {
    return undefined; // not to be looked at: as good as absent
  }
}

function firstLine(file: string): string | undefined {
  if (kindOf(file) !== "file") return undefined;
  const buffer = Buffer.alloc(MAX_POINTER);
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const text = buffer.toString("utf8", 0, readSync(fd, buffer, 0, MAX_POINTER, 0));
    return text.split(/\r?\n/, 1)[0]?.trim() || undefined;
  } catch {
    return undefined; // unreadable: the caller goes on without it
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
