// What makes a delete dangerous: the place it names, and how much it takes.
// Invariant: judged by path alone; a path that is not known counts by the part of it that is.
import type { Hazard, PathEffect } from "../../model/effect.js";
import { hazard } from "../../model/hazards.js";
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

export function deletionHazard(given: PathEffect, places: KnownPlaces): Hazard | undefined {
  // Every file at any depth is the tree itself.
  const all = given.glob ? /^(.*)\/\*\*\/\*$/s.exec(given.path ?? "") : null;
  const effect = all ? { ...given, path: all[1] || "/", recursive: true } : given;
  // Some of the files below a folder: outside the project as good as any of them.
  const some = effect.path?.endsWith("/**/?*") && !isInside(effect.path, places.root ?? "/");
  const named = some ? effect.path!.replace("**/?*", "*") : effect.path;
  const path = named ?? (effect.within && `${effect.within === "/" ? "" : effect.within}/*`);
  if (path === undefined) return unresolved(effect);
  const { root, home } = places;
  // Something below the project whose name is not known is not the project.
  if (effect.path === undefined && root !== undefined && isInside(effect.within!, root))
    return effect.recursive ? hazard("delete-unresolved") : undefined;
  if (path === "/" || /^\/\*+$|^\/\.\*$/.test(path)) return hazard("delete-root");
  const inProject = root !== undefined && isInside(path, root) && root !== home;
  if (isTemporary(path) && !inProject && !isHome(path, home))
    return isTemporaryFolder(path) && effect.recursive
      ? hazard(effect.word?.includes("$") ? "delete-temp-variable" : "delete-temp")
      : undefined;
  if (isGitStore(path)) return isGitLock(path) ? undefined : hazard("delete-git");
  if (inProject) return inTheProject(path.slice(root.length + 1), effect);
  if (isBuiltElsewhere(path)) return hazard("delete-outside-build");
  return outside(path, effect, places);
}

const gitParts = "objects|refs|logs|worktrees|packed-refs|HEAD|config|index|hooks|\\*|\\{";
const gitStore = new RegExp(`(^|/)[^/]*\\.git/(${gitParts})|(^|/)\\.git(/\\*?)?$`);
const isGitStore = (path: string): boolean => gitStore.test(path);
const isGitLock = (path: string): boolean => path.endsWith(".lock") && /\.git\/(index|HEAD|.*\.lock$)/.test(path);

function inTheProject(rest: string, effect: PathEffect): Hazard | undefined {
  if (rest === "" || /^\.?\*+$|^\.\*$|^\.\[!\.\]\*$/.test(rest))
    return hazard(effect.recursive ? "delete-project" : "delete-project-files");
  // What is moved is still there.
  if (!effect.recursive || effect.how === "move") return undefined;
  // `rm -rf node_modules package-lock.json`: a name with an extension is one file.
  if (/[^/]\.[a-z][a-z0-9]{0,9}$/i.test(rest) && !rest.endsWith(".d")) return undefined;
  return isBuiltHere(rest) ? undefined : hazard("delete-project-tree");
}

function outside(path: string, effect: PathEffect, { root, home }: KnownPlaces): Hazard | undefined {
  const whole = effect.recursive || effect.glob;
  if (/^\/(Users|home)\/[^/]+\/?[.*{]*$|^\/root\/?[.*]*$/.test(path) || isHome(path, home))
    return whole ? hazard("delete-home") : undefined;
  if (root !== undefined && whole && isInside(root, path.replace(/\/\*+$/, "") || "/")) return hazard("delete-project");
  const owner = homeOf(path, home, /^\/(?:home|Users)\/[^/]+(?=\/)/);
  if (owner) return inHome(path.slice(owner.length + 1), effect);
  if (path.startsWith("/dev/")) return hazard("delete-device");
  if (isMountPlace(path)) return whole ? hazard("delete-home") : undefined;
  if (isSystemPath(path)) {
    // A file name right below the root with a glob in it can be any of the system's directories.
    if (!whole && path.split("/").length <= 2) return undefined;
    return hazard(path.startsWith("/var/log/") && !whole ? "delete-log" : "delete-system");
  }
  return hazard(whole ? "delete-outside-project" : "delete-outside-file");
}

const isHome = (path: string, home: string | undefined): boolean => path.replace(/\/[.*{]*$/, "") === home;

function inHome(rest: string, effect: PathEffect): Hazard | undefined {
  if (isCache(rest) || effect.beside) return undefined;
  if (effect.how === "trash" && rest.includes("/")) return hazard("to-trash");
  // One file taken from the downloads is where it is needed now.
  if (effect.how === "move" && !effect.glob && /^Downloads\/.*[^/]\.\w{1,6}$/.test(rest))
    return hazard("move-download");
  if (effect.recursive || effect.glob) return hazard("delete-outside-project");
  return hazard(isPersonal(rest) ? "delete-personal" : "delete-outside-file");
}

/** `rm -rf $X/` deletes the root when X is empty: that is a disaster waiting, not a guess. */
function unresolved(effect: PathEffect): Hazard | undefined {
  const word = (effect.word ?? "").replaceAll('"', "");
  if (effect.recursive && /^\$\{?\w+\}?\/\*?$/.test(word)) return hazard("delete-maybe-root");
  return hazard(effect.recursive ? "delete-unresolved" : "delete-unresolved-file");
}
