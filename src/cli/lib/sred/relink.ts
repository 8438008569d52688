// interlock sred relink: recorded SR&ED commits that were rewritten, and the commits that have their patch now.
// Invariant: reads git and the record, changes nothing.
import { askGit } from "../../../project/run-git.js";
import { readSredMessage } from "../../../sred/message.js";
import { type CommitLinkRecord, patchIds, relink } from "../../../sred/patch-links.js";
import { recordedLinks } from "../../../sred/recorded-links.js";
import { parseOptions } from "../args.js";
import { openHere, printJson } from "../current-project.js";
import { yellow } from "../paint.js";
import { withProgress } from "../progress.js";
import { say } from "../wrap.js";

export const usage = `Usage: interlock sred relink [--json]

Compares the SR&ED commits in Interlock's record with those git has now. A commit that a rebase, an amend or a
cherry-pick gave another hash is found by its patch-id. Exit code 1 where a claim was lost or a commit has no
counterpart.

  --json           one object on stdout
  --cwd <folder>   the repository, instead of the current folder
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { json: "flag", cwd: "text", home: "text" } as const, usage);
  const opened = await openHere(values);
  const { records, found } = await withProgress("reading the record", ({ step }) => {
    const records = recordedLinks(opened.store);
    step("comparing the patches of the commits");
    return { records, found: relink(records, currentCommits(opened.repository.root, records)) };
  });
  const open = found.filter((r) => r.to === undefined || r.lost.length);
  if (values.json) printJson({ recorded: records.length, rewritten: found });
  else {
    for (const { from, to, lost } of found) {
      const shown = `${from.commit.slice(0, 12)} (${from.claims.join(", ")})`;
      if (to === undefined) say(`${yellow("gone")} ${shown}: no commit has its patch now`);
      else if (lost.length) say(`${yellow("lost")} ${shown} is ${to.slice(0, 12)} now, without ${lost.join(", ")}`);
      else say(`${shown} is ${to.slice(0, 12)} now`);
    }
    say(`${records.length} recorded, ${found.length} rewritten, ${open.length} to look at`);
  }
  return open.length ? 1 : 0;
}

/** Commits reachable from any branch since the oldest recorded one, with claims and patch-ids. */
function currentCommits(
  root: string,
  records: readonly CommitLinkRecord[],
): Map<string, { patchId?: string; claims: string[] }> {
  const oldest = Math.min(...records.map((r) => Date.parse(r.at)).filter(Number.isFinite));
  if (!Number.isFinite(oldest)) return new Map();
  // A day of slack: `--since` goes by the committer's date, which a rewrite makes later, never earlier.
  const since = `--since=${Math.floor(oldest / 1000) - 86_400}`;
  const log = askGit(root, ["log", "--branches", "HEAD", "--no-show-signature", since, "--format=%H%x00%B%x00", "--"], {
    ms: 60_000,
  });
  const fields = log?.toString("utf8").split("\0") ?? [];
  const ids = patchIds(root, ["--branches", "HEAD", since], 120_000);
  return new Map(
    Array.from({ length: Math.floor(fields.length / 2) }, (_, i) => {
      const commit = fields[i * 2]!.trim();
      const patchId = ids.get(commit);
      return [commit, { ...(patchId && { patchId }), claims: readSredMessage(fields[i * 2 + 1]!).claims }];
    }),
  );
}
