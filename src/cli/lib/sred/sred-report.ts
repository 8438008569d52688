// interlock sred report: evidence of a period as HTML, Markdown, CSV, JSON or a zip with an offline verifier.
// Invariant: reads git and the record, writes only where --out says, and never over a file without --force.

import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { anchorsIn } from "../../../health/commit-anchors.js";
import { version } from "../../../hook/folders.js";
import { counted } from "../../../model/text.js";
import { askGit } from "../../../project/run-git.js";
import { type GitCommit, withFiles } from "../../../sred/read-commits.js";
import { buildReport } from "../../../sred/report/build-report.js";
import { testsOfCommits } from "../../../sred/report/commit-tests.js";
import { csvIndex } from "../../../sred/report/csv-index.js";
import { htmlReport } from "../../../sred/report/html-report.js";
import { markdownReport } from "../../../sred/report/markdown-report.js";
import { claimPeriod } from "../../../sred/report/period.js";
import { sredCommit } from "../../../sred/report/period-commits.js";
import type { SredReport } from "../../../sred/report/report-schema.js";
import { jsonReport, zipPack } from "../../../sred/report/zip-pack.js";
import type { Store } from "../../../store/index.js";
import { verify } from "../../../store/verify/verify.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../args.js";
import { openHere } from "../current-project.js";
import { withProgress } from "../progress.js";
import { sayError } from "../wrap.js";
import { checkProjects, historyHere, orUsage, periodOptions } from "./sred-commits-here.js";

export const usage = `Usage: interlock sred report --from <day> --to <day>
         [--fiscal-year-end <MM-DD>] [--tz <Area/City>] [--project <id>]... [--all]
         [--format html|md|csv|json|zip] [--out <file>] [--force]

Evidence per SR&ED project: period, contributors, experiments with their results (failed ones too), investigation
cycles, drafts of T661 lines 242, 244 and 246 made of quotations, the evidence boxes supported, and what is missing.
It quotes commits and invents nothing: no number, date, outcome or hour that is not in a commit or in the record.

  --from, --to        first and last day, both included, in the claimant's zone
  --tz                the claimant's zone; this computer's without it
  --fiscal-year-end   last day of the fiscal year, such as 12-31: sets years and quarters
  --project           only these SR&ED project identifiers
  --all               read every ref (branches, fetched pull requests), not only HEAD
  --format            html by default, or by the name of --out; zip holds all forms and verify.mjs
  --out               a file; without it the report goes to standard output

Example:
  interlock sred report --from 2025-04-01 --to 2026-03-31 --tz America/Toronto --out ../sred.zip
`;

const formats = ["html", "md", "csv", "json", "zip"] as const;
type Format = (typeof formats)[number];

export async function run(args: string[]): Promise<number> {
  const own = {
    "fiscal-year-end": "text",
    format: "text",
    out: "text",
    force: "flag",
    cwd: "text",
    home: "text",
  } as const;
  const { values, words } = parseOptions(args, { ...periodOptions, ...own }, usage, "words");
  atMost(words, 0, usage);
  const format = formatOf(values.format, values.out);
  const out = values.out === undefined ? undefined : resolve(values.cwd ?? process.cwd(), values.out);
  if (out && existsSync(out) && !values.force)
    throw new UsageError(`${out} exists; add --force to replace it, or choose another name`);
  if (!out && format === "zip" && process.stdout.isTTY)
    throw new UsageError("a zip does not belong on a terminal; add --out sred.zip");
  const period = orUsage(usage, () =>
    claimPeriod({ from: values.from, to: values.to, zone: values.tz, fiscalYearEnd: values["fiscal-year-end"] }),
  );
  const { root, history } = orUsage(usage, () => historyHere(values));
  const read = history.commits.map((c) => sredCommit(c, period.zone));
  checkProjects(values.project, read, usage);
  const { store } = await openHere(values);
  const report = await withProgress("putting the evidence together", () =>
    buildReport({
      ...{ history, period, only: values.project, now: Date.now(), tool: `interlock ${version}` },
      repository: basename(root),
      files: (commits) => withFiles(root, commits),
      tests: testsOfCommits(store, root, read),
      ledger: ledgerState(store, root),
    }),
  );
  const bytes = rendered(report, format, history.commits);
  if (out) writeFileSync(out, bytes, { mode: 0o600 });
  else process.stdout.write(bytes);
  if (out) tellWhere(report, out, root);
  if (report.integrity.ledger.verdict === "tampered") {
    sayError("interlock: the record does not verify; the report says so. See: interlock verify");
    return 4;
  }
  if (report.totals.tagged) return 0;
  sayError("interlock: no commit of this period names an SR&ED project. See: interlock sred projects");
  return 1;
}

function formatOf(given: string | undefined, out: string | undefined): Format {
  const named = given ?? /\.(html|md|csv|json|zip)$/i.exec(out ?? "")?.[1]?.toLowerCase() ?? "html";
  if ((formats as readonly string[]).includes(named)) return named as Format;
  throw unknownWord("unknown format", named, formats, usage);
}

function ledgerState(store: Store, root: string): SredReport["integrity"]["ledger"] {
  const { verdict, records, head } = verify(store.place, { anchors: anchorsIn(root, store.place) });
  if (!records && verdict === "intact") return { verdict: "none", records: 0 };
  return { verdict, records, ...(head && { head: { seq: head.seq, hash: head.hash } }) };
}

function rendered(report: SredReport, format: Format, commits: readonly GitCommit[]): string | Uint8Array {
  switch (format) {
    case "html":
      return htmlReport(report);
    case "md":
      return markdownReport(report);
    case "csv":
      return csvIndex(report);
    case "json":
      return jsonReport(report);
    case "zip": {
      // Beside the program, also where that was started through a link.
      const verifier = join(dirname(realpathSync(process.argv[1]!)), "verify-sred.mjs");
      const pack = zipPack(report, commits, readFileSync(verifier, "utf8"));
      sayError(`SHA-256 of its manifest.json, to be noted elsewhere: ${pack.manifestSha256}`);
      return pack.bytes;
    }
  }
}

function tellWhere({ totals }: SredReport, out: string, root: string): void {
  const { projects, tagged, experiments, gaps } = totals;
  const sizes = [
    counted(projects, "project"),
    counted(tagged, "commit"),
    counted(experiments, "experiment"),
    counted(gaps, "gap"),
  ];
  sayError(`${out}: ${sizes.join(", ")}`);
  const inside = relative(root, out);
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", inside];
  const tracked = !inside.startsWith("..") && Boolean(askGit(root, listed)?.length);
  if (tracked)
    sayError("interlock: it names people and business detail; don't commit it. Better: --out outside the repository");
}
