// The control files: what governs intents, and no tool or command of an agent may change.
// Invariant: recognised in any spelling, through links, and inside folders and patterns that are deleted.
import { orchestrationFolder } from "../../model/orchestration.js";
import { compileGlob, matchCompiled } from "../../project/globs.js";
import { comparisonKey } from "../../project/path-key.js";

/** `.orchestration` and what lies in it, and both places of .intentignore, in any spelling. */
export function isControlFile(root: string, path: string, folder = ""): boolean {
  const key = comparisonKey(path);
  const inside = (place: string) => key === place || key.startsWith(`${place}/`);
  const own = comparisonKey(`${root}/${orchestrationFolder}`);
  return (
    inside(own) || key === comparisonKey(`${root}/.intentignore`) || (folder !== "" && inside(comparisonKey(folder)))
  );
}

/** Whether a broad target takes control files with it. */
export function coversControl(
  root: string,
  { path, broad, op }: { path: string; broad?: "folder" | "glob"; op: "write" | "delete" },
): boolean {
  if (!broad) return false;
  const own = [`${root}/${orchestrationFolder}`, `${root}/.intentignore`];
  if (broad === "glob") {
    const glob = [compileGlob(path.slice(1))];
    return own.some((place) => matchCompiled(glob, place.slice(1)));
  }
  // Formatters and archives write into whole folders all the time; what they really changed is looked at afterwards.
  return op === "delete" && own.some((place) => place.startsWith(`${path}/`));
}
