// Whether deleting a path inside the project loses anything git could not give back.
// Invariant: only a proof counts: outside git, outside the project, or when git can't say, the answer is no.

import type { Effect, Hazard } from "../model/effect.js";
import { hazardCatalogue } from "../model/hazards.js";
import { askGitList } from "../project/run-git.js";
import type { Ran } from "../shell/analyze/analysis.js";
import { isTemporary } from "../shell/hazards/places.js";
import type { Facts } from "./index.js";
import { replacesMany } from "./lossy-effects.js";
import { largeTreeStatus } from "./work-tree.js";

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

/** Git commands that may run before: they change neither files nor commits, or are judged themselves. */
const still = new Set(
  `blame branch cat-file checkout clean config describe diff fetch for-each-ref grep init log ls-files ls-remote
  ls-tree merge-base reflog remote reset restore rev-list rev-parse shortlog show show-ref status switch tag
  worktree`.split(/\s+/),
);

/** Proves that a git command that loses work or commits would lose nothing now: all of it is kept elsewhere. */
export function losesNothing(facts: Facts, effect: Effect, hazard: Hazard): boolean {
  const { excuse } = hazardCatalogue[hazard.id];
  if (!excuse || excuse === "kept-in-git") return false;
  const repo = "repo" in effect && effect.repo ? effect.repo : ranBy(facts, effect)?.cwd;
  if (repo === undefined) return false;
  if (isScratch(facts, repo)) return true;
  if (!facts.world.project.exists(repo) || !isUndisturbed(facts, effect)) return false;
  const ask = (...args: string[]) =>
    facts.once(`git ${repo} ${args.join(" ")}`, () => askGitList(repo, args, { ms: 1_500 }));
  const none = (...args: string[]) => ask(...args)?.length === 0;
  // A deleted file that comes back is no loss.
  const untouched = (...at: string[]) =>
    none("diff-files", "-z", "--name-only", "--diff-filter=d", ...at) &&
    none("diff-index", "-z", "--cached", "--name-only", "--diff-filter=d", "HEAD", ...at);
  const elsewhere = (commit: string, branch: string) =>
    none("rev-list", "-1", commit, "--not", "--exclude", branch, "--branches", "--tags", "--remotes");
  switch (excuse) {
    case "no-changes":
      return largeTreeStatus(facts, repo)?.clean || untouched();
    case "no-untracked":
      return none("ls-files", "-z", "--others", "--exclude-standard");
    case "no-lone-commits":
      return !switchesBefore(facts, effect) && untouched() && elsewhere("HEAD", currentBranch(repo) ?? "");
    case "path-unchanged":
      // Asked once for all paths of the command, then for this one.
      if (untouched()) return true;
      return effect.kind === "write" && effect.path !== undefined && !effect.glob && untouched("--", effect.path);
    case "no-stash":
      return none("rev-list", "-1", "--ignore-missing", "refs/stash");
    case "branch-kept":
      return namedBranches(facts, effect).every(
        (name) =>
          name !== undefined &&
          (none("rev-list", "-1", "--ignore-missing", `refs/heads/${name}`) || elsewhere(`refs/heads/${name}`, name)),
      );
    case "remote-branch-kept":
      return deletedTracking(effect).every(
        (ref) =>
          ref !== undefined &&
          none("rev-list", "-1", `refs/remotes/${ref}`, "--not", "--branches", "--tags", "--exclude", ref, "--remotes"),
      );
  }
}

const currentBranch = (repo: string): string | undefined =>
  askGitList(repo, ["symbolic-ref", "--short", "-q", "HEAD"], { ms: 1_500 })?.[0]?.trim();

/** The command of the line that has the effect. */
function ranBy(facts: Facts, effect: Effect): Ran | undefined {
  const at = facts.effects.indexOf(effect);
  return facts.shell?.commands.findLast(({ effectsBefore }) => effectsBefore <= at);
}

/** The branches a `git branch -D` names; one that is not static is undefined. None at all: not known. */
function namedBranches(facts: Facts, effect: Effect): (string | undefined)[] {
  const argv = ranBy(facts, effect)?.argv ?? [];
  const words = argv.slice(argv.indexOf("branch") + 1);
  const names = words.filter((word) => word === undefined || !word.startsWith("-"));
  return words.some((word) => word === "-r" || word === "--remotes") || !names.length ? [undefined] : names;
}

/** What `git push origin --delete NAME` deletes, as this repository tracks it: `origin/NAME`. Tags are not tracked. */
function deletedTracking(effect: Effect): (string | undefined)[] {
  if (effect.kind !== "push" || !effect.refs?.length) return [undefined];
  const remote = effect.remote ?? "origin";
  return effect.refs.map((ref) => {
    const name = ref.replace(/^\+?:?(?:refs\/heads\/)?/, "");
    return /^[\w.-]+$/.test(remote) && /^[\w./-]+$/.test(name) && !name.startsWith("refs/")
      ? `${remote}/${name}`
      : undefined;
  });
}

/** A repository below the temporary folder that is not the project itself. */
function isScratch(facts: Facts, repo: string): boolean {
  const { root } = facts.world.project;
  return isTemporary(repo) && repo !== root && !repo.startsWith(`${root}/`) && !root.startsWith(`${repo}/`);
}

/** HEAD is another one by then. */
const switchesBefore = (facts: Facts, effect: Effect): boolean =>
  commandsBefore(facts, effect).some(
    ({ program, argv }) => program === "git" && /^(?:checkout|switch)$/.test(gitVerb(argv)),
  );

function commandsBefore(facts: Facts, effect: Effect): Ran[] {
  const at = facts.effects.indexOf(effect);
  const own = ranBy(facts, effect);
  return facts.shell?.commands.filter((ran) => ran !== own && ran.effectsBefore <= at) ?? [];
}

/** Nothing before it in the line brings work that could be lost: no write, no move, no commit, nothing unknown. */
function isUndisturbed(facts: Facts, effect: Effect): boolean {
  const own = ranBy(facts, effect);
  const isStill = ({ program, argv }: Ran) => program !== "git" || still.has(gitVerb(argv));
  if (!own || !commandsBefore(facts, effect).every(isStill)) return false;
  return facts.effects.slice(0, own.effectsBefore).every((earlier) => {
    if (earlier.kind === "read" || earlier.kind === "network" || earlier.kind === "exec") return true;
    const lossClass = earlier.hazard?.class;
    if (lossClass === "worktree-loss" || lossClass === "history-loss") return true;
    // `git worktree remove ../topic` deletes files, not commits.
    if (earlier.kind === "delete" && /(?:^|\/)\.git(?:\/|$)/.test(earlier.path ?? ".git")) return false;
    const changes = earlier.kind === "write" || earlier.kind === "delete";
    return changes && earlier.path !== undefined && isOutside(facts, earlier.path);
  });
}

const isOutside = (facts: Facts, path: string): boolean => !`${path}/`.startsWith(`${facts.world.project.root}/`);

/** The first word that is no option: `-C dir` and `-c name=value` come before it. */
function gitVerb(argv: readonly (string | undefined)[]): string {
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i];
    if (word === "-C" || word === "-c") i++;
    else if (word !== undefined && !word.startsWith("-")) return word;
  }
  return "";
}
