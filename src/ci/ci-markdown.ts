// The report as a comment of a pull request: a table and the first findings.
// Invariant: text from commits and files stands only in code spans, where no forge looks for links, names, images or
// references; short enough to be read.
import { inert } from "../model/text.js";
import { type CiFinding, type CiReport, type CiState, ciFailed, plural, shortHash } from "./ci-report.js";

/** The first line: finds the comment again, so that a pull request has one and not many. */
export const markdownMark = "<!-- interlock-ci -->";

const shownFindings = 10;

const words: Readonly<Record<CiState, string>> = {
  passed: "passed",
  partly: "passed in part",
  failed: "**failed**",
  "not-checkable": "not checkable here",
  "not-used": "not used",
};

export function ciMarkdown(report: CiReport): string {
  const { range, commits, checks, incomplete } = report;
  const failed = ciFailed(report);
  const title = commits ? (failed ? "failed" : "passed") : "nothing to check";
  const span = `${range.from ? `${code(shortHash(range.from))}..` : ""}${code(shortHash(range.to))}`;
  const lines = [markdownMark, `### Interlock: ${title}`, "", `${plural(commits, "commit")}, ${span}`];
  if (incomplete)
    lines.push("", "**The clone is shallow: not all commits of the range were checked** (`fetch-depth: 0`).");
  if (!checks.length) return `${lines.join("\n")}\n`;
  lines.push("", "| check | result | |", "|---|---|---|");
  for (const { name, state, summary } of checks) lines.push(`| ${name} | ${words[state]} | ${cell(summary)} |`);
  const findings = checks.flatMap((check) => check.findings).sort(byLevel);
  if (findings.length) lines.push("", ...findings.slice(0, shownFindings).map(item));
  if (findings.length > shownFindings)
    lines.push(`- and ${findings.length - shownFindings} more: \`interlock ci --json\` lists all`);
  const missing = checks.flatMap(({ name, notCheckable }) => notCheckable.map((what) => `${name}: ${what}`));
  if (missing.length) lines.push("", "Not checkable here:", ...missing.map((what) => `- ${code(what)}`));
  return `${lines.join("\n")}\n`;
}

const byLevel = (a: CiFinding, b: CiFinding): number => Number(a.level === "warning") - Number(b.level === "warning");

function item({ rule, level, message, next, commit, file, line }: CiFinding): string {
  const where = file ? code(line ? `${file}:${line}` : file) : "";
  const at = [commit ? code(shortHash(commit)) : "", where].filter(Boolean).join(" ");
  return `- ${level} ${code(rule)} ${at}${at ? ": " : ""}${code(message)}<br>next: ${code(next)}`;
}

/** Inside a code span nothing is read as Markdown but its end. */
const code = (text: string): string => `\`${inert(text.replaceAll("`", "'"), 300).trim() || " "}\``;

/** Summaries are our own words and counts; a file name may stand in one. */
const cell = (text: string): string => code(text.replaceAll("|", "/"));
