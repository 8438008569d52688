// Commits with what they say about SR&ED, sorted into those of the period and those outside it.
// Invariant: the author date in the claimant's zone decides the day; a copy of a commit counts once.

import type { CycleCommit } from "../cycles.js";
import { readSredMessage, type SredMessage } from "../message.js";
import type { GitCommit } from "../read-commits.js";
import { type Experiment, experimentsIn } from "./experiments.js";
import { type Day, localTime, within } from "./period.js";

export interface SredCommit extends CycleCommit {
  commit: GitCommit;
  read: SredMessage;
  day: Day;
  time: string;
  experiments: Experiment[];
  copies: string[];
}

export function sredCommit(commit: GitCommit, zone: string): SredCommit {
  const read = readSredMessage(commit.message);
  const { hypothesis, experiment, result, failed, scope, type, issueKeys } = read;
  const claims = read.claims.filter((claim) => claim !== "");
  return {
    ...{ hash: commit.hash, at: commit.authored.seconds * 1000, claims, issueKeys, failed },
    ...{ hypothesis, experiment, result, scope, type },
    ...{ commit, read, ...localTime(commit.authored.seconds, zone), copies: [] },
    experiments: claims.length ? experimentsIn(commit.message) : [],
  };
}

export interface Sorted {
  /** In the period, with a claim. */
  tagged: SredCommit[];
  /** In the period, "SRED-Claim: none". */
  notSred: SredCommit[];
  /** In the period, routine or a merge, and without a claim. */
  routine: SredCommit[];
  /** In the period, no claim, and not routine. */
  untagged: SredCommit[];
  /** With a claim, outside the period. */
  outside: SredCommit[];
}

export function sortCommits(commits: readonly SredCommit[], period: { from: Day; to: Day }): Sorted {
  const sorted: Sorted = { tagged: [], notSred: [], routine: [], untagged: [], outside: [] };
  for (const one of commits) {
    if (!within(one.day, period)) {
      if (one.claims.length) sorted.outside.push(one);
    } else if (one.claims.length) sorted.tagged.push(one);
    else if (one.read.notSred) sorted.notSred.push(one);
    else if (one.read.routine || one.commit.parents.length > 1) sorted.routine.push(one);
    else sorted.untagged.push(one);
  }
  return sorted;
}

/** Cherry-picks and rebased copies, which `--all` finds beside their originals: same author, date and message. */
export function withoutCopies(commits: readonly SredCommit[]): SredCommit[] {
  const first = new Map<string, SredCommit>();
  for (const one of commits) {
    const { author, authored, messageHash } = one.commit;
    const key = `${author.email}\n${author.name}\n${authored.seconds}\n${messageHash}`;
    const original = first.get(key);
    if (original && original.commit.message.trim() !== "") original.copies.push(one.hash);
    else first.set(original ? `${key}\n${one.hash}` : key, one);
  }
  return [...first.values()];
}
