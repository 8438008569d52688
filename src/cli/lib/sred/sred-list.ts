// interlock sred list and interlock sred projects: tagged commits, one line each, and their number per project.
// Invariant: one commit is one line, whatever its message holds; the last day counts until midnight.
import { claimPattern } from "../../../sred/message.js";
import { isoSeconds } from "../../../sred/report/build-report.js";
import { lookAlikes } from "../../../sred/report/gaps.js";
import { yearAndQuarter } from "../../../sred/report/period.js";
import { atMost, parseOptions } from "../args.js";
import { printJson } from "../current-project.js";
import { bold, dim, red, shown, yellow } from "../paint.js";
import { periodOptions, taggedCommits } from "./sred-commits-here.js";

export const listUsage = `Usage: interlock sred list [--from <day>] [--to <day>] [--tz <Area/City>] [--project <id>]...
         [--all] [--json]

Commits that name an SR&ED project identifier: date, commit, author, type of SR&ED work, project, subject.
Days are author dates in the zone given; --to includes the whole day. --all reads every ref, not only HEAD.

Example: interlock sred list --from 2026-01-01 --to 2026-03-31 --tz America/Toronto
`;

export const projectsUsage = `Usage: interlock sred projects [--from <day>] [--to <day>] [--tz <Area/City>] [--project <id>]...
         [--all] [--json]

SR&ED project identifiers in the history with their number of commits, first and last day, and types.
`;

export function runSredList(args: string[]): number {
  const { values, words } = parseOptions(args, { ...periodOptions, json: "flag", cwd: "text" }, listUsage, "words");
  atMost(words, 0, listUsage);
  const { commits, zone } = taggedCommits(values, listUsage);
  if (values.json) {
    printJson({
      zone,
      commits: commits.map(({ commit, read, day, time, claims, copies }) => ({
        ...{ hash: commit.hash, day, time, ...yearAndQuarter(day) },
        ...{ authored: isoSeconds(commit.authored.seconds), committed: isoSeconds(commit.committed.seconds) },
        ...{ author: commit.author, types: read.types, projects: claims, subject: read.subject },
        ...(copies.length && { copies }),
      })),
    });
    return 0;
  }
  if (!commits.length) console.error("interlock: no commit with SRED-Claim here in these days.");
  for (const { commit, read, day, claims } of commits)
    console.log(
      [
        ...[day, dim(commit.hash.slice(0, 10)), shown(commit.author.name, 24).padEnd(16)],
        shown(read.types.join(", ") || "-", 40).padEnd(24),
        bold(shown(claims.join(", "), 60)),
        shown(read.subject, 100),
      ].join("  "),
    );
  return 0;
}

export function runSredProjects(args: string[]): number {
  const { values, words } = parseOptions(args, { ...periodOptions, json: "flag", cwd: "text" }, projectsUsage, "words");
  atMost(words, 0, projectsUsage);
  const { commits, zone } = taggedCommits(values, projectsUsage);
  const ids = [...new Set(commits.flatMap((c) => c.claims))];
  const rows = ids
    .map((id) => {
      const own = commits.filter((c) => c.claims.includes(id));
      return {
        ...{ project: id, commits: own.length, first: own[0]!.day, last: own.at(-1)!.day },
        types: [...new Set(own.flatMap((c) => c.read.types))].sort(),
        wellFormed: claimPattern.test(id),
      };
    })
    .sort((a, b) => b.commits - a.commits || (a.project < b.project ? -1 : 1));
  const pairs = lookAlikes(ids.sort());
  if (values.json) {
    printJson({ zone, projects: rows, lookAlikes: pairs });
    return 0;
  }
  if (!rows.length) console.error("interlock: no commit with SRED-Claim here in these days.");
  const width = Math.max(0, ...rows.map((r) => shown(r.project, 64).length));
  for (const r of rows)
    console.log(
      `${String(r.commits).padStart(6)}  ${bold(shown(r.project, 64).padEnd(width))}  ${r.first} to ${r.last}  ` +
        `${dim(shown(r.types.join(", "), 80))}${r.wellFormed ? "" : red("  not PROJECT[-VARIANT]")}`.trimEnd(),
    );
  for (const [a, b] of pairs) console.log(yellow(`${shown(a, 64)} and ${shown(b, 64)} look alike; one may be a slip.`));
  return 0;
}
