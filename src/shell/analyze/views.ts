// Where paths lie that a command names behind another root: in a container with mounts, after a chroot.
// Invariant: a path below a mount becomes the path of this machine; a path no mount covers is not on this machine.
import { type Effect, isPathEffect, type PathEffect } from "../../model/effect.js";
import { pathHazard } from "../hazards/path-hazards.js";
import { isInside } from "./paths.js";

/** A directory of this machine, and the name it has for the command. */
export interface View {
  source: string;
  target: string;
  readonly?: boolean;
}

/** Where a command runs, as far as paths go. */
interface Place {
  remote?: string;
  contained?: boolean;
  views?: readonly (readonly View[])[];
}

/** What this machine sees of an effect behind other roots and on other machines. */
export function seenFrom(effect: Effect, { remote, contained, views }: Place): Effect | undefined {
  const here = views && isPathEffect(effect) ? throughViews(effect, views) : undefined;
  if (here) return here;
  // Behind a new root here, a path that no mount covers is none of this machine's.
  if (views && remote === undefined && isPathEffect(effect) && (effect.path ?? effect.within)) return undefined;
  if (remote === undefined) return effect;
  // What nobody knows may change what is mounted there.
  if (effect.kind === "unknown" && !effect.hazard && views?.some((set) => set.some((view) => !view.readonly)))
    return { ...effect, reason: `on ${remote}: ${effect.reason}` };
  return fromAfar(effect, remote, contained);
}

/** Of what happens on another machine only the danger counts here. */
function fromAfar(effect: Effect, host: string, contained = false): Effect | undefined {
  if (effect.kind === "network" || effect.kind === "privilege") return undefined;
  const hazard = effect.hazard ?? pathHazard(effect, {});
  // A container made for the command has no environment but what it was given.
  if (contained && hazard?.id.startsWith("environment-dump")) return undefined;
  if (!hazard || (contained && /^(mass-delete|permissions|worktree-loss|system|persistence|kill)$/.test(hazard.class)))
    return undefined;
  return { kind: "exec", reason: `on ${host}: ${effect.reason}`, program: effect.program, hazard, how: "remote" };
}

/** The effect as this machine sees it, through one set of mounts after the other; undefined when none covers it. */
function throughViews(effect: PathEffect, views: readonly (readonly View[])[]): PathEffect | undefined {
  let seen: PathEffect | undefined = effect;
  for (let at = views.length - 1; at >= 0 && seen; at--) seen = throughMounts(seen, views[at]!);
  return seen;
}

function throughMounts(effect: PathEffect, mounts: readonly View[]): PathEffect | undefined {
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

const changesNot = (effect: PathEffect, { readonly }: View): boolean => readonly === true && effect.kind !== "read";
const stem = (path: string): string => path.replace(/\/[^/]*[*?[].*$/, "") || "/";

function moved(effect: PathEffect, { source, target }: View, named: string): PathEffect {
  const rest = target === "/" ? (named === "/" ? "" : named) : named.slice(target.length);
  const path = source === "/" ? rest || "/" : source + rest;
  return effect.path === undefined ? { ...effect, within: path } : { ...effect, path };
}
