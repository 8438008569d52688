// Whether deleting a path inside the project loses anything git could not give back.
// Invariant: only a proof counts: outside git, outside the project, or when git can't say, the answer is no.

import type { Effect, Hazard } from "../model/effect.js";
import { hazardName } from "../model/hazards.js";
import { askGitList } from "../project/git.js";
import type { Facts } from "./index.js";

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

const wholeTree = new Set([
  "git-reset-hard",
  "git-reset-merge",
  "git-checkout-force",
  "git-switch-force",
  "git-read-tree-reset",
]);
/** Git commands that leave the question as it stands now. */
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

/** Proved that a git command that loses work or commits loses nothing as things stand: nothing uncommitted, no commit only HEAD has. */
export function losesNothing(facts: Facts, { path, repo, glob }: Effect, hazard: Hazard): boolean {
  const id = hazardName(hazard);
  const { project } = facts.world;
  const commands = facts.shell?.commands ?? [];
  if (!project.gitDir || (repo ?? facts.event.cwd) !== project.root || facts.event.cwd !== project.root) return false;
  if (!commands.every((c) => c.program === "git" && still.has(c.argv.find((w) => !w?.startsWith("-")) ?? "")))
    return false;
  const changing = facts.effects.filter((e) => e.kind !== "read" && e.kind !== "network" && e.kind !== "exec");
  if (!changing.every((e) => /^(?:worktree|history)-loss$/.test(e.hazard?.class ?? ""))) return false;
  const none = (...args: string[]) =>
    facts.once(`git ${args.join(" ")}`, () => askGitList(project.root, args, { ms: 1_500 }))?.length === 0;
  const untouched = (...at: string[]) =>
    none("diff-files", "-z", "--name-only", ...at) &&
    none("diff-index", "-z", "--cached", "--name-only", "HEAD", ...at);
  if (wholeTree.has(id)) return untouched();
  if (id === "git-clean") return none("ls-files", "-z", "--others", "--exclude-standard");
  if (id === "git-reset")
    return (
      untouched() &&
      none("rev-list", "-1", "HEAD", "--not", "--exclude", facts.git.branch ?? "", "--branches", "--tags", "--remotes")
    );
  if (/^git-(?:checkout|restore)-path$/.test(id)) return path !== undefined && !glob && untouched("--", path);
  return false;
}
