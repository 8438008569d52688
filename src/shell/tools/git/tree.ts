// Sub-commands that change the work tree: what they write, what they delete, what uncommitted work they lose.
// Invariant: losing uncommitted work always carries a worktree-loss hazard; dry runs carry nothing.
import type { RewriteHow } from "../../../model/effect.js";

import { type HazardId, hazard } from "../../../model/hazards.js";
import type { Arg } from "../../analyze/tool.js";
import { literal } from "../../spec/options.js";
import { anyPath, type Git, here, inRepository, options, repository, writesTree } from "./repo.js";

const resetHazards = { hard: "git-reset-hard", merge: "git-reset-merge", keep: "git-reset-keep" } as const;

export function reset(git: Git): void {
  const given = options(
    git,
    "hard soft mixed merge keep p|patch q|quiet N|intent-to-add pathspec-from-file= pathspec-file-nul",
    "recurse-submodules=? U= unified= refresh no-refresh",
  );
  const { emit } = git;
  const target = given.operands[0];
  const mode = (["hard", "merge", "keep"] as const).find((name) => given.has(name));
  if (mode) writesTree(git, `git reset --${mode} discards uncommitted work`, hazard(resetHazards[mode]));
  const moves = target && /[~^@]|^origin\//.test(target.value ?? "~") && !git.args.some((arg) => arg.value === "--");
  if (moves && given.operands.length === 1)
    emit.effect({
      kind: "rewrite-history",
      how: mode ? `reset-${mode}` : "reset",
      repo: repository(git),
      reason: `git reset to ${target.source}`,
      hazard: hazard(mode ? "git-reset" : "git-reset-commits"),
    });
  if (given.unsure && !mode) emit.unknown("git reset: a word that is not static may be --hard");
  const dashes = git.args.find((arg) => /^[\u2010-\u2015\u2212]/.test(arg.value ?? ""));
  if (dashes) emit.unknown(`git reset: ${dashes.source} looks like an option and is none`);
}

/** The words of a command after `--`, or undefined when there is none. */
function afterDashes(git: Git): readonly Arg[] | undefined {
  const at = git.args.findIndex((arg) => arg.value === "--");
  return at < 0 ? undefined : git.args.slice(at + 1);
}

export function checkout(git: Git): void {
  const given = options(
    git,
    "b= B= orphan= f|force t track=? q|quiet m|merge conflict= p|patch d|detach l ours theirs",
    "ignore-other-worktrees pathspec-from-file= pathspec-file-nul overlay no-overlay guess no-guess progress",
    "no-progress recurse-submodules=? U= unified= inter-hunk-context= overwrite-ignore",
  );
  const paths = afterDashes(git);
  if (given.has("force"))
    writesTree(git, "git checkout --force discards uncommitted work", hazard("git-checkout-force"));
  if (paths?.length) return discards(git, paths);
  if (given.value("pathspec-from-file")) return discards(git, [anyPath]);
  if (given.has("patch")) return discards(git, given.operands.length ? given.operands : [here], false);
  if (given.has("b", "B", "orphan")) return;
  const [first, ...rest] = given.operands;
  if (!first) return;
  if (rest.length && !/^(direct|inherit|checkout|on-demand)$/.test(first.value ?? "")) return discards(git, rest);
  const word = (rest[0] ?? first).value;
  if (word !== undefined && /^(\.{1,2}(\/.*)?|:.*|.*\*.*)$/.test(word)) return discards(git, [first]);
  // One word may name a branch or a file; a file name with an extension is taken for both.
  if (word !== undefined && /[^./]\.[a-z]\w{0,4}$/i.test(word) && !/^v?\d+(\.\d+)*$/.test(word))
    return discards(git, [first], false);
  if (!given.has("force")) writesTree(git, `git checkout ${first.source} changes the work tree`);
}

function discards(git: Git, paths: readonly Arg[], sure = true): void {
  const id = git.verb.toLowerCase() === "restore" ? "git-restore-path" : "git-checkout-path";
  for (const path of paths)
    git.emit.write(inRepository(git, path), `git ${git.verb} overwrites it`, {
      hazard: hazard(sure ? id : "git-checkout-path-maybe"),
      how: "git",
      ...(path.value === "." && { recursive: true }),
    });
}

