// What a call really changed, found by comparing the tree before it with the tree after it.
// Invariant: a path the call's own effects explain is `predicted`, and `named` if an effect names exactly this path;
// one that another call may have changed is `shared`. Only what was named could be judged before the call.

import type { Effect } from "../model/effect.js";
import type { RegistrationLoss } from "../model/registration-loss.js";
import { compileGlob, matchCompiled } from "../project/globs.js";
import type { TreeChange } from "../project/tree-changes.js";

export interface ObservedChange extends TreeChange {
  predicted?: true;
  /** Predicted by its exact path, not by a pattern or a whole folder. */
  named?: true;
  /** Another call ran at the same time and may have done it. */
  shared?: true;
}

export interface Observed {
  changes: ObservedChange[];
  head?: { before?: string; after?: string };
  truncated?: string;
  /** What the looking cost: both snapshots together. */
  cost: { ms: number; entries: number };
  /** What became of Interlock's own entries in settings files the call changed. */
  registration?: RegistrationLoss[];
  /** A call in the background did it, not the one of this event. */
  background?: true;
}

/** How a predicted effect explains that a path was changed: by its name, or as one of many. */
export function explains(effect: Effect, path: string): "named" | "covered" | undefined {
  if (effect.kind !== "write" && effect.kind !== "delete") return undefined;
  const covered = (is: boolean) => (is ? "covered" : undefined);
  if (effect.path === undefined) return covered(effect.within !== undefined && path.startsWith(`${effect.within}/`));
  const folder = path.endsWith("/") ? path.slice(0, -1) : path;
  if (effect.path === path || effect.path === folder || effect.path.startsWith(`${folder}/`)) return "named";
  if (effect.glob && matchCompiled([compileGlob(effect.path.slice(1))], folder.slice(1))) return "covered";
  return covered(effect.recursive === true && path.startsWith(`${effect.path}/`));
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

/** What no gate has judged by its name: unlike `surprises` also what a pattern or a whole folder covered. */
export const unnamed = (observed: Observed | undefined): ObservedChange[] =>
  observed?.changes.filter((c) => !c.named && !c.shared) ?? [];
