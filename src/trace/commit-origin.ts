// What git says about how the newest commit came about: amend, cherry-pick, revert, squash, after a reset.
// Invariant: read from git's own files (reflog, CHERRY_PICK_HEAD, SQUASH_MSG) and the message; nothing is guessed.

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../model/sha256.js";
import { writeAtOnce } from "./whole-file.js";

export interface ReflogEntry {
  from: string;
  to: string;
  message: string;
}

const reflogBytes = 64 << 10;
const oldestReset = 12;

export const reflogSize = (gitDir: string): number =>
  statSync(join(gitDir, "logs", "HEAD"), { throwIfNoEntry: false })?.size ?? 0;

/** The newest first; only what was written after `since` bytes, or the last of it. */
export function headReflog(gitDir: string, since?: number): ReflogEntry[] {
  const text = readTail(join(gitDir, "logs", "HEAD"), since);
  const entries = text.split("\n").flatMap((line) => {
    const found = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t(.*)$/.exec(line);
    return found ? [{ from: found[1]!, to: found[2]!, message: found[3]! }] : [];
  });
  return entries.reverse();
}

/** A rebase, pick, revert or merge that is not finished: the work tree must not be touched. */
export const isBusy = (gitDir: string): boolean =>
  ["rebase-merge", "rebase-apply", "sequencer", "CHERRY_PICK_HEAD", "REVERT_HEAD", "MERGE_HEAD"].some((name) =>
    existsSync(join(gitDir, name)),
  );

export const isRebasing = (gitDir: string): boolean =>
  ["rebase-merge", "rebase-apply"].some((name) => existsSync(join(gitDir, name)));

/** The commit being picked, outside a rebase. */
export function pickedCommit(gitDir: string): string | undefined {
  if (isRebasing(gitDir)) return undefined;
  return oidIn(readText(join(gitDir, "CHERRY_PICK_HEAD")));
}

export const pickedByTrailer = (message: string): string[] =>
  [...message.matchAll(/^\(cherry picked from commit ([0-9a-f]{40,64})\)$/gm)].map(([, oid]) => oid!);

export const revertedCommits = (message: string): string[] =>
  [...message.matchAll(/\bThis reverts commit ([0-9a-f]{40,64})\b/g)].map(([, oid]) => oid!);

/** Where HEAD stood before resets since; `direct`: only resets lie between. The commit itself is the first entry. */
export function resetFrom(reflog: readonly ReflogEntry[]): { commit: string; direct: boolean }[] {
  const found: { commit: string; direct: boolean }[] = [];
  let direct = true;
  for (const { from, message } of reflog.slice(1, oldestReset)) {
    if (message.startsWith("reset:")) found.push({ commit: from, direct });
    else direct = false;
  }
  return found;
}

/** Commits named by `git merge --squash`, the newest first. */
export function squashedCommits(gitDir: string): string[] {
  const text = readText(join(gitDir, "SQUASH_MSG")) ?? "";
  return [...text.matchAll(/^commit ([0-9a-f]{40,64})\b/gm)].map(([, oid]) => oid!);
}

const squashFile = (folder: string, root: string): string =>
  join(folder, "trace", `squash-${sha256(root).slice(0, 16)}.json`);

/** Git removes SQUASH_MSG before post-commit runs, so prepare-commit-msg keeps what it says. */
export function keepSquash(folder: string, root: string, gitDir: string): void {
  const commits = squashedCommits(gitDir);
  if (!commits.length) return rmSync(squashFile(folder, root), { force: true });
  writeAtOnce(squashFile(folder, root), JSON.stringify(commits.slice(0, 1_000)));
}

export function takeSquash(folder: string, root: string): string[] {
  const text = readText(squashFile(folder, root));
  if (text === undefined) return [];
  rmSync(squashFile(folder, root), { force: true });
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one) => typeof one === "string" && /^[0-9a-f]{40,64}$/.test(one)) : [];
  } catch {
    return [];
  }
}

function readTail(path: string, since: number | undefined): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    const { size } = fstatSync(fd);
    const from = Math.max(since ?? 0, size - reflogBytes);
    const bytes = Buffer.alloc(Math.max(0, size - from));
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, from));
  } catch {
    return ""; // no reflog is kept here
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const oidIn = (text: string | undefined): string | undefined => /^[0-9a-f]{40,64}/.exec(text ?? "")?.[0];

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
