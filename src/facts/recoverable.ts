// Whether deleting a path inside the project loses anything git could not give back.
// Invariant: only a proof counts: outside git, outside the project, or when git can't say, the answer is no.

import type { Effect } from "../model/effect.js";
import { askGitList } from "../project/run-git.js";
import type { Facts } from "./index.js";
import { replacesMany } from "./lossy-effects.js";

/** Exists, and holds nothing but committed or staged content as git has it, and files git was told to ignore. */
export function recoverable(facts: Facts, path: string): boolean {
  const { project } = facts.world;
  return facts.once(`recoverable ${path}`, () => {
    if (!project.gitDir || !path.startsWith(`${project.root}/`) || !project.exists(path)) return false;
    const together = replacesMany(facts) ? facts.part("archives")?.replacedTogether(facts) : undefined;
    if (together?.asked.has(path)) return !together.unsaved.has(path);
    const ask = (...args: string[]) => askGitList(project.root, [...args, "--", path], { ms: 1_500 });
    const fresh = ask("ls-files", "-z", "--others", "--exclude-standard");
    return fresh?.length === 0 && ask("diff-files", "-z", "--name-only", "--diff-filter=d")?.length === 0;
  });
}

/** Nothing of the project is at the path, and nothing the command does before can have put something of value there. */
export function isAbsent(facts: Facts, effect: Effect): boolean {
  if (effect.path === undefined || (effect.kind !== "delete" && effect.how !== "truncate")) return false;
  // In a folder that is not there, a pattern names nothing.
  const path = effect.glob ? effect.path.replace(/\/[^/]*[*?[].*$/, "") : effect.path;
  if (!path.startsWith(`${facts.world.project.root}/`)) return false;
  if (facts.once(`absent ${path}`, () => facts.world.project.exists(path))) return false;
  const earlier = facts.effects.slice(0, facts.effects.indexOf(effect));
  return !earlier.some((e) => e.kind === "unknown" || (e.kind === "delete" && e.how === "move"));
}
