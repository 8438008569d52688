// A work tree at one moment: stat data of every file git would show, contents of the protected ones.
// Invariant: bounded in entries and time, changes nothing, and says so when it did not see everything.
import { type BigIntStats, constants, type Dirent, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { isCredentialName } from "../model/credential-names.js";
import { sha256 } from "../model/sha256.js";
import { readBounded } from "./bounded-read.js";
import { hashFile } from "./file-hash.js";
import { headCommit, identify } from "./identify.js";
import { askGitListBeside } from "./run-git.js";
import { indexSize, largeIndex, lookByStatus, type StatusLook } from "./tree-status.js";

export interface TreeSnapshot {
  version: 1;
  root: string;
  /** `git`: every file git lists; `status`: only what differs from the commit, in large trees; `walk`: without git. */
  how: "git" | "status" | "walk";
  head?: string;
  /**
   * Path relative to the root -> stat data. A folder that was not descended into ends in "/". In a `status` look also
   * "=" and an object's name for content git has, and "-" for a file that is gone.
   */
  entries: Record<string, string>;
  /** `status`: path -> content in the commit, of the entries that are there. */
  heads?: Record<string, string>;
  /** Absolute path -> content. */
  protected: Record<string, ProtectedFile>;
  /** Uncommitted files by path relative to the root: content in base64, or null if it was too large to keep. */
  uncommitted?: Record<string, string | null>;
  truncated?: Truncation;
  cost: { ms: number; entries: number };
}

export interface ProtectedFile {
  stat: string;
  /** Of the content, or of the target of a link; undefined for what can't be read. */
  hash?: string;
  link?: string;
  /** Content in base64, to restore from. */
  copy?: string;
}

/** Names after `upTo` in string order were not looked at. */
export interface Truncation {
  why: string;
  upTo: string;
}

export interface SnapshotOptions {
  /** Absolute paths, existing or not; always hashed, whatever git ignores. */
  protectedFiles?: readonly string[];
  /** Of those, the ones that are compared by their times alone and never copied: our own program. */
  program?: readonly string[];
  /** What git said about this tree a moment ago. */
  status?: StatusLook | undefined;
  /** The look this one is compared with: done the same way. */
  like?: Pick<TreeSnapshot, "how">;
  /** Of the protected files. */
  keepCopies?: boolean;
  /** Of what git could not give back. */
  keepUncommitted?: boolean;
  limits?: Partial<Limits>;
}

export interface Limits {
  entries: number;
  ms: number;
  /** A protected file larger than this is hashed, not kept. */
  copyBytes: number;
  /** Of all uncommitted files together. */
  uncommittedBytes: number;
  /** A git index above this size: git does the looking. About a hundred bytes a file. */
  statusAbove: number;
}

const LIMITS: Limits = {
  entries: 25_000,
  ms: 1_500,
  copyBytes: 256 << 10,
  uncommittedBytes: 2 << 20,
  statusAbove: largeIndex,
};
/** Folders compared by their own times only, where no git says what is ignored. */
const OPAQUE = new Set(["node_modules", ".git", ".hg", ".svn", ".venv", "__pycache__"]);
/** Kernel file systems below "/": not files, and always changing. */
const KERNEL = new Set(["/proc", "/sys", "/dev"]);

/** In git the whole work tree, elsewhere the folder. Git commands run at once and do not block the process. */
export async function takeSnapshot(folder: string, options: SnapshotOptions = {}): Promise<TreeSnapshot> {
  const started = process.hrtime.bigint();
  const spent = () => Number(process.hrtime.bigint() - started) / 1e6;
  const limits = { ...LIMITS, ...options.limits };
  const repository = identify(folder);
  const inGit = repository.kind === "git" && !repository.bare;
  const snapshot: TreeSnapshot = {
    version: 1,
    root: inGit ? repository.root : folder,
    how: inGit ? "git" : "walk",
    // No prototype: a file may be called "__proto__".
    entries: Object.create(null),
    protected: Object.create(null),
    cost: { ms: 0, entries: 0 },
  };
  if (inGit) snapshot.head = headCommit(repository);
  const protect = () => {
    for (const path of options.protectedFiles ?? []) {
      const own = options.program?.includes(path);
      const file = own ? programFile(path) : protectedFile(path, options.keepCopies ? limits.copyBytes : 0);
      if (file) snapshot.protected[path] = file;
    }
  };
  const large = inGit && (options.like?.how ?? (indexSize(repository.gitDir!) > limits.statusAbove ? "status" : "git"));
  if (large === "status") {
    snapshot.how = "status";
    const look = options.status ?? lookByStatus(snapshot.root, repository.gitDir!, limits.ms);
    protect();
    fillFromStatus(snapshot, await look, options, limits);
  } else {
    const git = inGit ? listByGit(snapshot.root, limits.ms) : undefined;
    const changed = inGit && options.keepUncommitted ? differingFiles(snapshot.root, limits.ms) : [];
    protect();
    const [listed, differing] = await Promise.all([git, changed]);
    if (inGit && !listed && spent() >= limits.ms) snapshot.truncated = notInTime(limits);
    else if (!listed) snapshot.how = "walk";
    if (!snapshot.truncated) fill(snapshot, listed?.names ?? listByWalk(snapshot.root, limits, spent), limits, spent);
    if (listed && options.keepUncommitted && !snapshot.truncated)
      snapshot.uncommitted = copiesOf(snapshot.root, [...differing, ...listed.fresh], limits);
  }
  snapshot.cost.ms = Math.round(spent());
  return snapshot;
}

const notInTime = ({ ms }: Limits): Truncation => ({ why: `git did not answer within ${ms} ms`, upTo: "" });

function fill(snapshot: TreeSnapshot, names: string[], limits: Limits, spent: () => number): void {
  for (const name of names.sort()) {
    if (snapshot.cost.entries >= limits.entries)
      snapshot.truncated = { why: `more than ${limits.entries} entries`, upTo: name };
    else if (spent() > limits.ms) snapshot.truncated = { why: `more than ${limits.ms} ms`, upTo: name };
    if (snapshot.truncated) break;
    snapshot.cost.entries++;
    const stat = look(join(snapshot.root, name));
    if (stat) snapshot.entries[stat.isDirectory() && !name.endsWith("/") ? `${name}/` : name] = compact(stat);
  }
}

function fillFromStatus(
  snapshot: TreeSnapshot,
  seen: StatusLook | undefined,
  { keepUncommitted }: SnapshotOptions,
  limits: Limits,
): void {
  const { root, entries } = snapshot;
  if (!seen || seen.listed.length > limits.entries) {
    const why = `more than ${limits.entries} files that differ from the commit`;
    snapshot.truncated = seen ? { why, upTo: "" } : notInTime(limits);
    return;
  }
  snapshot.cost.entries = seen.files;
  snapshot.heads = Object.create(null) as Record<string, string>;
  for (const { name, head, same, gone } of seen.listed) {
    if (head !== undefined) snapshot.heads[name] = head;
    entries[name] = same ? `=${same}` : gone ? "-" : statOf(join(root, name));
  }
  if (!keepUncommitted) return;
  const lost = seen.listed.filter((e) => !e.ignored && !e.gone).map((e) => e.name);
  snapshot.uncommitted = copiesOf(root, lost, limits);
}

/** Of what lies there now; "-" for nothing. */
export function statOf(path: string): string {
  const stat = look(path);
  return stat ? compact(stat) : "-";
}

function programFile(path: string): ProtectedFile | undefined {
  const stat = look(path);
  return stat && { stat: compact(stat) };
}

/** Staged and changed files. Asked in ways that run no filter of the repository's. */
async function differingFiles(root: string, ms: number): Promise<string[]> {
  const ask = async (...args: string[]) => (await askGitListBeside(root, args, { ms })) ?? [];
  const staged = ask("diff-index", "-z", "--cached", "--name-only", "--no-renames", "HEAD");
  // Git may read a file again that was written when its index was, and would run the repository's filter on it.
  const filters = await ask("config", "-z", "--name-only", "--get-regexp", "^filter\\..+\\.(clean|process|required)$");
  const off = filters.flatMap((name) => ["-c", `${name}=${name.endsWith(".required") ? "false" : ""}`]);
  const changed = await ask(...off, "diff-files", "-z", "--name-only");
  return [...(await staged), ...changed];
}

/** What git could not give back. */
function copiesOf(root: string, names: readonly string[], limits: Limits): Record<string, string | null> {
  const copies: Record<string, string | null> = Object.create(null);
  let left = limits.uncommittedBytes;
  for (const name of new Set(names)) {
    const stat = look(join(root, name));
    if (!stat?.isFile()) continue;
    const copy = isCredentialName(name) ? undefined : readPlain(join(root, name), Math.min(left, limits.copyBytes));
    left -= copy?.length ?? 0;
    copies[name] = copy?.toString("base64") ?? null;
  }
  return copies;
}

/** Tracked and new files one by one; ignored ones by their outermost folder. */
async function listByGit(root: string, ms: number): Promise<{ names: string[]; fresh: string[] } | undefined> {
  const ask = (...args: string[]) => askGitListBeside(root, ["ls-files", "-z", ...args, "--exclude-standard"], { ms });
  const [tagged, ignored = []] = await Promise.all([
    ask("-t", "--cached", "--others", "--deduplicate"),
    ask("--others", "--ignored", "--directory"),
  ]);
  if (!tagged) return undefined;
  const fresh = tagged.filter((line) => line.startsWith("? ")).map((line) => line.slice(2));
  return { names: [...tagged.map((line) => line.slice(2)), ...ignored], fresh };
}

function listByWalk(root: string, limits: Limits, spent: () => number): string[] {
  const names: string[] = [];
  const open = [""];
  while (open.length && names.length <= limits.entries && spent() < limits.ms) {
    const folder = open.shift()!;
    for (const entry of entriesOf(join(root, folder))) {
      const name = folder + entry.name;
      if (!entry.isDirectory()) names.push(name);
      else if (!KERNEL.has(join(root, name))) (OPAQUE.has(entry.name) ? names : open).push(`${name}/`);
    }
  }
  return names;
}

function protectedFile(path: string, copyBytes: number): ProtectedFile | undefined {
  const stat = look(path);
  if (!stat) return undefined;
  const file: ProtectedFile = { stat: compact(stat) };
  if (stat.isSymbolicLink()) {
    file.link = readLink(path);
    file.hash = hashFile(path) ?? sha256(file.link ?? "");
    return file;
  }
  const copy = copyBytes > 0 && stat.isFile() && !isCredentialName(path) ? readPlain(path, copyBytes) : undefined;
  file.hash = copy ? sha256(copy) : hashFile(path);
  if (copy) file.copy = copy.toString("base64");
  return file;
}

/** Size, both times, inode, mode and links in base 36, joined by dots. */
function compact(stat: BigIntStats): string {
  const folder = stat.isDirectory();
  // A folder's size and links say nothing its times don't.
  const fields = [folder ? 0n : stat.size, stat.mtimeNs, stat.ctimeNs, stat.ino, stat.mode, folder ? 1n : stat.nlink];
  return fields.map((n) => n.toString(36)).join(".");
}

function look(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path.replace(/\/$/, ""), { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined; // closed to us or in the way of a file: not there, as far as can be said
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // replaced since we looked
  }
}

/** Without following a link put there since we looked, without waiting on a pipe. */
function readPlain(path: string, most: number): Buffer | undefined {
  try {
    return readBounded(path, most, constants.O_NOFOLLOW ?? 0);
  } catch {
    return undefined; // not ours to read, or grown since: no copy can be kept
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone or closed meanwhile: nothing to list
  }
}