export function restore(git: Git): void {
  const given = options(
    git,
    "s|source= S|staged W|worktree p|patch q|quiet ours theirs m|merge conflict= pathspec-from-file=",
    "pathspec-file-nul overlay no-overlay ignore-unmerged recurse-submodules=? progress",
  );
  if (given.has("staged") && !given.has("worktree")) return;
  const paths = given.value("pathspec-from-file") ? [anyPath] : given.operands;
  discards(git, paths);
}

export function switchBranch(git: Git): void {
  const given = options(
    git,
    "c|create= C|force-create= orphan= d|detach f|force discard-changes m|merge conflict= q|quiet t track=? guess",
    "no-guess ignore-other-worktrees recurse-submodules=? progress",
  );
  if (given.has("force", "discard-changes"))
    return writesTree(git, "git switch discards uncommitted work", hazard("git-switch-force"));
  if (given.has("create", "force-create", "orphan")) return;
  writesTree(git, `git switch ${given.operands[0]?.source ?? ""} changes the work tree`);
}

export function clean(git: Git): void {
  const given = options(git, "n|dry-run f|force no-force d x X e|exclude= i|interactive q|quiet");
  const unlocked = git.settings.some((setting) => /^clean\.requireforce=(false|no|off|0)$/i.test(setting.value ?? ""));
  const lastForce = given.options.findLast(({ name }) => name === "force" || name === "no-force");
  if (lastForce?.name !== "force" && !unlocked) return;
  if (given.has("dry-run", "interactive")) return;
  const targets = given.operands.length ? given.operands : [here];
  for (const target of targets) {
    if (target.value === ".git") continue;
    const rebuildable =
      target.value !== undefined &&
      /(^|\/)(node_modules|dist|build|target|out|coverage|__pycache__)\/?$/.test(target.value);
    git.emit.delete(inRepository(git, target), "git clean deletes untracked files", {
      recursive: true,
      how: "git",
      hazard: hazard(rebuildable ? "git-clean-rebuildable" : "git-clean"),
    });
  }
}

export function stash(git: Git): void {
  const [verb, ...rest] = git.args.filter((arg) => arg.value !== "-q" && arg.value !== "--quiet");
  const name = verb?.value ?? "push";
  if (verb && verb.value === undefined) return git.emit.unknown("git stash: the sub-command is not static");
  if (/^(list|show|create|store|export|import)$/.test(name)) return;
  if (name === "drop") return lose("drop", "git-stash-drop", "git stash drop loses stashed work");
  if (name === "clear") return lose("clear", "git-stash-clear", "git stash clear loses all stashed work");
  writesTree(git, `git stash ${name} changes the work tree`);
  const untracked = (word: Arg) => /^(-[a-z]*[ua][a-z]*|--include-untracked|--all)$/.test(word.value ?? "");
  if ((name === "push" || name === "save" || name.startsWith("-")) && git.args.some(untracked))
    git.emit.delete(inRepository(git, here), "git stash takes untracked files away", { recursive: true, how: "git" });
  for (const word of rest) if (name === "push" && word.value?.startsWith("--pathspec-from-file")) return;

  function lose(how: RewriteHow, id: HazardId, reason: string): void {
    git.emit.effect({ kind: "rewrite-history", how, repo: repository(git), reason, hazard: hazard(id) });
  }
}

export function worktree(git: Git): void {
  const given = options(
    git,
    "f|force b= B= d|detach checkout no-checkout orphan lock reason= q|quiet track guess-remote n|dry-run v|verbose",
    "expire= porcelain z relative-paths",
  );
  const [verb, path, target] = given.operands;
  if (verb?.value === "add" && path)
    git.emit.write(inRepository(git, path), "git worktree add makes a directory", { recursive: true, how: "git" });
  if (verb?.value === "move" && path && target) {
    git.emit.delete(inRepository(git, path), "git worktree move takes it away", { how: "git" });
    git.emit.write(inRepository(git, target), "git worktree move puts it there", { recursive: true, how: "git" });
  }
  if (verb?.value === "remove" && path)
    git.emit.delete(inRepository(git, path), "git worktree remove deletes it", {
      recursive: true,
      how: "git",
      ...(given.has("force") && { hazard: hazard("git-worktree-remove") }),
    });
}

