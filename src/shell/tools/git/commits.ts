// Sub-commands that make commits, with the message as git will see it.
// Invariant: anything that can move HEAD to a new commit says so; a message that can't be known is undefined, never
// guessed.
import type { CommitEffect, CommitHow } from "../../../model/effect.js";
import { hazard } from "../../../model/hazards.js";
import type { Arg } from "../../analyze/tool.js";
import { literal } from "../../spec/options.js";
import { type Git, inRepository, options, repository, writesTree } from "./repo.js";
import { commitCall } from "./written-commit.js";

const messageOptions = [
  "m|message= F|file= t|template= C|reuse-message= c|reedit-message= fixup= squash= author= date= S|gpg-sign=?",
  "u|untracked-files=? cleanup= trailer= pathspec-from-file= a|all amend n|no-verify verify e|edit no-edit",
  "dry-run p|patch v|verbose q|quiet s|signoff no-signoff o|only i|include allow-empty allow-empty-message",
  "no-post-rewrite reset-author interactive short porcelain long z|null branch status no-status no-gpg-sign",
  "pathspec-file-nul",
];

export function commit(git: Git): void {
  const given = options(git, ...messageOptions);
  if (given.has("dry-run", "short", "porcelain", "long")) return;
  const skips = flag(given.options, "no-verify", "verify");
  const how = given.has("amend")
    ? "amend"
    : given.has("fixup")
      ? "fixup"
      : given.has("squash")
        ? "squash"
        : given.has("reuse-message", "reedit-message")
          ? "reuse"
          : undefined;
  for (const file of given.values("file", "template"))
    if (file.value !== "-") git.emit.read(file, "the commit message comes from it");
  const text = how === "fixup" || how === "squash" || how === "reuse" ? undefined : message(git, given);
  emitCommit(git, how, text, skips);
  const call = commitCall(git, given, how, text);
  git.emit.commitCall?.(skips || git.hooksSkipped ? { ...call, noVerify: true } : call);
}

export function commitTree(git: Git): void {
  const given = options(git, "m= F= p= S=? no-gpg-sign");
  const parts = given.options.flatMap(({ name, value }) =>
    value && (name === "m" || name === "F") ? [textOf(git, name === "m" ? "message" : "file", value)] : [],
  );
  const text = parts.length === 0 && git.call.stdin.kind === "text" ? git.call.stdin.text : joined(parts);
  emitCommit(git, "commit-tree", parts.length === 0 && git.call.stdin.kind !== "text" ? undefined : clean(text));
}

/** merge, cherry-pick and revert share their ways out. */
export function combine(git: Git): void {
  const given = options(
    git,
    "m= M=? message= F|file= s|strategy= X|strategy-option= S|gpg-sign=? cleanup= into-name= log=? n|no-commit",
    "no-commit ff no-ff ff-only squash commit abort continue quit skip no-verify verify e|edit no-edit x autostash",
    "allow-unrelated-histories stat no-stat rerere-autoupdate keep-redundant-commits allow-empty progress q|quiet",
    "v|verbose signoff",
  );
  if (given.has("quit")) return;
  if (given.has("abort"))
    return writesTree(git, `git ${git.verb} --abort restores the tree`, hazard("git-abort", `${git.verb}-abort`));
  const merging = git.verb === "merge" || git.verb === "pull";
  const short =
    given.options.some(({ name }) => name === "no-commit") &&
    !(merging && !git.args.some((arg) => arg.value === "--no-commit"));
  if (!given.has("continue", "skip")) writesTree(git, `git ${git.verb} changes the work tree`);
  if (short || given.has("squash", "ff-only")) return;
  const text = merging ? given.value("m", "message") : undefined;
  const how = git.verb === "revert" || git.verb === "cherry-pick" ? git.verb : "merge";
  emitCommit(git, how, text && clean(text.value), given.has("no-verify"), merging);
}

export function rebase(git: Git): void {
  const given = options(
    git,
    "x|exec= onto= s|strategy= X|strategy-option= C= S|gpg-sign=? whitespace= empty= i|interactive abort continue",
    "skip quit edit-todo show-current-patch root autosquash autostash no-verify verify keep-base fork-point",
    "r|rebase-merges=? update-refs f|force-rebase no-ff n|no-stat q|quiet v|verbose apply m|merge",
  );
  for (const text of given.values("exec")) git.emit.shell(text, "git rebase --exec runs it", { setting: true });
  if (given.has("quit", "edit-todo", "show-current-patch")) return;
  if (given.has("abort"))
    return writesTree(git, "git rebase --abort restores the tree", hazard("git-abort", "rebase-abort"));
  git.emit.effect({
    kind: "rewrite-history",
    how: "rebase",
    repo: repository(git),
    reason: "git rebase makes new commits of old ones",
    hazard: hazard("git-rebase"),
  });
  writesTree(git, "git rebase changes the work tree");
  emitCommit(git, "rebase", undefined, given.has("no-verify"));
}

