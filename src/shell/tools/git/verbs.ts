// The sub-commands of git beside those that commit: refs, remotes, the work tree, and what runs programs.
// Invariant: a sub-command missing here is unknown; one listed as harmless changes neither tree, refs nor
// configuration.
import { hazard } from "../../../model/hazards.js";
import type { Arg } from "../../analyze/tool.js";
import { literal } from "../../spec/options.js";
import { am, combine, commit, commitTree, emitCommit, network, pull, rebase } from "./commits.js";
import { config } from "./config.js";
import { extensions } from "./extensions.js";
import { push } from "./push.js";
import {
  anyPath,
  type Git,
  here,
  inRepository,
  options,
  protectedBranch,
  rewrites,
  type Verb,
  writesTree,
} from "./repo.js";
import {
  apply,
  checkout,
  checkoutIndex,
  clean,
  move,
  readTree,
  remove,
  reset,
  restore,
  stash,
  switchBranch,
  worktree,
} from "./tree.js";

const harmless: Verb = (git) => {
  const given = options(
    git,
    "output= O= S= G= L= format= pretty= o= textconv ext-diff no-ext-diff U|unified= C=? M=? n|max-count= since=",
    "until= author= grep= contains= points-at= sort= exclude-from= X=",
  );
  for (const file of given.values("output")) git.emit.write(inRepository(git, file), `git ${git.verb} --output`);
  for (const word of given.operands) shown(git, word);
  // Files of any place, not of the repository.
  if (given.has("no-index"))
    for (const word of given.operands)
      if (word.value !== "/dev/null") git.emit.read(word, "git diff --no-index shows it");
};

/** `git show HEAD:.env` prints a file of the repository. */
function shown(git: Git, word: Arg): void {
  const path = git.verb === "show" || git.verb === "cat-file" ? /^[^:]*:(.+)$/.exec(word.value ?? "")?.[1] : undefined;
  if (path) git.emit.read(inRepository(git, literal(path)), `git ${git.verb} prints it`);
}

/** A name below a folder, as far as the folder is known. */
const below = (folder: Arg | undefined, name: string): Arg =>
  folder === undefined || folder.value === undefined
    ? (folder ?? literal(name))
    : literal(`${folder.value.replace(/\/+$/, "")}/${name}`);

