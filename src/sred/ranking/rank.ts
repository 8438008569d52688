// Which SR&ED project a commit most likely belongs to, from earlier commits that name one. No model is asked.
// Invariant: pure; only projects that a commit names are ranked, and every reason can be counted in the history.
import { issueKeysIn } from "../issue-keys.js";
import type { TaggedCommit } from "./history.js";

/** What is known of the commit to be made. */
export interface CommitContext {
  scope?: string;
  paths: readonly string[];
  branch?: string;
  author?: string;
  issueKeys: readonly string[];
  now: number;
}

export interface RankedProject {
  project: string;
  score: number;
  /** Commits that name it. */
  commits: number;
  /** Commits that name it and have the same scope. */
  sameScope: number;
  lastAt: number;
}

export interface Ranking {
  projects: RankedProject[];
  /** 0 to 1: how much of the possible evidence is for the first, and how far the second is behind. */
  confidence: number;
}

const weights = { issue: 4, scope: 3.5, paths: 3.5, branch: 1.5, author: 1, recency: 0.8 };
const day = 24 * 3_600_000;
/** Evidence loses half of its weight in this time. */
const halfLife = 90 * day;
const recent = 10 * day;

export function rankProjects(history: readonly TaggedCommit[], context: CommitContext): Ranking {
  const byName = new Map<string, RankedProject>();
  for (const commit of history)
    for (const project of commit.claims) {
      const known = byName.get(project);
      const ranked = known ?? { project, score: 0, commits: 0, sameScope: 0, lastAt: 0 };
      ranked.commits++;
      if (context.scope !== undefined && sameScope(commit.scope, context.scope)) ranked.sameScope++;
      ranked.lastAt = Math.max(ranked.lastAt, commit.at);
      if (!known) byName.set(project, ranked);
    }
  let possible = 0;
  const signals = signalsOf(history, context);
  for (const [name, shares] of signals) {
    possible += weights[name];
    for (const [project, share] of shares) {
      const ranked = byName.get(project);
      if (ranked) ranked.score += weights[name] * share;
    }
  }
  const projects = [...byName.values()];
  projects.sort((a, b) => b.score - a.score || b.lastAt - a.lastAt || (a.project < b.project ? -1 : 1));
  return { projects, confidence: confidenceOf(projects, possible) };
}

function confidenceOf([first, second]: readonly RankedProject[], possible: number): number {
  if (!first || possible === 0) return 0;
  const margin = (first.score - (second?.score ?? 0)) / possible;
  return Math.round(Math.min(1, (first.score / possible) * 0.6 + margin * 0.6) * 100) / 100;
}

type Shares = Map<string, number>;

/** Per kind of evidence that the commit offers, how it is shared among the projects. */
function signalsOf(history: readonly TaggedCommit[], context: CommitContext): [keyof typeof weights, Shares][] {
  const { scope, paths, branch, author, now } = context;
  const signals: [keyof typeof weights, Shares][] = [];
  const keys = new Set([...context.issueKeys, ...(branch ? issueKeysIn(branch) : [])]);
  if (keys.size) {
    const shares = sharesOf(history, now, (c) => c.issueKeys.some((k) => keys.has(k)));
    if (shares.size) signals.push(["issue", shares]);
  }
  if (scope !== undefined) signals.push(["scope", sharesOf(history, now, (c) => sameScope(c.scope, scope))]);
  if (paths.length) signals.push(["paths", pathShares(history, paths, now)]);
  const branchTokens = branch ? tokensOf(branch) : [];
  const named = branchTokens.length ? branchShares(history, branchTokens) : new Map<string, number>();
  if (named.size) signals.push(["branch", named]);
  if (author !== undefined) {
    const shares = sharesOf(history, now, (c) => c.author === author, recent);
    if (shares.size) signals.push(["author", shares]);
  }
  signals.push(["recency", sharesOf(history, now, () => true, recent)]);
  return signals;
}

/** Each project's share of the evidence; little evidence gives little. */
function sharesOf(
  history: readonly TaggedCommit[],
  now: number,
  isEvidence: (commit: TaggedCommit) => boolean,
  half = halfLife,
): Shares {
  const sums: Shares = new Map();
  let total = 0;
  for (const commit of history) {
    if (!isEvidence(commit)) continue;
    const decayed = 2 ** (-Math.max(0, now - commit.at) / half);
    total += decayed;
    for (const project of commit.claims) sums.set(project, (sums.get(project) ?? 0) + decayed);
  }
  for (const [project, sum] of sums) sums.set(project, sum / (total + 0.05));
  return sums;
}

/** Every path speaks for the projects that changed it, or its nearest folder that any project changed. */
function pathShares(history: readonly TaggedCommit[], paths: readonly string[], now: number): Shares {
  const asked = paths.slice(0, 100).map((path) => [path, ...foldersOf(path)]);
  const touched = commitsTouching(history, new Set(asked.flat()));
  const sums: Shares = new Map();
  for (const near of asked) {
    const level = near.findIndex((at) => touched.has(at));
    if (level < 0) continue;
    // A folder far up says less than the file itself.
    const closeness = level === 0 ? 1 : Math.max(0.2, 1 - 0.2 * level);
    for (const [project, share] of sharesOf(touched.get(near[level]!)!, now, () => true))
      sums.set(project, (sums.get(project) ?? 0) + (share * closeness) / asked.length);
  }
  return sums;
}

/** By the paths and folders that are wanted, the commits that changed them. */
function commitsTouching(history: readonly TaggedCommit[], wanted: ReadonlySet<string>): Map<string, TaggedCommit[]> {
  const touched = new Map<string, TaggedCommit[]>();
  const note = (at: string, commit: TaggedCommit) => {
    const known = touched.get(at);
    if (!known) touched.set(at, [commit]);
    else if (known.at(-1) !== commit) known.push(commit);
  };
  for (const commit of history)
    for (const path of commit.paths) {
      if (wanted.has(path)) note(path, commit);
      for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
        const folder = path.slice(0, end + 1);
        if (wanted.has(folder)) note(folder, commit);
      }
    }
  return touched;
}

/** The folders above a path, nearest first, without the root. */
function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(0, -1).map((_, i) => `${parts.slice(0, parts.length - 1 - i).join("/")}/`);
}

function branchShares(history: readonly TaggedCommit[], tokens: readonly string[]): Shares {
  const shares: Shares = new Map();
  for (const project of new Set(history.flatMap((c) => c.claims))) {
    const own = tokensOf(project);
    const met = own.filter((t) => tokens.includes(t)).length;
    if (met) shares.set(project, met / own.length);
  }
  return shares;
}

const sameScope = (a: string | undefined, b: string): boolean =>
  a !== undefined && (a === b || a.toLowerCase() === b.toLowerCase());

const tokensOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((t) => t.length > 1);