export function am(git: Git): void {
  const given = options(
    git,
    "p= C= directory= exclude= include= patch-format= S|gpg-sign=? whitespace= resolvemsg= abort quit skip continue",
    "r|resolved show-current-patch=? 3|3way s|signoff no-verify n",
  );
  if (given.has("quit", "show-current-patch")) return;
  if (given.has("abort")) return writesTree(git, "git am --abort restores the tree", hazard("git-abort", "am-abort"));
  for (const file of given.operands) git.emit.read(inRepository(git, file), "git am takes patches from it");
  writesTree(git, "git am changes the work tree");
  emitCommit(git, "am", undefined, given.has("no-verify", "n"));
}

export function pull(git: Git): void {
  const given = options(
    git,
    "r|rebase=? no-rebase ff no-ff ff-only squash no-commit commit s|strategy= X|strategy-option= S|gpg-sign=?",
    "upload-pack= j|jobs= depth= deepen= shallow-since= shallow-exclude= o|server-option= recurse-submodules=?",
    "f|force a|append k|keep p|prune autostash no-verify q|quiet v|verbose allow-unrelated-histories all tags t",
    "no-tags 4|ipv4 6|ipv6 progress dry-run",
  );
  if (given.has("dry-run")) return;
  network(git, given.operands[0], false);
  for (const text of given.values("upload-pack"))
    git.emit.shell(text, "git pull --upload-pack runs it", { setting: true });
  writesTree(git, "git pull changes the work tree");
  if (given.has("rebase") && given.value("rebase")?.value !== "false")
    git.emit.effect({
      kind: "rewrite-history",
      how: "rebase",
      repo: repository(git),
      reason: "git pull --rebase",
      hazard: hazard("git-rebase"),
    });
  else if (given.has("no-ff", "no-rebase", "commit", "rebase"))
    emitCommit(git, "merge", undefined, given.has("no-verify"), true);
}

/** A connection to the remote; an address of the kind ext:: is a command line. */
export function network(git: Git, remote: Arg | undefined, upload: boolean): void {
  const text = remote?.value ?? "";
  if (text.startsWith("ext::"))
    // Words are separated by blanks; "% " is a blank inside a word, "%%" a percent sign.
    git.emit.run(
      (text.slice(5).match(/(?:%.|[^\s%])+/gs) ?? []).map((word) =>
        literal(word.replace(/%([GVsS])/g, "").replace(/%(.)/gs, "$1")),
      ),
      "an ext:: address is run",
    );
  git.emit.effect({
    kind: "network",
    program: "git",
    host: remote?.value ?? remote?.prefix ?? "origin",
    reason: `git ${git.verb}`,
    ...(upload && { upload }),
  });
}

export function emitCommit(
  git: Git,
  how: CommitHow | undefined,
  text: string | undefined,
  noVerify = false,
  conditional = false,
): void {
  const skipped = noVerify || git.hooksSkipped;
  const effect: CommitEffect = { kind: "commit", reason: `git ${git.verb}`, repo: repository(git) };
  if (how) effect.how = how;
  if (text !== undefined) effect.message = text;
  if (skipped) {
    effect.noVerify = true;
    effect.hazard = hazard("no-verify");
  }
  if (conditional) effect.conditional = true;
  git.emit.effect(effect);
}

/** The later of a flag and its opposite counts. */
function flag(given: readonly { name: string }[], yes: string, no: string): boolean {
  const last = given.findLast(({ name }) => name === yes || name === no);
  return last?.name === yes;
}

function message(git: Git, given: ReturnType<typeof options>): string | undefined {
  const parts: (string | undefined)[] = [];
  for (const { name, value } of given.options)
    if (value && (name === "message" || name === "file")) parts.push(textOf(git, name, value));
  if (parts.length === 0 || given.has("template")) return undefined;
  if (given.has("edit") && !given.has("no-edit")) return undefined;
  const text = joined(parts);
  if (text === undefined) return undefined;
  const trailers = given.values("trailer").map((trailer) => trailer.value?.replace(/^([\w-]+)\s*[=:]\s*/, "$1: "));
  if (trailers.includes(undefined)) return undefined;
  const body = clean(text)!;
  if (trailers.length === 0) return body;
  const inTrailers = /(?:^|\n\n)(?:[\w-]+: [^\n]*(?:\n|$))+$/.test(body) && body.includes("\n\n");
  return `${body}${inTrailers ? "\n" : "\n\n"}${trailers.join("\n")}`;
}

function textOf(git: Git, name: string, value: Arg): string | undefined {
  if (name === "message") return value.glob ? undefined : value.value;
  if (value.value === "-" || value.value === "/dev/stdin")
    return git.call.stdin.kind === "text"
      ? git.call.stdin.text
      : git.call.stdin.kind === "file"
        ? git.emit.projectFile(git.call.stdin.path)
        : undefined;
  return git.emit.projectFile(inRepository(git, value));
}

const joined = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.includes(undefined) ? undefined : parts.map((part) => part!.replace(/\n+$/, "")).join("\n\n");

/** How git cleans messages of the command line: no trailing blanks, no blank lines at the ends, none doubled. */
const clean = (text: string | undefined): string | undefined =>
  text
    ?.split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
