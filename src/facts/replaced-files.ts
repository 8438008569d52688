// Files that one command replaces in great number, as an archive does: git is asked once for all of them.
// Invariant: a file git does not vouch for counts as unsaved.
import { askGitList } from "../project/run-git.js";
import type { Facts } from "./index.js";
import { replacedPaths } from "./lossy-effects.js";

export function replacedTogether(facts: Facts): { asked: Set<string>; unsaved: { has(path: string): boolean } } {
  return facts.once("replaced together", () => {
    const { root } = facts.world.project;
    const asked = new Set(replacedPaths(facts).slice(0, 1_000));
    const ask = (...args: string[]) =>
      askGitList(root, ["--literal-pathspecs", ...args, "--", ...asked], { ms: 3_000 });
    const fresh = ask("ls-files", "-z", "--others", "--exclude-standard", "--full-name");
    const changed = ask("diff-files", "-z", "--name-only", "--diff-filter=d");
    const named = fresh && changed && new Set([...fresh, ...changed].map((name) => `${root}/${name}`));
    return { asked, unsaved: named ?? { has: () => true } };
  });
}
