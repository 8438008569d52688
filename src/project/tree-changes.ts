// What differs between two snapshots of a tree.
// Invariant: a path that only one snapshot could see is no change; protected files are compared by content, never by
// time alone.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { join } from "node:path";
import { readBounded } from "./bounded-read.js";
import { askGitList } from "./run-git.js";
import { type ProtectedFile, statOf, type TreeSnapshot } from "./tree-snapshot.js";

export interface TreeChange {
  /** Absolute; a folder known only by its times ends in "/". */
  path: string;
  /** `mode`: permissions or type; `linked`: a hard link to it came or went. */
  op: "created" | "changed" | "deleted" | "mode" | "linked";
  protected?: true;
}

export interface Comparison {
  changes: TreeChange[];
  /** HEAD moved. */
  head?: { before?: string; after?: string };
  /** Why there may be more. */
  truncated?: string;
}

export function compareSnapshots(before: TreeSnapshot, after: TreeSnapshot): Comparison {
  const comparison: Comparison = { changes: [] };
  if (before.root !== after.root || before.how !== after.how)
    comparison.truncated = "the two snapshots are of different trees";
  else if (after.how === "status") compareStatus(before, after, comparison);
  else compareEntries(before, after, comparison);
  compareProtected(before, after, comparison);
  if (before.head !== after.head) comparison.head = { before: before.head, after: after.head };
  return comparison;
}

function compareEntries(before: TreeSnapshot, after: TreeSnapshot, comparison: Comparison): void {
  const cuts = [before.truncated, after.truncated].filter((t) => t !== undefined);
  const end = cuts.length ? cuts.map((t) => t.upTo).sort()[0] : undefined;
  if (cuts[0]) comparison.truncated = cuts[0].why;
  const add = (name: string, op: TreeChange["op"] | undefined) => {
    if (op) comparison.changes.push({ path: join(after.root, name), op });
  };
  const inSight = (name: string) => end === undefined || name < end;
  for (const [name, stat] of Object.entries(after.entries)) {
    if (!inSight(name)) continue;
    const old = before.entries[name];
    add(name, old === undefined ? "created" : difference(old, stat));
  }
  for (const name of Object.keys(before.entries)) if (inSight(name) && !(name in after.entries)) add(name, "deleted");
}

/** What neither look lists is as its commit has it: it changed only if it differs between the commits. */
function compareStatus(before: TreeSnapshot, after: TreeSnapshot, comparison: Comparison): void {
  comparison.truncated = (before.truncated ?? after.truncated)?.why;
  if (comparison.truncated !== undefined) return;
  const moved = movedBetween(before, after);
  if (!moved) {
    comparison.truncated = "git did not say what differs between the commits";
    return;
  }
  const headOf = (one: TreeSnapshot, other: TreeSnapshot, side: "old" | "new", name: string) =>
    one.heads?.[name] ?? (name in one.entries ? undefined : (moved.get(name)?.[side] ?? other.heads?.[name]));
  const stateOf = (one: TreeSnapshot, other: TreeSnapshot, side: "old" | "new", name: string) => {
    const head = headOf(one, other, side, name);
    return one.entries[name] ?? (head === undefined || moved.get(name)?.[side] === "" ? "-" : `=${head}`);
  };
  for (const name of new Set([...Object.keys(before.entries), ...Object.keys(after.entries), ...moved.keys()])) {
    const path = join(after.root, name);
    const op = contentChange(path, stateOf(before, after, "old", name), stateOf(after, before, "new", name));
    if (op) comparison.changes.push({ path: name.endsWith("/") ? `${path.replace(/\/$/, "")}/` : path, op });
  }
}

/** States as in `TreeSnapshot.entries`. */
function contentChange(path: string, before: string, after: string): TreeChange["op"] | undefined {
  if (before === after) return undefined;
  if (before === "-") return "created";
  if (after === "-") return "deleted";
  const known = [before, after].filter((state) => state.startsWith("="));
  if (known.length === 2) return "changed";
  if (known.length === 0) return difference(before, after);
  // Committed or taken out of the index meanwhile: the file itself says whether its content is the same.
  if (after.startsWith("=")) return before === statOf(path) ? undefined : "changed";
  if (blobName(path, before.length - 1) !== before.slice(1)) return "changed";
  return undefined;
}

/** Object names of files that differ between the two commits; "" where one of them has no such file. */
function movedBetween(
  before: TreeSnapshot,
  after: TreeSnapshot,
): Map<string, { old: string; new: string }> | undefined {
  const moved = new Map<string, { old: string; new: string }>();
  if (before.head === after.head) return moved;
  const empty = (before.head ?? after.head)!.length > 40 ? emptyTree256 : emptyTree;
  const ends = [before.head ?? empty, after.head ?? empty];
  const lines = askGitList(after.root, ["diff-tree", "-r", "-z", "--raw", "--no-renames", ...ends], { ms: 5_000 });
  if (!lines) return undefined;
  const oid = (text: string | undefined) => (/^0*$/.test(text ?? "") ? "" : text!);
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const [, , old, now] = lines[i]!.split(" ");
    moved.set(lines[i + 1]!, { old: oid(old), new: oid(now) });
  }
  return moved;
}

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const emptyTree256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/** The name git would give this content, without its filters. */
function blobName(path: string, digits: number): string | undefined {
  try {
    const bytes = readBounded(path, 16 << 20, constants.O_NOFOLLOW ?? 0);
    const hash = createHash(digits > 40 ? "sha256" : "sha1");
    return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  } catch {
    return undefined; // a link, too large, or gone: it counts as changed
  }
}

function compareProtected(before: TreeSnapshot, after: TreeSnapshot, comparison: Comparison): void {
  for (const path of new Set([...Object.keys(before.protected), ...Object.keys(after.protected)])) {
    const op = contentDifference(before.protected[path], after.protected[path]);
    const listed = comparison.changes.findIndex((c) => c.path === path);
    if (listed >= 0) comparison.changes.splice(listed, 1);
    if (op) comparison.changes.push({ path, op, protected: true });
  }
}

/** A protected file that was only touched, or rewritten with the same text, has not changed. */
function contentDifference(
  before: ProtectedFile | undefined,
  after: ProtectedFile | undefined,
): TreeChange["op"] | undefined {
  if (!before || !after) return before ? "deleted" : after ? "created" : undefined;
  if (before.hash !== after.hash || before.link !== after.link) return "changed";
  const op = difference(before.stat, after.stat);
  if (op === "changed" && before.hash === undefined) return "changed";
  return op === "changed" ? modeOrLinks(before.stat, after.stat) : op;
}

/** Field order: size, mtime, ctime, inode, mode, links (`compact` in tree-snapshot.ts). */
function difference(before: string, after: string): TreeChange["op"] | undefined {
  if (before === after) return undefined;
  const a = before.split(".");
  const b = after.split(".");
  if (a[0] !== b[0] || a[1] !== b[1] || a[3] !== b[3]) return "changed";
  // Only the change time moved: someone set the modification time back, unless mode or links explain it.
  return modeOrLinks(before, after) ?? "changed";
}

function modeOrLinks(before: string, after: string): TreeChange["op"] | undefined {
  const a = before.split(".");
  const b = after.split(".");
  return a[4] !== b[4] ? "mode" : a[5] !== b[5] ? "linked" : undefined;
}
