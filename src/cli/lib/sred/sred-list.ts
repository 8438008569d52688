// interlock sred list: tagged commits, one line each.
// Invariant: one commit is one line, whatever its message holds; the last day counts until midnight.
import { isoSeconds } from "../../../sred/report/build-report.js";
import { yearAndQuarter } from "../../../sred/report/period.js";
import { atMost, parseOptions } from "../args.js";
import { printJson } from "../current-project.js";
import { bold, dim, shown } from "../paint.js";
import { say, sayError } from "../wrap.js";
import { periodOptions, taggedCommits } from "./sred-commits-here.js";

export const usage = `Usage: interlock sred list [--from <day>] [--to <day>] [--tz <Area/City>] [--project <id>]...
         [--all] [--json]

Commits that name an SR&ED project identifier: date, commit, author, type of SR&ED work, project, subject.
Days are author dates in the zone given; --to includes the whole day. --all reads every ref, not only HEAD.

Example: interlock sred list --from 2026-01-01 --to 2026-03-31 --tz America/Toronto
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { ...periodOptions, json: "flag", cwd: "text" }, usage, "words");
  atMost(words, 0, usage);
  const { commits, zone } = taggedCommits(values, usage);
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
  if (!commits.length) sayError("interlock: no commit with SRED-Claim here in these days.");
  for (const { commit, read, day, claims } of commits)
    say(
      [
        ...[day, dim(commit.hash.slice(0, 10)), shown(commit.author.name, 24).padEnd(16)],
        shown(read.types.join(", ") || "-", 40).padEnd(24),
        bold(shown(claims.join(", "), 60)),
        shown(read.subject, 100),
      ].join("  "),
    );
  return 0;
}
