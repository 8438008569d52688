// The look at a large work tree: git says which files differ from the commit, and only those are looked at here.
// Invariant: a name that is not listed is as the commit has it. Files git was told not to look at are listed.
import { statSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "./bounded-read.js";
import { askGitList, askGitListBeside } from "./run-git.js";

export interface StatusLook {
  /** Every name that is not as the commit has it. */
  listed: StatusEntry[];
  /** How many files git looked at. */
  files: number;
  /** No tracked file is staged or changed. */
  clean: boolean;
}

export interface StatusEntry {
  /** A folder ends in "/". */
  name: string;
  /** Content in the commit; undefined if it is not there. */
  head?: string;
  /** Content in the index, where the work tree has the same. */
  same?: string;
  gone?: true;
  ignored?: true;
}

/** Undefined when git can't say, or not in time. */
export async function lookByStatus(root: string, gitDir: string, ms: number): Promise<StatusLook | undefined> {
  const filters = (await askGitListBeside(root, filterNames, { ms })) ?? [];
  const asked = askGitListBeside(root, statusArguments(filters), { ms });
  const index = readIndex(gitDir);
  return index && lookFrom(await asked, index, root, ms);
}

/** The same at once, for a gate. */
export function lookByStatusNow(root: string, gitDir: string, ms: number): StatusLook | undefined {
  const index = readIndex(gitDir);
  const filters = askGitList(root, filterNames, { ms }) ?? [];
  return index && lookFrom(askGitList(root, statusArguments(filters), { ms }), index, root, ms);
}

const filterNames = ["config", "-z", "--name-only", "--get-regexp", "^filter\\..+\\.(clean|process|required)$"];

/** Git reads a file again whose times differ from its index, and would run the repository's filter on it. */
function statusArguments(filters: readonly string[]): string[] {
  const off = filters.flatMap((name) => ["-c", `${name}=${name.endsWith(".required") ? "false" : ""}`]);
  const form = ["--porcelain=v2", "-z", "--no-renames", "--ignore-submodules=all"];
  return [...off, "status", ...form, "--untracked-files=all", "--ignored=matching"];
}

function lookFrom(lines: string[] | undefined, index: Buffer, root: string, ms: number): StatusLook | undefined {
  if (!lines) return undefined;
  const listed = new Map<string, StatusEntry>();
  for (const entry of hiddenIn(index, root, ms)) listed.set(entry.name, entry);
  for (const line of lines) {
    const entry = entryOf(line);
    // A file that left the index but not the disk is listed twice; the second says what lies there.
    listed.set(entry.name, { ...entry, head: entry.head ?? listed.get(entry.name)?.head });
  }
  const fresh = lines.filter((line) => line.startsWith("?") || line.startsWith("!")).length;
  const clean = fresh === lines.length;
  return { listed: [...listed.values()], files: index.readUInt32BE(8) + fresh, clean };
}

/** An index above this size: git does the looking. About a hundred bytes a file. */
export const largeIndex = 400_000;

/** Bytes of the index: how large a tree is, before anything is asked. */
export const indexSize = (gitDir: string): number =>
  statSync(join(gitDir, "index"), { throwIfNoEntry: false })?.size ?? 0;

function readIndex(gitDir: string): Buffer | undefined {
  try {
    const index = readBounded(join(gitDir, "index"), 512 << 20);
    return index.length > 32 && index.toString("latin1", 0, 4) === "DIRC" ? index : undefined;
  } catch {
    return undefined; // nothing was ever added
  }
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`, `! path`. */
function entryOf(line: string): StatusEntry {
  const kind = line[0];
  if (kind === "?") return { name: line.slice(2) };
  if (kind === "!") return { name: line.slice(2), ignored: true };
  const fields = line.split(" ");
  const name = fields.slice(kind === "u" ? 10 : 8).join(" ");
  if (kind === "u") return { name, head: present(fields[8]) };
  const [, state = "", , , , , head, index] = fields;
  const entry: StatusEntry = { name, head: present(head) };
  if (state[1] === "D" || state === "D.") entry.gone = true;
  else if (state[1] === ".") entry.same = index;
  return entry;
}

const present = (oid: string | undefined): string | undefined => (/^0*$/.test(oid ?? "") ? undefined : oid);

/** Entries marked "assume unchanged" or "skip": git does not look at those files, so we do. */
function hiddenIn(index: Buffer, root: string, ms: number): StatusEntry[] {
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return hiddenByGit(root, ms);
  const found: StatusEntry[] = [];
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0 && at + 62 < index.length; left--) {
    const flags = index.readUInt16BE(at + 60);
    const extended = (flags & 0x4000) !== 0;
    const start = at + (extended ? 64 : 62);
    const length = flags & 0xfff;
    const end = length < 0xfff ? start + length : index.indexOf(0, start);
    if (end < 0 || index[end] !== 0) return hiddenByGit(root, ms); // longer ids, or a form we do not know
    if ((flags & 0x8000) !== 0 || (extended && (index.readUInt16BE(at + 62) & 0x4000) !== 0))
      found.push({ name: index.toString("utf8", start, end), head: index.toString("hex", at + 40, at + 60) });
    at += (end - at + 8) & ~7;
  }
  return found;
}

/** `h 100644 <oid> 0<TAB>path`: a lower-case tag, or S. */
const hiddenByGit = (root: string, ms: number): StatusEntry[] =>
  (askGitList(root, ["ls-files", "-v", "-s", "-z"], { ms }) ?? []).flatMap((line) => {
    const [, tag, oid, name] = /^(\S) \d+ (\S+) \d+\t([^]*)$/.exec(line) ?? [];
    return tag && name && oid && (tag === "S" || tag === tag.toLowerCase()) ? [{ name, head: oid }] : [];
  });
