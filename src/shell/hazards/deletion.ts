// What makes a delete dangerous: the place it names, and how much it takes.
// Invariant: judged by path alone; a path that is not known counts by the part of it that is.
import type { Hazard, PathEffect } from "../../model/effect.js";
import { isInside } from "../analyze/paths.js";
import {
  homeOf,
  isBuiltElsewhere,
  isBuiltHere,
  isCache,
  isMountPlace,
  isPersonal,
  isSystemPath,
  isTemporary,
  isTemporaryFolder,
  type KnownPlaces,
} from "./places.js";

const massDelete = (id: string, level: 1 | 2 | 3 = 3): Hazard => ({ class: "mass-delete", level, id });

export function deletionHazard(given: PathEffect, places: KnownPlaces): Hazard | undefined {
  // Every file at any depth is the tree itself.
  const all = given.glob ? /^(.*)\/\*\*\/\*$/s.exec(given.path ?? "") : null;
  const effect = all ? { ...given, path: all[1] || "/", recursive: true } : given;
  const path = effect.path ?? (effect.within && `${effect.within === "/" ? "" : effect.within}/*`);
  if (path === undefined) return unresolved(effect);
  const { root, home } = places;
  // Something below the project whose name is not known is not the project.
  if (effect.path === undefined && root !== undefined && isInside(effect.within!, root))
    return effect.recursive ? massDelete("delete-unresolved", 2) : undefined;
  if (path === "/" || /^\/\*+$|^\/\.\*$/.test(path)) return massDelete("delete-root");
  const inProject = root !== undefined && isInside(path, root) && root !== home;
  if (isTemporary(path) && !inProject)
    return isTemporaryFolder(path) && effect.recursive
      ? massDelete("delete-temp", effect.word?.includes("$") ? 2 : 3)
      : undefined;
  if (isGitStore(path)) return isGitLock(path) ? undefined : massDelete("delete-git");
  if (inProject) return inTheProject(path.slice(root.length + 1), effect);
  if (isBuiltElsewhere(path)) return massDelete("delete-outside-build", 2);
  return outside(path, effect, places);
}

const gitParts = "objects|refs|logs|worktrees|packed-refs|HEAD|config|index|hooks|\\*|\\{";
const gitStore = new RegExp(`(^|/)[^/]*\\.git/(${gitParts})|(^|/)\\.git(/\\*?)?$`);
const isGitStore = (path: string): boolean => gitStore.test(path);
const isGitLock = (path: string): boolean => path.endsWith(".lock") && /\.git\/(index|HEAD|.*\.lock$)/.test(path);

function inTheProject(rest: string, effect: PathEffect): Hazard | undefined {
  if (rest === "" || /^\.?\*+$|^\.\*$|^\.\[!\.\]\*$/.test(rest))
    return effect.recursive ? massDelete("delete-project") : massDelete("delete-project-files", 2);
  // What is moved is still there.
  if (!effect.recursive || effect.how === "move") return undefined;
  // `rm -rf node_modules package-lock.json`: a name with an extension is one file.
  if (/[^/]\.[a-z][a-z0-9]{0,9}$/i.test(rest) && !rest.endsWith(".d")) return undefined;
  return isBuiltHere(rest) ? undefined : massDelete("delete-project-tree");
}

function outside(path: string, effect: PathEffect, { root, home }: KnownPlaces): Hazard | undefined {
  const whole = effect.recursive || effect.glob;
  if (/^\/(Users|home)\/[^/]+\/?[.*{]*$|^\/root\/?[.*]*$/.test(path) || path === home)
    return whole ? massDelete("delete-home") : undefined;
  if (root !== undefined && whole && isInside(root, path.replace(/\/\*+$/, "") || "/"))
    return massDelete("delete-project");
  const owner = homeOf(path, home, /^\/(?:home|Users)\/[^/]+(?=\/)/);
  if (owner) return inHome(path.slice(owner.length + 1), effect);
  if (path.startsWith("/dev/")) return { class: "disk", level: 3, id: "delete-device" };
  if (isMountPlace(path)) return whole ? massDelete("delete-home") : undefined;
  if (isSystemPath(path)) {
    // A file name right below the root with a glob in it can be any of the system's directories.
    if (!whole && path.split("/").length <= 2) return undefined;
    return massDelete("delete-system", path.startsWith("/var/log/") && !whole ? 2 : 3);
  }
  return whole ? massDelete("delete-outside-project") : massDelete("delete-outside-file", 2);
}

function inHome(rest: string, effect: PathEffect): Hazard | undefined {
  if (isCache(rest)) return undefined;
  if (effect.how === "trash" && rest.includes("/")) return massDelete("to-trash", 1);
  // One file taken from the downloads is where it is needed now.
  if (effect.how === "move" && !effect.glob && /^Downloads\/.*[^/]\.\w{1,6}$/.test(rest))
    return massDelete("move-download", 1);
  if (effect.recursive || effect.glob) return massDelete("delete-outside-project");
  return isPersonal(rest) ? massDelete("delete-personal") : massDelete("delete-outside-file", 2);
}

/** `rm -rf $X/` deletes the root when X is empty: that is a disaster waiting, not a guess. */
function unresolved(effect: PathEffect): Hazard | undefined {
  const word = (effect.word ?? "").replaceAll('"', "");
  if (effect.recursive && /^\$\{?\w+\}?\/\*?$/.test(word)) return massDelete("delete-maybe-root");
  return effect.recursive ? massDelete("delete-unresolved", 2) : massDelete("delete-unresolved", 1);
}