export const verbs: Record<string, Verb> = Object.assign(Object.create(null) as Record<string, Verb>, {
  commit,
  "commit-tree": commitTree,
  merge: combine,
  "cherry-pick": combine,
  revert: combine,
  rebase,
  am,
  pull,
  push,
  fetch,
  "ls-remote": fetch,
  remote,
  clone,
  config,
  reset,
  checkout,
  restore,
  switch: switchBranch,
  clean,
  stash,
  worktree,
  rm: remove,
  mv: move,
  apply,
  "checkout-index": checkoutIndex,
  "read-tree": readTree,
  branch,
  tag,
  reflog,
  gc,
  prune,
  submodule,
  bisect,
  archive,
  grep,
  add,
  bundle(git: Git) {
    const [verb, file] = git.args.filter((arg) => !arg.value?.startsWith("-"));
    if (verb?.value === "create" && file && file.value !== "-")
      git.emit.write(inRepository(git, file), "git bundle create");
  },
  "format-patch"(git: Git) {
    const given = options(
      git,
      "o|output-directory= n|numbered N start-number= subject-prefix= v|reroll-count= stdout cover-letter to= cc=",
      "signature= base=",
    );
    if (!given.has("stdout"))
      git.emit.write(inRepository(git, given.value("output-directory") ?? here), "git format-patch writes files", {
        glob: true,
      });
  },
  "filter-branch"(git: Git) {
    const given = options(
      git,
      "env-filter= tree-filter= index-filter= parent-filter= msg-filter= commit-filter= tag-name-filter=",
      "subdirectory-filter= setup= d= original= f|force prune-empty state-branch=",
    );
    for (const { name, value } of given.options)
      if (value && /filter$|^setup$/.test(name) && name !== "subdirectory-filter")
        git.emit.shell(value, `git filter-branch --${name} runs it`);
    rewrites(git, "filter-branch", hazard("git-filter-branch"));
  },
  "filter-repo"(git: Git) {
    if (git.args.some((arg) => /^--(analyze|dry-run)$/.test(arg.value ?? ""))) return;
    rewrites(git, "filter-repo", hazard("git-filter-repo"));
  },
  "update-ref"(git: Git) {
    const given = options(git, "d|delete m= stdin z no-deref create-reflog");
    const ref = given.operands[0]?.value ?? "";
    const guarded = protectedBranch.test(ref) || ref === "HEAD";
    rewrites(
      git,
      given.has("delete") ? "delete-ref" : "update-ref",
      hazard(given.has("delete") ? "git-update-ref-delete" : guarded ? "git-update-ref-guarded" : "git-update-ref"),
    );
  },
  replace(git: Git) {
    const given = options(git, "f|force d|delete e|edit g|graft l|list raw format= convert-graft-file");
    if (!given.has("list") && given.operands.length) rewrites(git, "replace", hazard("git-replace"));
  },
  "fast-import"(git: Git) {
    emitCommit(git, "fast-import", undefined);
  },
  difftool: tool,
  mergetool: tool,
  init(git: Git) {
    const given = options(
      git,
      "template= separate-git-dir= b|initial-branch= object-format= shared=? bare q|quiet ref-format=",
    );
    if (given.value("template")) git.emit.unknown("git init copies hooks from a template");
    const folder = given.operands[0];
    const store = folder && given.has("bare") ? folder : below(folder, ".git");
    git.emit.write(inRepository(git, store), "git init makes a repository", { how: "git" });
  },
  "interpret-trailers"(git: Git) {
    const given = options(git, "in-place trailer= where= if-exists= if-missing=");
    if (given.has("in-place"))
      for (const file of given.operands) git.emit.write(inRepository(git, file), "git interpret-trailers --in-place");
  },
  credential: secrets,
  "credential-store": secrets,
  "credential-cache": secrets,
  "credential-osxkeychain": secrets,
  "send-email"(git: Git) {
    git.emit.effect({ kind: "network", program: "git", reason: "git send-email", upload: true });
  },
  "sparse-checkout"(git: Git) {
    if (!/^(list|init)$/.test(git.args[0]?.value ?? "list"))
      writesTree(git, "git sparse-checkout changes the work tree");
  },
  hook(git: Git) {
    git.emit.effect({ kind: "exec", program: "git-hook", reason: "git hook run starts a hook" });
  },
  maintenance(git: Git) {
    if (git.args[0]?.value === "start")
      git.emit.hazard(hazard("git-maintenance"), "git maintenance start installs a schedule");
  },
  svn: exporter,
  p4: exporter,
  citool: exporter,
  gui: exporter,
  ...extensions,
} satisfies Record<string, Verb>);

const harmlessVerbs = [
  "status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev",
  "for-each-ref show-ref show-branch whatchanged var version help count-objects fsck verify-commit verify-tag",
  "verify-pack check-ignore check-attr check-mailmap check-ref-format merge-base merge-tree range-diff cherry",
  "diff-tree diff-index diff-files patch-id stripspace column mailinfo mailsplit request-pull get-tar-commit-id",
  "notes hash-object write-tree mktree mktag update-index symbolic-ref pack-refs pack-objects repack rerere",
  "update-server-info multi-pack-index commit-graph merge-file merge-index sh-setup for-each-repo bugreport",
  "diagnose fmt-merge-msg instaweb web--browse zip bundle-uri index-pack fast-export unpack-objects show-index",
  "refs",
].flatMap((line) => line.split(" "));
for (const name of harmlessVerbs) verbs[name] ??= harmless;

function exporter(git: Git): void {
  if (/^(log|info|show-ignore|blame|status)$/.test(git.args[0]?.value ?? "")) return;
  emitCommit(git, "export", undefined);
  git.emit.unknown(`git ${git.verb} exchanges commits with another system`);
}

function secrets(git: Git): void {
  if (/^(fill|get|exit)$/.test(git.args.at(-1)?.value ?? "fill"))
    git.emit.hazard(hazard("git-credential"), `git ${git.verb} prints stored credentials`);
}

function fetch(git: Git): void {
  const given = options(
    git,
    "upload-pack= exec= o|server-option= depth= deepen= shallow-since= shallow-exclude= j|jobs= refmap=",
    "negotiation-tip= recurse-submodules=? filter= sort=",
  );
  for (const text of given.values("upload-pack", "exec"))
    git.emit.shell(text, `git ${git.verb} --upload-pack runs it`, { setting: true });
  if (given.options.some(({ name, value }) => name === "upload-pack" && !value))
    git.emit.unknown("git --upload-pack without a program");
  network(git, given.operands[0], false);
}

