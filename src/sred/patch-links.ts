// Finds commits again after a rebase, amend or squash: same patch, other hash.
// Invariant: a commit is linked only by an equal patch-id; one that has no counterpart is reported, never guessed.

import { childProcess } from "../project/node-builtins.js";
import { askGit } from "../project/run-git.js";
import { readSredMessage } from "./message.js";

export interface CommitLinkRecord {
  commit: string;
  /** Undefined for merges and empty commits: there is no patch to compare. */
  patchId?: string;
  claims: string[];
  types: string[];
  /** Author time, ISO 8601. */
  at: string;
}

export function linkOf(root: string, revision: string): CommitLinkRecord | undefined {
  const shown = askGit(root, ["log", "-1", "--no-show-signature", "--format=%H%x00%aI%x00%B", revision, "--"]);
  const [commit, at, message] = shown?.toString("utf8").split("\0") ?? [];
  if (!commit || message === undefined) return undefined;
  const { claims, types } = readSredMessage(message);
  const patchId = claims.length ? patchIds(root, ["-1", commit]).get(commit) : undefined;
  return { commit, ...(patchId && { patchId }), claims, types, at: at! };
}

/** Commit to patch-id, of what `git log -p` shows for these arguments. */
export function patchIds(root: string, revisions: readonly string[], ms = 30_000): Map<string, string> {
  const options = [
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--full-index",
    "--no-merges",
  ];
  const patches = askGit(root, ["log", "-p", ...options, ...revisions, "--"], { ms, maxBytes: 512 << 20 });
  const found = new Map<string, string>();
  if (!patches) return found;
  const { stdout } = childProcess().spawnSync("git", ["patch-id", "--stable"], {
    cwd: root,
    input: patches,
    maxBuffer: 64 << 20,
    timeout: ms,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  for (const line of stdout?.toString("utf8").split("\n") ?? []) {
    const [id, commit] = line.split(" ");
    if (id && commit) found.set(commit, id);
  }
  return found;
}

export interface Relinked {
  from: CommitLinkRecord;
  /** The commit that has the same patch now. */
  to?: string;
  /** Claims of the record that the new commit's message does not name any more. */
  lost: string[];
}

/** What became of recorded commits that are no ancestors of HEAD any more. */
export function relink(
  records: readonly CommitLinkRecord[],
  current: ReadonlyMap<string, { patchId?: string; claims: readonly string[] }>,
): Relinked[] {
  const byPatch = new Map([...current].flatMap(([commit, { patchId }]) => (patchId ? [[patchId, commit]] : [])));
  const newest = new Map(records.map((record) => [record.commit, record]));
  return [...newest.values()].flatMap((from) => {
    if (current.has(from.commit)) return [];
    const to = from.patchId === undefined ? undefined : byPatch.get(from.patchId);
    const named = to === undefined ? [] : current.get(to)!.claims;
    return [{ from, ...(to !== undefined && { to }), lost: from.claims.filter((claim) => !named.includes(claim)) }];
  });
}
