// interlock sred projects: SR&ED project identifiers in the history and their number of commits.
// Invariant: a commit that names several projects counts for each; identifiers that may be slips are pointed out.
import { claimPattern } from "../../../sred/message.js";
import { lookAlikes } from "../../../sred/report/gaps.js";
import { atMost, parseOptions } from "../args.js";
import { printJson } from "../current-project.js";
import { bold, dim, red, shown, yellow } from "../paint.js";
import { say, sayError } from "../wrap.js";
import { periodOptions, taggedCommits } from "./sred-commits-here.js";

export const usage = `Usage: interlock sred projects [--from <day>] [--to <day>] [--tz <Area/City>] [--project <id>]...
         [--all] [--json]

SR&ED project identifiers in the history with their number of commits, first and last day, and types.
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { ...periodOptions, json: "flag", cwd: "text" }, usage, "words");
  atMost(words, 0, usage);
  const { commits, zone } = taggedCommits(values, usage);
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
  if (!rows.length) sayError("interlock: no commit with SRED-Claim here in these days.");
  const width = Math.max(0, ...rows.map((r) => shown(r.project, 64).length));
  for (const r of rows)
    say(
      `${String(r.commits).padStart(6)}  ${bold(shown(r.project, 64).padEnd(width))}  ${r.first} to ${r.last}  ` +
        `${dim(shown(r.types.join(", "), 80))}${r.wellFormed ? "" : red("  not PROJECT[-VARIANT]")}`.trimEnd(),
    );
  for (const [a, b] of pairs) say(yellow(`${shown(a, 64)} and ${shown(b, 64)} look alike; one may be a slip.`));
  return 0;
}
