// Keeps the work tree before a command that would lose it, so that it can be undone.
// Invariant: the index, the work tree, the stash and the project's refs and objects are not touched; ignored files and
// files that hold credentials are not kept.
import { copyFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { isCredentialName } from "../../../model/credential-names.js";
import type { HazardId } from "../../../model/hazards.js";
import type { JsonObject } from "../../../model/json.js";
import { headCommit, identify } from "../../../project/identify.js";
import { keptRef, keptStore, prepareKeptStore } from "../../../project/kept-work.js";
import { askGit, askGitList } from "../../../project/run-git.js";

const MAX_STASHES = 50;
/** Stashed work is lost, not the work tree. */
const losesStash = new Set<string>(["git-stash-drop", "git-stash-clear"] satisfies HazardId[]);

/** `folder`: Interlock's own for the project. */
export function keepWork(params: JsonObject, { now, folder }: { now: number; folder: string }): JsonObject {
  const repository = identify(String(params["repo"]));
  if (repository.kind !== "git" || repository.bare) return { kept: false, why: "no work tree" };
  const { root } = repository;
  const stashes = losesStash.has(String(params["id"]));
  if (!stashes && (params["clean"] === true || isClean(root))) return { kept: false, why: "nothing uncommitted" };
  if (!prepareKeptStore(folder, repository.commonDir ?? repository.gitDir!))
    throw new Error("git could not make a repository for kept work");
  const id = new Date(now).toISOString().replace(/[:.]/g, "-");
  if (stashes) return keepStashes(root, folder, id);
  const index = join(keptStore(folder), `index-${process.pid}-${now}`);
  try {
    copyIndex(join(repository.gitDir!, "index"), index);
    const env = { GIT_DIR: keptStore(folder), GIT_WORK_TREE: root, GIT_INDEX_FILE: index, ...author };
    const run = (...args: string[]) => askGit(root, args, { ms: 10_000, env })?.toString("utf8").trim();
    const secret = credentialsIn(root);
    // Literal pathspecs are off for this one question, so that names can be left out.
    const left = secret.map((name) => `:(exclude,top,literal)${name}`);
    const added = askGit(root, ["add", "-A", "--", ".", ...left], {
      ms: 10_000,
      env: { ...env, GIT_LITERAL_PATHSPECS: "0" },
    });
    if (added === undefined) throw new Error("git add into a separate index failed");
    const tree = run("write-tree");
    const head = headCommit(repository);
    const commit =
      tree && run("commit-tree", tree, ...(head ? ["-p", head] : []), "-m", `work tree before ${params["id"]}`);
    if (!commit || run("update-ref", keptRef(id), commit) === undefined)
      throw new Error("git could not write the kept commit");
    return { kept: true, id, commit, ...(secret.length && { credentials: secret.length }) };
  } finally {
    rmSync(index, { force: true });
  }
}

/** Changed and new files that hold credentials: they are not kept. */
const credentialsIn = (root: string): string[] =>
  [
    ...(askGitList(root, ["ls-files", "-z", "--others", "--modified", "--exclude-standard"]) ?? []),
    ...(askGitList(root, ["diff-index", "-z", "--cached", "--name-only", "HEAD"]) ?? []),
  ].filter((name, i, all) => isCredentialName(name) && all.indexOf(name) === i);

/**
 * Keeps the index's time, or an earlier one: git trusts its stat data only for files that changed before the index
 * was written.
 */
function copyIndex(from: string, to: string): void {
  const stat = statSync(from, { throwIfNoEntry: false });
  if (!stat) return;
  copyFileSync(from, to);
  const seconds = Math.floor(stat.mtimeMs / 1000);
  utimesSync(to, seconds, seconds);
}

const author = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Interlock"],
    [`GIT_${who}_EMAIL`, "interlock@localhost"],
  ]),
);

function isClean(root: string): boolean {
  const none = (...args: string[]) => askGitList(root, args)?.length === 0;
  return (
    none("ls-files", "-z", "--others", "--exclude-standard") &&
    none("diff-files", "-z", "--name-only") &&
    none("diff-index", "-z", "--cached", "--name-only", "HEAD")
  );
}

/** A dropped stash is pruned some day: its objects are copied. */
function keepStashes(root: string, folder: string, id: string): JsonObject {
  const stashes =
    askGit(root, ["log", "-g", "--format=%H", `-n${MAX_STASHES}`, "refs/stash"])
      ?.toString("utf8")
      .split("\n")
      .filter(Boolean) ?? [];
  const wanted = askGit(root, ["rev-list", "--objects", ...stashes, "--not", "--branches", "--tags", "HEAD"]);
  const input = wanted
    ?.toString("utf8")
    .split("\n")
    .filter((line) => line && !isCredentialName(line.slice(line.indexOf(" ") + 1)))
    .map((line) => line.split(" ")[0])
    .join("\n");
  const pack = join(keptStore(folder), "objects", "pack", "pack");
  if (stashes.length && (!input || askGit(root, ["pack-objects", "-q", pack], { ms: 30_000, input }) === undefined))
    throw new Error("git could not copy the stashes");
  for (const [i, commit] of stashes.entries())
    askGit(keptStore(folder), ["update-ref", keptRef(`${id}-stash-${i}`), commit]);
  return { kept: stashes.length > 0, id, stashes: stashes.length };
}
