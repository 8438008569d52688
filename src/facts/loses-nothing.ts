// Whether a git command that loses work or commits would lose nothing as things stand, and how to keep what it would
// lose. Invariant: only a proof excuses; a step that is named is one git can do in the repository's state.
import { dirname } from "node:path";
import type { Effect, Hazard } from "../model/effect.js";
import { hazardCatalogue } from "../model/hazards.js";
import { shellQuote } from "../model/shell-quote.js";
import { askGitList } from "../project/run-git.js";
import type { Ran } from "../shell/analyze/analysis.js";
import { isTemporary } from "../shell/hazards/places.js";
import type { Facts } from "./index.js";
import { isFolder } from "./shell-analysis.js";
import { largeTreeStatus } from "./work-tree.js";

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
  const repo = repositoryOf(facts, effect);
  if (repo === undefined) return false;
  if (isScratch(facts, repo)) return true;
  if (!facts.world.project.exists(repo) || !isUndisturbed(facts, effect)) return false;
  const ask = asking(facts, repo);
  const none = (...args: string[]) => ask(...args)?.length === 0;
  const submodules = entersSubmodules(facts, effect, ask) ? [] : ["--ignore-submodules=all"];
  // A deleted file that comes back is no loss.
  const untouched = (...at: string[]) =>
    (none("diff-files", "-z", "--name-only", "--diff-filter=d", ...submodules, ...at) &&
      none("diff-index", "-z", "--cached", "--name-only", "--diff-filter=d", "HEAD", ...at)) ||
    asMergeLeft(...at);
  // What git wrote itself when the merge stopped: AUTO_MERGE is that tree, with the marks of its conflicts.
  const asMergeLeft = (...at: string[]) =>
    none("diff", "--no-ext-diff", "--no-textconv", "-z", "--name-only", ...submodules, "AUTO_MERGE", ...at) &&
    none("diff-index", "-z", "--cached", "--name-only", "--diff-filter=du", "AUTO_MERGE", ...at);
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
      return (
        none("rev-list", "-1", "--ignore-missing", "refs/stash") ||
        none("rev-list", "-1", ...lostStashes(facts, effect, ask), "--not", "--branches", "--tags", "--remotes")
      );
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

/** How to keep what the effect would lose, where a plain `git stash` can't: git refuses it, or it lies elsewhere. */
export function keepingStep(facts: Facts, effect: Effect): string | undefined {
  const repo = repositoryOf(facts, effect);
  if (repo === undefined) return undefined;
  const ask = asking(facts, repo);
  const some = (...args: string[]) => (ask(...args)?.length ?? 0) > 0;
  const [top, here] = [repo, facts.event.cwd].map(
    (folder) => asking(facts, folder)("rev-parse", "--show-toplevel")?.[0],
  );
  const git = top === here ? "git" : `git -C ${shellQuote(repo)}`;
  const isMerging = (name: string) => some("rev-parse", "--verify", "-q", name);
  if (some("ls-files", "-z", "-u") || ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"].some(isMerging))
    return `git can't stash in a merge, so finish it first: \`${git} add FILE\`, then \`${git} commit -m MESSAGE\``;
  if (!some("rev-parse", "--verify", "-q", "HEAD") || some("diff-files", "-z", "--name-only", "--diff-filter=A"))
    return `git can't stash here yet, so commit it: \`${git} add -A && ${git} commit -m WIP\``;
  if (entersSubmodules(facts, effect, ask) && !some("diff-files", "-z", "--name-only", "--ignore-submodules=all"))
    return `set the submodules' changes aside: \`${git} submodule foreach 'git stash push -u'\``;
  return git === "git" ? undefined : `\`${git} stash push -u\` sets changes aside and can be undone`;
}

const asking =
  (facts: Facts, repo: string) =>
  (...args: string[]): string[] | undefined =>
    facts.once(`git ${repo} ${args.join(" ")}`, () => askGitList(repo, args, { ms: 1_500 }));

/** The folder git works in: what it changes lies there, also where `-C` leads to another repository. */
function repositoryOf(facts: Facts, effect: Effect): string | undefined {
  if ("repo" in effect && effect.repo) return effect.repo;
  if (!("path" in effect) || effect.path === undefined || effect.how !== "git") return ranBy(facts, effect)?.cwd;
  let folder = effect.recursive && !effect.glob ? effect.path : dirname(effect.path);
  while (!isFolder(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

/** Without being told so, git leaves the files of submodules alone. */
function entersSubmodules(facts: Facts, effect: Effect, ask: ReturnType<typeof asking>): boolean {
  const words = ranBy(facts, effect)?.argv ?? [undefined];
  return (
    words.some((word) => word === undefined || /recurse/.test(word)) ||
    ask("config", "--type=bool", "-z", "--get", "submodule.recurse")?.[0] === "true"
  );
}

/** The stashed commits that `stash drop` or `clear` takes away. */
function lostStashes(facts: Facts, effect: Effect, ask: ReturnType<typeof asking>): string[] {
  const words = ranBy(facts, effect)?.argv ?? [];
  const all = ask("log", "-g", "-z", "--format=%H", "refs/stash") ?? [];
  if (!words.includes("drop")) return all;
  const named = words.slice(words.indexOf("drop") + 1).filter((word) => !word?.startsWith("-"));
  const number = named.length ? /^(?:stash@\{)?(\d+)\}?$/.exec(named[0] ?? "")?.[1] : "0";
  return number === undefined ? all : all.slice(Number(number), Number(number) + 1);
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
