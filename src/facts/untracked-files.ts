// Files git does not keep yet: what `git add -A` would take in and what `git stash -u` or `git clean` would take away.
// Invariant: git itself says which they are; when it can't, there are none.
import type { Effect } from "../model/effect.js";
import { askGitList } from "../project/run-git.js";
import type { Facts } from "./index.js";
import { isFolder } from "./shell-analysis.js";

/** Absolute paths of untracked files, those git ignores left out, in the folder or pattern the effect names. */
export function untrackedIn(facts: Facts, effect: Effect): readonly string[] {
  const { path } = effect;
  const { project } = facts.world;
  if (path === undefined || !project.gitDir || !`${path}/`.startsWith(`${project.root}/`)) return [];
  // One file is judged by its name.
  if (!effect.recursive && !effect.glob && !isFolder(path)) return [];
  return facts.once(`untracked ${path}`, () => {
    const args = ["ls-files", "-z", "--others", "--exclude-standard", "--", path];
    return (askGitList(project.root, args, { ms: 1_500 }) ?? []).map((name) => `${project.root}/${name}`);
  });
}
