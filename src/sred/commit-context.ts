// What git knows of the commit that is about to be made: staged content, branch, author.
// Invariant: read only; what git does not answer in time is left out, never guessed.
import { headBranch, identify } from "../project/identify.js";
import { askGit, askGitList } from "../project/run-git.js";
import { issueKeysIn } from "./issue-keys.js";
import type { SredMessage } from "./message.js";
import type { CommitContext } from "./ranking/rank.js";

export interface StagedContent {
  paths: string[];
  /** One entry per path: its path and what of it is staged. */
  entries: string[];
}

const mostStaged = 2_000;

/** `all`: the commit takes every changed file (`-a`), or nothing is staged yet. */
export function stagedContent(root: string, all: boolean): StagedContent {
  const staged = all ? [] : rawDiff(root, ["--cached"]);
  if (staged.length) return contentOf(staged);
  const changed = rawDiff(root, ["HEAD"]);
  const made = askGitList(root, ["ls-files", "--others", "--exclude-standard", "-z"], { ms: 1_000 }) ?? [];
  const { paths, entries } = contentOf(changed);
  const fresh = all && changed.length ? [] : made.slice(0, mostStaged);
  return { paths: [...paths, ...fresh], entries: [...entries, ...fresh] };
}

function rawDiff(root: string, what: readonly string[]): string[] {
  const args = ["diff", "--raw", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules", "--abbrev=40", ...what];
  return (askGitList(root, [...args, "--"], { ms: 1_000 }) ?? []).slice(0, mostStaged * 2);
}

/** Pairs of ":modes hashes status" and path. */
function contentOf(fields: readonly string[]): StagedContent {
  const paths: string[] = [];
  const entries: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    paths.push(fields[i + 1]!);
    entries.push(`${fields[i + 1]} ${fields[i]}`);
  }
  return { paths, entries };
}

export interface BranchAndAuthor {
  branch?: string;
  author?: string;
}

export function commitPlace(root: string): BranchAndAuthor {
  const identity = askGit(root, ["var", "GIT_AUTHOR_IDENT"], { ms: 500 })?.toString("utf8");
  return { branch: branchOf(root), author: /<([^<>]*)>/.exec(identity ?? "")?.[1] };
}

export function commitContext(
  { branch, author }: BranchAndAuthor,
  message: Pick<SredMessage, "scope" | "issueKeys">,
  staged: StagedContent,
  now: number,
): CommitContext {
  const issueKeys = [...new Set([...message.issueKeys, ...issueKeysIn(branch ?? "")])];
  return { scope: message.scope, paths: staged.paths, branch, author, issueKeys, now };
}

/** From the file HEAD: no process, and right in a linked worktree. */
function branchOf(root: string): string | undefined {
  const { gitDir } = identify(root);
  return gitDir && headBranch(gitDir);
}
