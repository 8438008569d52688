// Whether deleting a path inside the project loses anything git could not give back.
// Invariant: only a proof counts: outside git, outside the project, or when git can't say, the answer is no.

import type { Effect, Hazard } from "../model/effect.js";
import { hazardCatalogue } from "../model/hazards.js";
import { askGitList } from "../project/run-git.js";
import type { Facts } from "./index.js";
import { largeTreeStatus } from "./work-tree.js";

/** Exists, and holds nothing but committed or staged content as git has it, and files git was told to ignore. */
export function recoverable(facts: Facts, path: string): boolean {
  const { project } = facts.world;
  return facts.once(`recoverable ${path}`, () => {
    if (!project.gitDir || !path.startsWith(`${project.root}/`) || !project.exists(path)) return false;
    const ask = (...args: string[]) => askGitList(project.root, [...args, "--", path], { ms: 1_500 });
    const fresh = ask("ls-files", "-z", "--others", "--exclude-standard");
    return fresh?.length === 0 && ask("diff-files", "-z", "--name-only")?.length === 0;
  });
}

/** Git commands that do not change what the proof asks about before it is used. */
const still = new Set([
  "reset",
  "status",
  "log",
  "diff",
  "fetch",
  "checkout",
  "switch",
  "restore",
  "clean",
  "rev-parse",
  "show",
]);

/** Proves that a git command that loses work or commits would lose nothing now: all of it is kept elsewhere. */
export function losesNothing(facts: Facts, effect: Effect, hazard: Hazard): boolean {
  const { excuse } = hazardCatalogue[hazard.id];
  if (!excuse || excuse === "kept-in-git" || !isOnlyGit(facts, effect)) return false;
  const { root } = facts.world.project;
  const none = (...args: string[]) =>
    facts.once(`git ${args.join(" ")}`, () => askGitList(root, args, { ms: 1_500 }))?.length === 0;
  const untouched = (...at: string[]) =>
    none("diff-files", "-z", "--name-only", ...at) &&
    none("diff-index", "-z", "--cached", "--name-only", "HEAD", ...at);
  switch (excuse) {
    case "no-changes":
      return largeTreeStatus(facts, effect.repo ?? facts.event.cwd)?.clean ?? untouched();
    case "no-untracked":
      return none("ls-files", "-z", "--others", "--exclude-standard");
    case "no-lone-commits": {
      const others = ["--not", "--exclude", facts.git.branch ?? "", "--branches", "--tags", "--remotes"];
      return untouched() && none("rev-list", "-1", "HEAD", ...others);
    }
    case "path-unchanged":
      return effect.path !== undefined && !effect.glob && untouched("--", effect.path);
  }
}

/** The call runs nothing but git commands in the project's root, and changes nothing else. */
function isOnlyGit(facts: Facts, { repo }: Effect): boolean {
  const { project } = facts.world;
  const { cwd } = facts.event;
  if (!project.gitDir || (repo ?? cwd) !== project.root || cwd !== project.root) return false;
  const commands = facts.shell?.commands ?? [];
  if (!commands.every((c) => c.program === "git" && still.has(c.argv.find((w) => !w?.startsWith("-")) ?? "")))
    return false;
  const changing = facts.effects.filter((e) => e.kind !== "read" && e.kind !== "network" && e.kind !== "exec");
  return changing.every((e) => e.hazard?.class === "worktree-loss" || e.hazard?.class === "history-loss");
}
