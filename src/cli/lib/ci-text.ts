// The report of `interlock ci` for people: a line per check, then the findings.
import { type CiFinding, type CiReport, type CiState, ciFailed, plural, shortHash } from "../../ci/ci-report.js";
import { bold, dim, green, red, shown, yellow } from "./paint.js";

const words: Readonly<Record<CiState, string>> = {
  passed: green("passed".padEnd(18)),
  partly: green("passed in part".padEnd(18)),
  failed: red("FAILED".padEnd(18)),
  "not-checkable": yellow("not checkable here"),
  "not-used": dim("not used".padEnd(18)),
};

const most = 50;

export function ciText(report: CiReport): string {
  const { range, commits, checks, incomplete } = report;
  const span = `${range.from ? `${shortHash(range.from)}..` : ""}${shortHash(range.to)}`;
  const lines = [bold(`${plural(commits, "commit")}, ${span}`) + dim(` (${shown(range.source, 120)})`)];
  if (!commits) return `${lines[0]}\nno commit in the range; nothing to check\n`;
  if (incomplete)
    lines.push(
      red("the clone is shallow and ends inside the range: not all commits were checked; git fetch --unshallow"),
    );
  for (const { name, state, summary, notCheckable } of checks) {
    lines.push(`  ${name.padEnd(12)} ${words[state]} ${shown(summary, 160)}`);
    for (const what of notCheckable) lines.push(dim(`  ${" ".repeat(12)} not checkable here: ${shown(what, 160)}`));
  }
  const findings = checks.flatMap((check) => check.findings);
  for (const finding of findings.slice(0, most)) lines.push(...findingLines(finding));
  if (findings.length > most) lines.push(dim(`and ${findings.length - most} more: interlock ci --json`));
  lines.push(ciFailed(report) ? red("failed") : green("nothing failed"));
  return `${lines.join("\n")}\n`;
}

function findingLines({ rule, level, message, next, commit, file, line }: CiFinding): string[] {
  const at = [commit && shortHash(commit), file && `${file}${line ? `:${line}` : ""}`].filter(Boolean).join(" ");
  const head = `${(level === "error" ? red : yellow)(level)} ${rule}${at ? ` ${shown(at, 200)}` : ""}`;
  return [`${head}: ${shown(message, 300)}`, dim(`  next: ${shown(next, 200)}`)];
}
