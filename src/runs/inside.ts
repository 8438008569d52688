// Whether a path or glob of a request stays inside the project.
// Invariant: judged by where it leads on this disk, links resolved; a spelling that can be read in two ways must be
// inside in both.
import { isAbsolute, relative, sep } from "node:path";
import { canonicalPath } from "../project/canonical-path.js";
import { compileGlob } from "../project/globs.js";

/** Why the path may not be used; undefined when it may. */
export function outsideReason(project: string, path: string, roots: readonly string[] = ["."]): string | undefined {
  if (path === "" || path !== path.trim()) return "it is empty or begins or ends with a space";
  if (path.startsWith("-")) return "it begins with '-' and would be read as an option";
  if (/[\u0000-\u001f\u007f]/.test(path)) return "it holds a control character";
  if (isAbsolute(path) || /^[A-Za-z]:|^[~\\]|^[a-z]+:\/\//.test(path)) return "it is not relative to the project";
  if (path.split(/[/\\]/).includes("..")) return "it holds '..'";
  const found = canonicalPath(path, project);
  if (found.rejected) return found.rejected;
  if (found.opaque) return "it names an open file of a process";
  const base = canonicalPath(project, "/").path;
  const allowed = roots.map((root) => canonicalPath(root, base).path);
  for (const reading of [found, ...(found.others ?? [])]) {
    if (!allowed.some((root) => isBelow(root, reading.path))) return "it leads outside the allowed folders";
    if (relative(base, reading.path).split(sep).includes(".git")) return "it leads into .git";
    if ((reading.links ?? 1) > 1) return "it is a file with several hard links";
  }
  return undefined;
}

const isBelow = (root: string, path: string): boolean =>
  path === root || path.startsWith(root === sep ? sep : root + sep);

/** The same for a glob: judged by its fixed beginning; it must also be one Interlock can match. */
export function globReason(project: string, glob: string, roots?: readonly string[]): string | undefined {
  if (glob.startsWith("!")) return "a glob here can't take back another";
  try {
    compileGlob(glob);
  } catch (error) {
    return (error as Error).message;
  }
  if (glob.split("/").includes("..")) return "it holds '..'";
  const fixed = globBase(glob);
  if (fixed === "") return isAbsolute(glob) || glob.startsWith("-") ? "it is not relative to the project" : undefined;
  return outsideReason(project, fixed, roots);
}

/** `a/b/*.md` -> `a/b`. */
export function globBase(glob: string): string {
  const names = glob.split("/");
  const wild = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  return (wild < 0 ? names : names.slice(0, wild)).join("/");
}
