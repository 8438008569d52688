// Keeps the work tree in a ref before a command that would lose it, so that it can be undone.
// Invariant: the index, the work tree and the stash are not touched; ignored files are not kept.
import { copyFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { HazardId } from "../../../model/hazards.js";
import type { JsonObject } from "../../../model/json.js";
import { headCommit, identify } from "../../../project/identify.js";
import { askGit, askGitList } from "../../../project/run-git.js";

export const KEPT = "refs/interlock/kept/";
const MAX_STASHES = 50;
/** Stashed work is lost, not the work tree. */
const losesStash = new Set<string>(["git-stash-drop", "git-stash-clear"] satisfies HazardId[]);

export function keepWork(params: JsonObject, { now }: { now: number }): JsonObject {
  const repository = identify(String(params["repo"]));
  if (repository.kind !== "git" || repository.bare) return { kept: false, why: "no work tree" };
  const { root } = repository;
  const ref = `${KEPT}${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  if (losesStash.has(String(params["id"]))) return keepStashes(root, ref);
  if (params["clean"] === true || isClean(root)) return { kept: false, why: "nothing uncommitted" };
  const index = join(repository.gitDir!, `interlock-index-${process.pid}-${now}`);
  try {
    copyIndex(join(repository.gitDir!, "index"), index);
    const env = { GIT_INDEX_FILE: index, ...author };
    const run = (...args: string[]) => askGit(root, args, { ms: 10_000, env })?.toString("utf8").trim();
    if (run("add", "-A", "--", ".") === undefined) throw new Error("git add into a separate index failed");
    const tree = run("write-tree");
    const head = headCommit(repository);
    const commit =
      tree && run("commit-tree", tree, ...(head ? ["-p", head] : []), "-m", `work tree before ${params["id"]}`);
    if (!commit || run("update-ref", ref, commit) === undefined) throw new Error("git could not write the kept commit");
    return { kept: true, ref, commit };
  } finally {
    rmSync(index, { force: true });
  }
}

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

function keepStashes(root: string, ref: string) {
  const stashes =
    askGit(root, ["log", "-g", "--format=%H", `-n${MAX_STASHES}`, "refs/stash"])
      ?.toString("utf8")
      .split("\n")
      .filter(Boolean) ?? [];
  for (const [i, commit] of stashes.entries()) askGit(root, ["update-ref", `${ref}-stash-${i}`, commit]);
  return { kept: stashes.length > 0, ref, stashes: stashes.length };
}