export function remove(git: Git): void {
  const given = options(
    git,
    "r f|force n|dry-run cached ignore-unmatch q|quiet sparse pathspec-from-file= pathspec-file-nul",
  );
  if (given.has("cached", "dry-run")) return;
  for (const path of given.value("pathspec-from-file") ? [anyPath] : given.operands)
    git.emit.delete(inRepository(git, path), "git rm deletes it", {
      how: "git",
      ...(given.has("r") && { recursive: true }),
      ...(given.has("force") && {
        hazard: hazard(/^(\.\/?|\*|:\/|:)$/.test(path.value ?? "") ? "git-rm-force-all" : "git-rm-force"),
      }),
    });
}

export function move(git: Git): void {
  const given = options(git, "f|force n|dry-run k v|verbose sparse");
  if (given.has("dry-run")) return;
  const to = given.operands.at(-1);
  for (const from of given.operands.slice(0, -1))
    git.emit.delete(inRepository(git, from), "git mv takes it away", { how: "git" });
  if (to && given.operands.length > 1) git.emit.write(inRepository(git, to), "git mv puts it there", { how: "git" });
}

export function apply(git: Git): void {
  const given = options(
    git,
    "stat numstat summary check index cached N|intent-to-add 3|3way build-fake-ancestor= R|reverse reject z p= C=",
    "unidiff-zero apply no-add exclude= include= inaccurate-eof v|verbose q|quiet recount directory= unsafe-paths",
    "allow-empty whitespace= ours theirs union",
  );
  for (const file of given.operands)
    if (file.value !== "-") git.emit.read(inRepository(git, file), "git apply takes the patch from it");
  if (given.has("stat", "numstat", "summary", "check", "cached") && !given.has("apply")) return;
  const { stdin } = git.call;
  const sources = [
    ...given.operands.flatMap((file) => file.process?.from ?? []),
    ...(stdin.kind === "pipe" || stdin.kind === "text" ? (stdin.sources ?? []) : []),
  ];
  if (given.has("reverse") && sources.includes("git"))
    writesTree(git, "git apply takes back what was changed", hazard("git-apply-reverse"));
  const texts = given.operands.length
    ? given.operands.map((file) => (file.value === "-" ? input(git) : git.emit.projectFile(inRepository(git, file))))
    : [input(git)];
  const directory = given.value("directory");
  for (const text of texts) {
    const paths = text === undefined ? undefined : patched(text, Number(given.value("p")?.value ?? 1));
    if (!paths?.length) writesTree(git, "git apply changes files");
    for (const path of paths ?? [])
      git.emit.write(
        inRepository(git, literal(directory?.value ? `${directory.value}/${path}` : path)),
        "git apply changes it",
        { how: "git" },
      );
  }
}

const input = (git: Git): string | undefined =>
  git.call.stdin.kind === "text"
    ? git.call.stdin.text
    : git.call.stdin.kind === "file"
      ? git.emit.projectFile(git.call.stdin.path)
      : undefined;

/** The files a unified diff names. */
function patched(text: string, strip: number): string[] {
  const found = new Set<string>();
  for (const [, path] of text.matchAll(/^(?:---|\+\+\+) ([^\t\n]+)/gm))
    if (path !== "/dev/null") found.add(path!.split("/").slice(strip).join("/"));
  for (const [, path] of text.matchAll(/^rename (?:from|to) (.+)$/gm)) found.add(path!);
  return [...found].filter(Boolean).slice(0, 200);
}

export function checkoutIndex(git: Git): void {
  const given = options(git, "a|all f|force n|no-create prefix= stage= temp stdin z q|quiet u|index");
  const found = given.has("force") ? hazard("git-checkout-index") : undefined;
  if (given.value("prefix"))
    return git.emit.write(inRepository(git, given.value("prefix")!), "git checkout-index --prefix", { glob: true });
  if (given.has("all", "stdin")) return writesTree(git, "git checkout-index writes files", found);
  for (const path of given.operands)
    git.emit.write(inRepository(git, path), "git checkout-index writes it", {
      how: "git",
      ...(found && { hazard: found }),
    });
}

export function readTree(git: Git): void {
  const given = options(git, "u m reset i n|dry-run prefix= index-output= v trivial aggressive empty");
  if (!given.has("dry-run") && given.has("u"))
    writesTree(
      git,
      "git read-tree -u changes the work tree",
      given.has("reset") ? hazard("git-read-tree-reset") : undefined,
    );
}
