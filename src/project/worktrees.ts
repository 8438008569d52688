// The work trees of a repository, read from the files git keeps.
// Invariant: reads only; what cannot be read is left out.
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readBoundedText } from "./bounded-read.js";

/** `commonDir`: the git directory they share. */
export function workTreesOf(commonDir: string): string[] {
  const main = basename(commonDir) === ".git" ? [dirname(commonDir)] : [];
  return [...main, ...linked(join(commonDir, "worktrees"))];
}

function linked(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // none was ever added
  }
  return names.flatMap((name) => {
    try {
      return [dirname(readBoundedText(join(folder, name, "gitdir"), 4_096).trim())];
    } catch {
      return []; // being added or removed at this moment
    }
  });
}
