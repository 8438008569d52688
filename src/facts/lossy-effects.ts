// Effects for which the disk and git must be asked what would be lost: few commands have any.
// Invariant: who reads the disk (`lost-files.ts`, `replaced-files.ts`) looks at these and at no others.
import type { Effect, PathEffect } from "../model/effect.js";
import { type Hazard, hazardCatalogue } from "../model/hazards.js";
import type { Facts } from "./index.js";

/** A copy over a file, a delete by a pattern, or a deleted database. */
export const mayLose = (effect: Effect): boolean =>
  isCopy(effect) || isPatternDelete(effect) || isDatabaseDelete(effect);

/** Git is asked whether it has what would be lost, and how to keep it. */
export const mayBeKept = ({ id }: Hazard): boolean => !/^(?:kept-in-git)?$/.test(hazardCatalogue[id].excuse ?? "");

export const isCopy = (effect: Effect): effect is PathEffect & { path: string; copyOf: string } =>
  effect.kind === "write" && effect.path !== undefined && effect.copyOf !== undefined && !effect.glob;

/** A pattern of one folder names files as a list does; one that goes through folders finds what nobody named. */
export const isPatternDelete = (effect: Effect): effect is PathEffect & { path: string } =>
  isPlainDelete(effect) && effect.glob === true && effect.path!.includes("/**/");

export const isDatabaseDelete = (effect: Effect): effect is PathEffect & { path: string } =>
  isPlainDelete(effect) && !effect.glob && databaseFile.test(effect.path!);

const isPlainDelete = (effect: Effect): boolean =>
  effect.kind === "delete" && effect.path !== undefined && effect.how === undefined && !effect.recursive;

const databaseFile = /\.(?:db|sqlite3?)$/i;

/** Files of the project that the call empties or replaces. */
export const replacedPaths = (facts: Facts): string[] =>
  facts.effects.flatMap(({ kind, how, path, glob }) =>
    kind === "write" && how === "truncate" && !glob && path?.startsWith(`${facts.world.project.root}/`) ? [path] : [],
  );

/** So many that git is asked once for all of them. */
export const replacesMany = (facts: Facts): boolean => replacedPaths(facts).length >= 4;
