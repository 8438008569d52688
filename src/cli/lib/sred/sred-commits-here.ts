// What `sred list`, `projects` and `report` share: options for period and projects, and the commits of this repository.

import { nearest } from "../../../model/nearest.js";
import { identify } from "../../../project/identify.js";
import { type CommitHistory, NoHistory, readCommits } from "../../../sred/read-commits.js";
import { type Day, dayOption, PeriodError, zoneOption } from "../../../sred/report/period.js";
import { type SredCommit, sredCommit, withoutCopies } from "../../../sred/report/period-commits.js";
import { UsageError } from "../args.js";
import { shown } from "../paint.js";
import { startProgress } from "../progress.js";
import { sayError } from "../wrap.js";

export const periodOptions = { from: "text", to: "text", tz: "text", project: "texts", all: "flag" } as const;

/** Bad options and unreadable histories become errors that name the remedy. */
export function orUsage<T>(usage: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PeriodError || error instanceof NoHistory) throw new UsageError(`${error.message}\n${usage}`);
    throw error;
  }
}

export function historyHere(values: { cwd?: string; all?: boolean }): { root: string; history: CommitHistory } {
  const { root } = identify(values.cwd ?? process.cwd());
  const progress = startProgress("reading the history");
  let history: CommitHistory;
  try {
    history = readCommits(root, { all: values.all });
  } finally {
    progress.end();
  }
  if (history.shallow)
    sayError("interlock: this is a shallow clone; older commits are missing. Remedy: git fetch --unshallow");
  return { root, history };
}

/** Tagged commits within the days asked for; each end may be open. */
export function taggedCommits(
  values: { from?: string; to?: string; tz?: string; project?: string[]; all?: boolean; cwd?: string },
  usage: string,
): { commits: SredCommit[]; zone: string } {
  return orUsage(usage, () => {
    const zone = zoneOption(values.tz);
    const from: Day | undefined = values.from === undefined ? undefined : dayOption("from", values.from);
    const to: Day | undefined = values.to === undefined ? undefined : dayOption("to", values.to);
    if (from && to && from > to) throw new PeriodError(`--from ${from} is after --to ${to}`);
    const { history } = historyHere(values);
    const read = history.commits.map((commit) => sredCommit(commit, zone));
    const tagged = (values.all ? withoutCopies(read) : read).filter((c) => c.claims.length);
    checkProjects(values.project, tagged, usage);
    const commits = tagged.filter(
      (c) =>
        (!from || c.day >= from) &&
        (!to || c.day <= to) &&
        (!values.project?.length || c.claims.some((id) => values.project!.includes(id))),
    );
    return { commits, zone };
  });
}

/** A project nobody named is probably a slip. */
export function checkProjects(
  wanted: readonly string[] | undefined,
  tagged: readonly SredCommit[],
  usage: string,
): void {
  const known = [...new Set(tagged.flatMap((c) => c.claims))];
  for (const id of wanted ?? []) {
    if (known.includes(id)) continue;
    const near = nearest(id, known);
    throw new UsageError(
      `no commit names the SR&ED project identifier "${shown(id, 80)}"` +
        `${near ? `; did you mean ${shown(near, 80)}?` : ". List them: interlock sred projects"}\n${usage}`,
    );
  }
}
