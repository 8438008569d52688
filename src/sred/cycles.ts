// Investigation cycles: commits of one SR&ED project that belong together, and one sentence about each cycle.
// Invariant: a commit is in exactly one cycle per project identifier it names; nothing is said that no commit says.

export interface CycleCommit {
  hash: string;
  /** Author time, ms. */
  at: number;
  claims: readonly string[];
  scope?: string;
  issueKeys: readonly string[];
  type?: string;
  hypothesis?: string;
  experiment?: string;
  result?: string;
  failed: boolean;
}

/** Why commits belong to one cycle. */
export type CycleLink = "within 72 hours" | "shared issue" | "same scope in sequence";

export interface Cycle<C extends CycleCommit = CycleCommit> {
  claim: string;
  /** In the order of their author time. */
  commits: C[];
  from: number;
  to: number;
  links: CycleLink[];
  issueKeys: string[];
}

const hour = 3_600_000;
export const cycleGap = 72 * hour;
/** Work on one scope that rested longer than this is a new investigation. */
const scopeGap = 30 * 24 * hour;

export function investigationCycles<C extends CycleCommit>(commits: readonly C[]): Cycle<C>[] {
  const byClaim = new Map<string, C[]>();
  for (const commit of commits)
    for (const claim of new Set(commit.claims)) byClaim.set(claim, [...(byClaim.get(claim) ?? []), commit]);
  const cycles = [...byClaim].flatMap(([claim, members]) => cyclesOf(claim, members));
  return cycles.sort((a, b) => a.from - b.from || (a.claim < b.claim ? -1 : 1));
}

function cyclesOf<C extends CycleCommit>(claim: string, members: readonly C[]): Cycle<C>[] {
  const sorted = [...members].sort((a, b) => a.at - b.at || (a.hash < b.hash ? -1 : 1));
  const group = sorted.map((_, i) => i);
  const links: { at: number; link: CycleLink }[] = [];
  const root = (i: number): number => {
    let at = i;
    while (group[at] !== at) at = group[at]!;
    return at;
  };
  const join = (a: number, b: number, link: CycleLink) => {
    group[root(b)] = root(a);
    links.push({ at: a, link });
  };
  const lastOfIssue = new Map<string, number>();
  for (const [i, commit] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before && commit.at - before.at <= cycleGap) join(i - 1, i, "within 72 hours");
    else if (before?.scope !== undefined && before.scope === commit.scope && commit.at - before.at <= scopeGap)
      join(i - 1, i, "same scope in sequence");
    for (const key of commit.issueKeys) {
      const earlier = lastOfIssue.get(key);
      if (earlier !== undefined) join(earlier, i, "shared issue");
      lastOfIssue.set(key, i);
    }
  }
  const groups = new Map<number, C[]>();
  for (const [i, commit] of sorted.entries()) groups.set(root(i), [...(groups.get(root(i)) ?? []), commit]);
  return [...groups].map(([id, own]) => ({
    claim,
    commits: own,
    from: own[0]!.at,
    to: own.at(-1)!.at,
    links: [...new Set(links.filter(({ at }) => root(at) === id).map(({ link }) => link))],
    issueKeys: [...new Set(own.flatMap((c) => c.issueKeys))],
  }));
}

/** "CACHE: 3 commits over 26 hours, 2 hypotheses, 1 failed result, issue EI-12". Counts only what commits say. */
export function cycleSummary({ claim, commits, from, to, issueKeys }: Cycle): string {
  const count = (n: number, one: string, many = `${one}s`) => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]);
  const hours = Math.round((to - from) / hour);
  const span =
    hours < 1 ? "within an hour" : hours <= 96 ? `over ${hours} hours` : `over ${Math.round(hours / 24)} days`;
  const failed = commits.filter((c) => c.failed).length;
  const parts = [
    `${count(commits.length, "commit")[0]} ${commits.length === 1 ? "so far" : span}`,
    ...count(commits.filter((c) => c.hypothesis).length, "hypothesis", "hypotheses"),
    ...count(commits.filter((c) => c.experiment).length, "experiment"),
    ...count(commits.filter((c) => c.result && !c.failed).length, "other result"),
    ...count(failed, "failed experiment"),
    ...(issueKeys.length ? [`${issueKeys.length === 1 ? "issue" : "issues"} ${issueKeys.slice(0, 5).join(", ")}`] : []),
  ];
  return `${claim}: ${parts.join(", ")}`;
}
