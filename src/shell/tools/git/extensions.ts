// Extensions many people have: git flow, git subtree, git lfs.
// Invariant: each of their sub-commands is what the plain git commands behind it are; one that is not listed is
// unknown.
import { hazard } from "../../../model/hazards.js";
import { literal } from "../../spec/options.js";
import { emitCommit, network } from "./commits.js";
import { type Git, options, protectedBranch, repository, type Verb, writesTree } from "./repo.js";

function pushes(git: Git): void {
  git.emit.effect({ kind: "push", reason: `git ${git.verb} ${git.args[0]?.value}`, repo: repository(git) });
  network(git, undefined, true);
}

/** Feature, release and hotfix branches: start makes one, finish merges and deletes it, publish pushes it. */
const flow: Verb = (git) => {
  const [kind, verb] = git.args.filter((arg) => !arg.value?.startsWith("-")).map((arg) => arg.value);
  const given = options(git, "m|message= f|messagefile= u|signingkey= F p|push D r|remote k|keep S|squash");
  if (kind === "init")
    return git.emit.write(literal(".git/config"), "git flow init writes its settings", { how: "git-config" });
  const [action, reason] = [verb ?? "list", `git flow ${kind} ${verb}`];
  if (/^(list|version|log|diff|config|help)$/.test(action) || kind === "version" || kind === "log") return;
  if (/^(start|checkout|co|track|pull)$/.test(action)) return writesTree(git, reason);
  if (action === "finish") {
    emitCommit(git, "merge", given.value("message")?.value);
    writesTree(git, reason);
    if (given.has("push")) pushes(git);
    return;
  }
  if (action === "publish") return pushes(git);
  if (action === "rebase")
    return git.emit.effect({
      kind: "rewrite-history",
      how: "rebase",
      repo: repository(git),
      reason,
      hazard: hazard("git-rebase"),
    });
  if (action !== "delete") return git.emit.unknown(`${reason} is not known here`);
  const forced = git.args.some((arg) => /^(-[a-zA-Z]*f|--force|-r|--remote)/.test(arg.value ?? ""));
  git.emit.effect({
    kind: "rewrite-history",
    how: "delete-branch",
    repo: repository(git),
    reason,
    hazard: hazard(forced ? "git-branch-delete" : "git-branch-delete-merged"),
  });
};

const subtree: Verb = (git) => {
  const [verb] = git.args.filter((arg) => !arg.value?.startsWith("-"));
  const given = options(
    git,
    "P|prefix= m|message= b|branch= onto= annotate= d|debug q|quiet squash rejoin S|gpg-sign=?",
  );
  const [, remote, ref] = given.operands;
  if (verb?.value === "push") {
    const target = (ref?.value ?? "").replace(/^.*:/, "");
    return git.emit.effect({
      kind: "push",
      reason: "git subtree push",
      repo: repository(git),
      remote: remote?.value,
      ...((ref?.value ?? "").startsWith("+") && { how: "force", hazard: hazard("git-push-force") }),
      ...(!(ref?.value ?? "").startsWith("+") &&
        protectedBranch.test(target) && {
          hazard: hazard("git-push-protected"),
        }),
    });
  }
  if (verb?.value === "pull" || verb?.value === "add") network(git, remote, false);
  if (/^(pull|add|merge)$/.test(verb?.value ?? "")) {
    emitCommit(git, "merge", given.value("message")?.value);
    writesTree(git, `git subtree ${verb!.value}`);
  } else if (verb?.value === "split" && given.has("rejoin")) emitCommit(git, "merge", undefined);
};

const lfs: Verb = (git) => {
  const verb = git.args[0]?.value ?? "";
  if (/^(push|pull|fetch)$/.test(verb)) network(git, git.args[1], verb === "push");
  if (verb === "pull" || verb === "checkout") writesTree(git, "git lfs changes the work tree");
  if (verb === "track" || verb === "untrack") git.emit.write(literal(".gitattributes"), `git lfs ${verb}`);
  if (verb === "prune") {
    const blind = git.args.some((arg) => /^(-f|--force)$/.test(arg.value ?? ""));
    git.emit.hazard(hazard(blind ? "git-lfs-prune-force" : "git-lfs-prune"), "git lfs prune deletes old objects");
  }
  if (verb === "migrate" && /^(import|export)$/.test(git.args[1]?.value ?? ""))
    git.emit.effect({
      kind: "rewrite-history",
      how: "lfs-migrate",
      repo: repository(git),
      reason: "git lfs migrate rewrites commits",
      hazard: hazard("git-lfs-migrate"),
    });
};

export const extensions: Record<string, Verb> = { flow, subtree, lfs };
