// What a call really changed, found by comparing the tree before it with the tree after it.
// Invariant: a path the call's own effects explain is `predicted`; one that another call may have changed is `shared`.

import type { Effect } from "../model/effect.js";
import { compileGlob, matchCompiled } from "../project/globs.js";
import type { TreeChange } from "../project/tree-changes.js";

export interface ObservedChange extends TreeChange {
  predicted?: true;
  /** Another call ran at the same time and may have done it. */
  shared?: true;
}

export interface Observed {
  changes: ObservedChange[];
  head?: { before?: string; after?: string };
  truncated?: string;
  /** What the looking cost: both snapshots together. */
  cost: { ms: number; entries: number };
  /** A call in the background did it, not the one of this event. */
  background?: true;
}

/** Whether a predicted effect explains that a path was changed. */
export function explains(effect: Effect, path: string): boolean {
  if (effect.kind !== "write" && effect.kind !== "delete") return false;
  if (effect.path === undefined) return effect.within !== undefined && path.startsWith(`${effect.within}/`);
  const folder = path.endsWith("/") ? path.slice(0, -1) : path;
  if (effect.path === path || effect.path === folder || effect.path.startsWith(`${folder}/`)) return true;
  if (effect.glob) return matchCompiled([compileGlob(effect.path.slice(1))], folder.slice(1));
  return effect.recursive === true && path.startsWith(`${effect.path}/`);
}

/** As the effects a call is judged by. */
export const effectOf = ({ path, op }: TreeChange): Effect => ({
  kind: op === "deleted" ? "delete" : "write",
  path: path.replace(/\/$/, ""),
  reason: `${op} while the call ran`,
});

/** What nobody foresaw and nobody else can have done. */
export const surprises = (observed: Observed | undefined): ObservedChange[] =>
  observed?.changes.filter((c) => !c.predicted && !c.shared) ?? [];
