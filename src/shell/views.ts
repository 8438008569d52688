// Where paths lie that a command names behind another root: in a container with mounts, after a chroot.
// Invariant: a path below a mount becomes the path of this machine; what a mount does not cover is none of this machine's.
import type { Effect } from "./effects.js";
import { isInside } from "./paths.js";

/** A directory of this machine, and the name it has for the command. */
export interface View {
  source: string;
  target: string;
  readonly?: boolean;
}

/** The effect as this machine sees it, through one set of mounts after the other; undefined when none covers it. */
export function throughViews(effect: Effect, views: readonly (readonly View[])[]): Effect | undefined {
  let seen: Effect | undefined = effect;
  for (let at = views.length - 1; at >= 0 && seen; at--) seen = throughMounts(seen, views[at]!);
  return seen;
}

function throughMounts(effect: Effect, mounts: readonly View[]): Effect | undefined {
  const named = effect.path ?? effect.within;
  if (named === undefined) return undefined;
  const covering = mounts
    .filter((mount) => isInside(named, mount.target))
    .sort((left, right) => right.target.length - left.target.length)[0];
  if (covering) return changesNot(effect, covering) ? undefined : moved(effect, covering, named);
  // What deletes a directory deletes what is mounted below it.
  const below =
    effect.recursive || effect.glob ? mounts.find((mount) => isInside(mount.target, stem(named))) : undefined;
  return below && !changesNot(effect, below) ? { ...effect, path: below.source, within: undefined } : undefined;
}

const changesNot = (effect: Effect, { readonly }: View): boolean => readonly === true && effect.kind !== "read";
const stem = (path: string): string => path.replace(/\/[^/]*[*?[].*$/, "") || "/";

function moved(effect: Effect, { source, target }: View, named: string): Effect {
  const rest = target === "/" ? (named === "/" ? "" : named) : named.slice(target.length);
  const path = source === "/" ? rest || "/" : source + rest;
  return effect.path === undefined ? { ...effect, within: path } : { ...effect, path };
}
