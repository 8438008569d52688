// The SR&ED commits of the last 365 days, read from git once and kept; later only what is new is read.
// Invariant: git is the only source: what is kept belongs to a commit that is an ancestor of HEAD, or it is read anew.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { readBoundedText } from "../../project/bounded-read.js";
import { headCommit, identify } from "../../project/identify.js";
import { replaceFile } from "../../project/replace-file.js";
import { askGit, askGitPartly } from "../../project/run-git.js";
import type { CycleCommit } from "../cycles.js";
import { claimPattern, readSredMessage } from "../message.js";

/** A tagged commit, as far as ranking and cycles need it. */
export interface TaggedCommit extends CycleCommit {
  /** Committer time, ms. */
  committedAt: number;
  /** The author's address. */
  author: string;
  paths: string[];
}

export interface SredHistory {
  head: string | undefined;
  commits: TaggedCommit[];
  /** Time ran out: older commits are missing. */
  cut: boolean;
  /** Where it came from: nothing was read, only what is new, or all. */
  read: "kept" | "extended" | "whole" | "nothing";
}

export interface HistoryRequest {
  root: string;
  /** Where it is kept between calls; without it nothing is kept. */
  file?: string;
  now: number;
  /** How long git may read. */
  ms: number;
}

const day = 24 * 3_600_000;
export const historyDays = 365;
const mostPaths = 40;
const mostCommits = 20_000;
const version = 1;
/** Branches a person goes back and forth between. */
const keptHeads = 4;

interface Kept {
  head: string;
  commits: TaggedCommit[];
}

export function readHistory({ root, file, now, ms }: HistoryRequest): SredHistory {
  const head =
    headCommit(identify(root)) ??
    askGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?.toString("utf8").trim();
  if (!head) return { head: undefined, commits: [], cut: false, read: "nothing" };
  const since = now - historyDays * day;
  const inWindow = (commits: readonly TaggedCommit[]) => commits.filter((c) => c.committedAt >= since);
  const kept = file === undefined ? [] : keptIn(file);
  const same = kept.find((k) => k.head === head);
  if (same) return { head, commits: inWindow(same.commits), cut: false, read: "kept" };
  const base = kept.find((k) => askGit(root, ["merge-base", "--is-ancestor", k.head, head]) !== undefined);
  const fresh = logOf(root, base ? `${base.head}..${head}` : head, since, ms);
  const commits = [...fresh.commits, ...inWindow(base?.commits ?? [])].slice(0, mostCommits);
  if (file !== undefined && !fresh.cut)
    keep(file, [{ head, commits }, ...kept.filter((k) => k !== base)].slice(0, keptHeads));
  return { head, commits, cut: fresh.cut, read: base ? "extended" : "whole" };
}

/** Fields are separated by NUL, which no message and no path can hold. */
const format = "--format=%x00%H%x00%at%x00%ct%x00%ae%x00%B%x00";

/** The arguments of the one `git log`; the benchmark runs the same. */
export const historyArguments = (range: string, since: number): string[] => [
  ...["-c", "core.quotePath=false", "log", "--no-show-signature", `--since=${Math.floor(since / 1000)}`],
  ...["-i", "--grep=^SRED-Claim[[:blank:]]*:", "--name-only", "--no-renames", format, range, "--"],
];

function logOf(root: string, range: string, since: number, ms: number): { commits: TaggedCommit[]; cut: boolean } {
  const answer = askGitPartly(root, historyArguments(range, since), { ms, maxBytes: 256 << 20 });
  if (!answer) return { commits: [], cut: true };
  const fields = answer.output.toString("utf8").split("\0");
  // An interrupted answer ends anywhere: its last commit is not counted.
  const whole = Math.floor((fields.length - 1) / 6) - (answer.complete ? 0 : 1);
  const commits: TaggedCommit[] = [];
  for (let i = 0; i < whole && commits.length < mostCommits; i++) {
    const [hash, at, committedAt, author, message, paths] = fields.slice(1 + i * 6, 7 + i * 6) as string[];
    const commit = taggedCommit(hash!, Number(at) * 1000, Number(committedAt) * 1000, author!, message!, paths!);
    if (commit) commits.push(commit);
  }
  return { commits, cut: !answer.complete };
}

function taggedCommit(
  hash: string,
  at: number,
  committedAt: number,
  author: string,
  message: string,
  names: string,
): TaggedCommit | undefined {
  const read = readSredMessage(message);
  const claims = read.claims.filter((claim) => claimPattern.test(claim));
  if (!claims.length) return undefined;
  const { scope, issueKeys, type, failed } = read;
  const said = (text: string | undefined) => text?.slice(0, 200);
  const paths = names.split("\n").filter(Boolean).slice(0, mostPaths);
  const commit: TaggedCommit = { hash, at, committedAt, author, claims, scope, issueKeys, type, failed, paths };
  return {
    ...commit,
    ...(read.hypothesis && { hypothesis: said(read.hypothesis) }),
    ...(read.experiment && { experiment: said(read.experiment) }),
    ...(read.result && { result: said(read.result) }),
  };
}

function keptIn(file: string): Kept[] {
  try {
    const value = JSON.parse(readBoundedText(file, 64 << 20)) as { version?: number; kept?: Kept[] };
    return value.version === version && Array.isArray(value.kept) ? value.kept : [];
  } catch {
    return []; // missing or damaged: the history is read anew
  }
}

function keep(file: string, kept: readonly Kept[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, JSON.stringify({ version, kept }), 0o600);
  } catch {
    // Where nothing can be written, the history is read each time.
  }
}
