// Puts files back as a snapshot has them.
// Invariant: names those it could not restore; never follows a link; the caller keeps what is replaced.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, relative } from "node:path";
import { replaceFile } from "./replace-file.js";
import { askGit } from "./run-git.js";
import { restoreProtected } from "./snapshot-file.js";
import type { TreeSnapshot } from "./tree-snapshot.js";

/** Why a file could not be put back; undefined when it is as it was. */
export function restorePath(snapshot: TreeSnapshot, path: string): string | undefined {
  if (snapshot.protected[path])
    return restoreProtected(snapshot, path)
      ? undefined
      : "its content was not kept: too large, or a file of credentials";
  const name = relative(snapshot.root, path);
  const stat = snapshot.entries[name];
  const kept = snapshot.uncommitted?.[name];
  if (kept === null) return "its content was not kept: too large, or a file of credentials";
  if (snapshot.how === "status" && kept === undefined) return restoreFromGit(snapshot, path, name, stat);
  if (stat === undefined && kept === undefined) {
    if (snapshot.truncated && !(name < snapshot.truncated.upTo)) return "the tree was too large to look at it before";
    rmSync(path, { force: true });
    return undefined;
  }
  const content = kept !== undefined ? Buffer.from(kept, "base64") : committed(snapshot, name);
  if (!content) return "git does not have it as it was";
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, content, modeOf(stat));
  return undefined;
}

/** In a large tree: what was not listed was as the commit has it, or not there. */
function restoreFromGit(
  snapshot: TreeSnapshot,
  path: string,
  name: string,
  state: string | undefined,
): string | undefined {
  if (snapshot.truncated) return "the tree was too large to look at it before";
  const known = state?.startsWith("=") ? askGit(snapshot.root, ["cat-file", "blob", state.slice(1)]) : undefined;
  const content = known ?? (state === undefined ? committed(snapshot, name) : undefined);
  if (!content && state !== undefined && state !== "-") return "git does not have it as it was";
  if (!content) rmSync(path, { force: true });
  else {
    const listed = askGit(snapshot.root, ["ls-tree", snapshot.head ?? "HEAD", "--", name])?.toString("latin1") ?? "";
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, content, listed.startsWith("100755") ? 0o755 : 0o644);
  }
  return undefined;
}

const committed = ({ head, root }: TreeSnapshot, name: string): Buffer | undefined =>
  head === undefined ? undefined : askGit(root, ["show", `${head}:${name}`]);

const modeOf = (stat: string | undefined): number => Number.parseInt(stat?.split(".")[4] ?? "", 36) & 0o777 || 0o644;