function remote(git: Git): void {
  const given = options(git, "t= m= f tags no-tags mirror=? push add delete all n v|verbose");
  const [verb, , address] = given.operands;
  if (address?.value?.startsWith("ext::"))
    git.emit.unknown("an ext:: address runs a command on use", {
      hazard: hazard("git-ext-address"),
    });
  if (/^(update|prune|show)$/.test(verb?.value ?? "")) network(git, given.operands[1], false);
  if (/^(add|set-url|remove|rm|rename|set-head|set-branches)$/.test(verb?.value ?? ""))
    git.emit.write(inRepository(git, literal(".git/config")), `git remote ${verb!.value}`, { how: "git-config" });
}

function clone(git: Git): void {
  const given = options(
    git,
    "u|upload-pack= c|config= b|branch= o|origin= depth= template= reference= reference-if-able= separate-git-dir=",
    "j|jobs= filter= recurse-submodules=? shallow-since= shallow-exclude= server-option= bundle-uri= revision= bare",
    "mirror n|no-checkout q|quiet l|local single-branch",
  );
  for (const text of given.values("upload-pack"))
    git.emit.shell(text, "git clone --upload-pack runs it", { setting: true });
  if (given.value("template")) git.emit.unknown("git clone copies hooks from a template");
  for (const setting of given.values("config"))
    if (/^(core\.(fsmonitor|sshcommand|hookspath)|filter\.)/i.test(setting.value ?? ""))
      git.emit.unknown(`git clone with ${setting.source}`);
  const [address, directory] = given.operands;
  if (!address) return;
  network(git, address, false);
  const name = address.value
    ?.replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/^.*[/:]/, "");
  git.emit.write(inRepository(git, directory ?? (name ? literal(name) : anyPath)), "git clone makes a directory", {
    recursive: true,
  });
}

function branch(git: Git): void {
  const given = options(
    git,
    "d|delete D m|move M c|copy C f|force u|set-upstream-to= t|track=? l|list a|all r|remotes v|verbose contains=?",
    "no-contains=? merged=? no-merged=? points-at= sort= format= column=? abbrev=? edit-description unset-upstream",
    "show-current q|quiet i|ignore-case",
  );
  const names = given.operands.map((arg) => arg.value ?? "");
  if (given.has("D") || (given.has("delete") && given.has("force")))
    rewrites(git, "delete-branch", hazard("git-branch-delete"));
  else if (given.has("delete") && names.some((name) => protectedBranch.test(name)))
    rewrites(git, "delete-branch", hazard("git-branch-delete-protected"));
  else if ((given.has("force") || given.has("M", "C")) && names.length)
    rewrites(git, "move-branch", hazard("git-branch-force"));
}

function tag(git: Git): void {
  const given = options(
    git,
    "d|delete f|force m|message= F|file= u|local-user= cleanup= l|list=? n=? a|annotate s|sign v|verify contains=?",
    "points-at=? sort= format= merged=? no-merged=? trailer=",
  );
  if (given.has("delete") && given.operands.length) {
    const many = given.operands.some((word) => word.from?.includes("git") || word.glob);
    rewrites(git, "delete-tag", hazard(many ? "git-tag-delete-many" : "git-tag-delete"));
  } else if (given.has("force") && given.operands.length) rewrites(git, "move-tag", hazard("git-tag-force"));
}

function reflog(git: Git): void {
  const given = options(
    git,
    "expire= expire-unreachable= all updateref rewrite stale-fix n|dry-run v|verbose single-worktree",
  );
  const [verb] = given.operands;
  if (given.has("dry-run")) return;
  if (verb?.value === "expire")
    rewrites(
      git,
      "reflog-expire",
      hazard(given.has("all", "expire", "expire-unreachable") ? "git-reflog-expire" : "git-reflog-expire-old"),
    );
  if (verb?.value === "delete" || verb?.value === "drop") rewrites(git, "reflog-delete", hazard("git-reflog-delete"));
}

const immediately = /^(now|all|0|0\..*)$/;

function gc(git: Git): void {
  const given = options(
    git,
    "prune=? no-prune auto aggressive force quiet keep-largest-pack cruft max-cruft-size= expire-to= detach",
  );
  const byConfiguration = git.settings.some((setting) =>
    /^gc\.(pruneexpire|reflogexpire(unreachable)?)=(now|all|0)/i.test(setting.value ?? ""),
  );
  if (immediately.test(given.value("prune")?.value ?? "") || byConfiguration)
    rewrites(git, "gc-prune", hazard("git-gc-prune"));
}

