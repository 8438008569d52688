// What differs between two snapshots of a tree.
// Invariant: a path that only one snapshot could see is no change; protected files are compared by content, never by
// time alone.
import { join } from "node:path";
import type { ProtectedFile, TreeSnapshot } from "./tree-snapshot.js";

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
