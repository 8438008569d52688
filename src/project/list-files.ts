// The files below a folder of a project.
// Invariant: bounded; links are not followed, and git's own folder and installed packages are left out.
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

const mostFiles = 20_000;
const skipped = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "venv"]);

/** `folder` is relative to the root ("." for it); so are the sorted names in the answer and what `leaveOut` gets. */
export function listFiles(
  root: string,
  folder: string,
  leaveOut: (below: string, entry: Dirent) => boolean = () => false,
): { files: string[]; truncated: boolean } {
  const files: string[] = [];
  const open = [folder === "." ? "" : folder];
  while (open.length) {
    const at = open.pop()!;
    for (const entry of entriesOf(join(root, at))) {
      const below = at ? `${at}/${entry.name}` : entry.name;
      if (skipped.has(entry.name) || leaveOut(below, entry)) continue;
      if (entry.isDirectory()) open.push(below);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(below);
      if (files.length >= mostFiles) return { files: files.sort(), truncated: true };
    }
  }
  return { files: files.sort(), truncated: false };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not a folder, gone meanwhile, or not ours to read
  }
}