function prune(git: Git): void {
  const given = options(git, "expire= n|dry-run v|verbose progress exclude-promisor-objects");
  if (given.has("dry-run")) return;
  const { value } = given.value("expire") ?? {};
  rewrites(git, "prune", hazard(value === undefined || immediately.test(value) ? "git-prune" : "git-prune-old"));
}

function submodule(git: Git): void {
  const given = options(
    git,
    "q|quiet recursive init remote f|force b|branch= name= reference= depth= j|jobs= all cached files",
    "summary-limit= n",
  );
  const at = git.args.findIndex((arg) => arg.value === "foreach");
  if (at >= 0) {
    const words = git.args
      .slice(at + 1)
      .filter(
        (arg, index, list) =>
          !(index === list.findIndex((word) => !word.value?.startsWith("-")) - 1 && arg.value === "--recursive") &&
          arg.value !== "--recursive",
      );
    const text: Arg = words.some((word) => word.value === undefined)
      ? { source: "git submodule foreach", prefix: "" }
      : literal(words.map((word) => word.value).join(" "));
    return git.emit.shell(text, "git submodule foreach runs it in each submodule");
  }
  const [verb, ...rest] = given.operands;
  if (verb?.value === "update" || verb?.value === "add") {
    network(git, verb.value === "add" ? rest[0] : undefined, false);
    writesTree(
      git,
      `git submodule ${verb.value} changes the work tree`,
      given.has("force") && verb.value === "update" ? hazard("git-submodule-update-force") : undefined,
    );
  }
  if (verb?.value === "deinit" && given.has("force", "all"))
    writesTree(
      git,
      "git submodule deinit empties work trees",
      hazard(given.has("force") ? "git-submodule-deinit" : "git-submodule-deinit-all"),
    );
}

function bisect(git: Git): void {
  const [verb, ...rest] = git.args;
  if (verb?.value === "run") return git.emit.run(rest, "git bisect run");
  if (/^(start|good|bad|new|old|skip|reset|replay)$/.test(verb?.value ?? ""))
    writesTree(git, "git bisect checks out other commits");
}

function archive(git: Git): void {
  const given = options(
    git,
    "o|output= format= prefix= remote= exec= add-file= add-virtual-file= mtime= l|list v|verbose",
  );
  for (const file of given.values("output")) git.emit.write(inRepository(git, file), "git archive --output");
  for (const text of given.values("exec")) git.emit.shell(text, "git archive --exec runs it", { setting: true });
  if (given.value("remote")) network(git, given.value("remote"), false);
}

function grep(git: Git): void {
  const given = options(
    git,
    "O|open-files-in-pager=? e= f= A= B= C= m|max-count= threads= max-depth= no-index untracked r",
  );
  for (const option of given.options)
    if (option.name === "open-files-in-pager" && option.value) git.emit.shell(option.value, "git grep -O runs it");
  for (const file of given.values("f")) git.emit.read(inRepository(git, file), "git grep takes patterns from it");
  // Files git does not keep are read from the disk, as grep does.
  if (!given.has("no-index", "untracked")) return;
  for (const file of given.has("e", "f") ? given.operands : given.operands.slice(1))
    git.emit.read(inRepository(git, file), "git grep reads it");
}

/** Staging copies the file's content into the repository. */
function add(git: Git): void {
  const given = options(
    git,
    "A|all u|update p|patch i|interactive n|dry-run f|force v e|edit N|intent-to-add chmod= pathspec-from-file=",
    "refresh ignore-errors renormalize sparse",
  );
  if (given.has("dry-run")) return;
  const stage = (path: Arg, extra = {}) =>
    git.emit.read(inRepository(git, path), "git add stages it", { how: "stage", ...extra });
  for (const path of given.operands) stage(path);
  if (given.has("all") && given.operands.length === 0) stage(here, { recursive: true });
}

function tool(git: Git): void {
  const given = options(git, "x|extcmd= t|tool= g|gui d|dir-diff y|no-prompt prompt tool-help trust-exit-code O=");
  if (given.has("tool-help")) return;
  for (const text of given.values("extcmd")) git.emit.shell(text, `git ${git.verb} -x runs it`);
  if (git.verb === "mergetool") writesTree(git, "git mergetool changes conflicted files");
}
