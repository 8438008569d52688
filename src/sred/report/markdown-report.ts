// The report as Markdown, for a wiki or a pull request nobody outside reads.
// Invariant: shows only what the report's data hold; text of commits is escaped and one line long.
import { counted } from "../../model/text.js";
import type {
  ReportEvidence,
  ReportExperiment,
  ReportGap,
  ReportLine,
  ReportProject,
  SredReport,
} from "./report-schema.js";
import { escapeMarkdown } from "./report-text.js";
import { identificationLines } from "./t661-lines.js";

export function markdownReport(report: SredReport): string {
  const { period, totals, integrity } = report;
  const failed = totals.outcomes["FAILED"] ?? 0;
  const cited = new Map(report.evidence.map((e) => [e.hash, e]));
  const people = totals.contributors === 1 ? "1 person" : `${totals.contributors} people`;
  return `${[
    `# SR&ED evidence of ${escapeMarkdown(integrity.repository)}, ${period.from} to ${period.to}`,
    `**Draft.** ${report.draft}`,
    `${counted(totals.experiments, "experiment")} (${failed} failed) in ${counted(totals.projects, "project")}, from ` +
      `${counted(totals.tagged, "tagged commit")} by ${people} in ${counted(totals.cycles, "investigation cycle")}. ` +
      `${counted(totals.gaps, "gap")} to close before filing. Days are calendar days in ` +
      `${escapeMarkdown(period.zone)}, the last one included.`,
    table(
      ["SR&ED project identifier", "commits", "experiments", "failed", "cycles", "first", "last", "gaps"],
      report.projects.map((p) => [
        ...[escapeMarkdown(p.id), p.commits.length, p.experiments.length, p.outcomes["FAILED"] ?? 0],
        ...[p.cycles.length, p.first, p.last, p.gaps.length],
      ]),
    ),
    `In the period: ${counted(totals.commits, "commit")}, of which ${totals.tagged} name a project shown here, ` +
      `${totals.notSred} say "none", ${totals.routine} are routine or merges, ${totals.untagged} say nothing. ` +
      "Routine maintenance does NOT qualify.",
    ...(report.gaps.length ? ["## Gaps of the whole report", gapList(report.gaps)] : []),
    ...report.projects.flatMap((p) => projectPart(p, cited)),
    "## Integrity",
    integrityTable(report),
  ].join("\n\n")}\n`;
}

type Cited = ReadonlyMap<string, ReportEvidence>;

const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const ref = (hash: string): string => `\`${hash.slice(0, 10)}\``;
const refs = (hashes: readonly string[]): string => hashes.map(ref).join(" ");

const gapList = (gaps: readonly ReportGap[]): string =>
  gaps.map((g) => `- **${g.kind}**: ${escapeMarkdown(g.what)} ${g.next} ${refs(g.commits)}`.trimEnd()).join("\n");

function projectPart(p: ReportProject, cited: Cited): string[] {
  const types = p.types.map((t) => `${escapeMarkdown(t.type)} (${t.commits})`).join(", ");
  return [
    `## ${escapeMarkdown(p.id)}`,
    table(
      ["line", "asks for", "known from git"],
      identificationLines.map(({ line, title, confirmed }) => [
        confirmed ? line : `${line} (unconfirmed)`,
        title,
        known(line, p),
      ]),
    ),
    `By quarter: ${p.quarters.map((q) => `${q.year} Q${q.quarter}: ${q.commits}`).join(", ")} commits. ` +
      `Type of SR&ED work: ${types || "none named"}.`,
    ...(p.gaps.length ? ["### Gaps", gapList(p.gaps)] : []),
    "### Contributors",
    table(
      ["name", "address", "commits", "first", "last"],
      p.contributors.map((c) => [escapeMarkdown(c.name), escapeMarkdown(c.email), c.commits, c.first, c.last]),
    ),
    "### Experiments",
    p.experiments.length
      ? table(
          ["date", "commit", "hypothesis", "experiment", "outcome", "result", "advancement", "tests"],
          p.experiments.map(experimentCells),
        )
      : "No commit of this project describes one.",
    "### Chronology by investigation cycle",
    ...p.cycles.map((c) => cyclePart(c, cited)),
    ...p.lines.flatMap(draftPart),
    "### Evidence boxes",
    "Numbers unconfirmed: compare them with the form.",
    table(
      ["line", "evidence", "commits", "test runs", "why"],
      p.boxes.map((b) => [b.line, b.title, b.commits.length, b.testRuns, b.note]),
    ),
  ];
}

const cyclePart = (c: ReportProject["cycles"][number], cited: Cited): string =>
  [
    `**Cycle ${c.number}**: ${c.from} to ${c.to}, ${counted(c.experiments, "experiment")}, ${c.failed} failed ` +
      `(${escapeMarkdown([...c.links, ...c.issues].join(", ")) || "a single commit"})`,
    "",
    ...c.commits.map((hash) => `- ${cited.get(hash)!.day} ${ref(hash)} ${escapeMarkdown(cited.get(hash)!.subject)}`),
  ].join("\n");

function known(line: string, p: ReportProject): string {
  if (line === "200") return `internal code ${escapeMarkdown(p.id)}`;
  if (line === "202") return `first tagged commit that was read: ${p.history.first}`;
  if (line === "204") return `last tagged commit that was read: ${p.history.last}`;
  return "nothing";
}

const value = (text: string | undefined): string => (text === undefined ? "not recorded" : escapeMarkdown(text));

const experimentCells = (e: ReportExperiment): string[] => [
  ...[e.day, ref(e.commit), value(e.hypothesis), value(e.experiment)],
  e.saidBy === "message" ? `${e.outcome} (by other words of the message)` : e.outcome,
  e.analysis === undefined ? value(e.result) : `${value(e.result)} Analysis: ${escapeMarkdown(e.analysis)}`,
  value(e.advancement),
  e.tests.map((t) => `${escapeMarkdown(t.runner)} ${t.verdict}, record ${t.record}`).join("; ") || "none",
];

function draftPart(l: ReportLine): string[] {
  return [
    `### Line ${l.line}, draft: ${l.title}`,
    `${l.words} of ${l.limit} words in quotations${l.over ? ": over the limit" : ""}; ` +
      `aim for ${l.aim}, counters differ.`,
    l.prompts.map((prompt) => `- To be written by a person: ${prompt}`).join("\n"),
    l.quotations.map((q, i) => `${i + 1}. ${q.label}: “${escapeMarkdown(q.text)}” ${refs(q.commits)}`).join("\n") ||
      "No commit can be quoted here.",
  ];
}

function integrityTable({ integrity: i, lineTable, period, evidence }: SredReport): string {
  const newest = i.ledger.head ? `, newest ${i.ledger.head.seq} \`${i.ledger.head.hash}\`` : "";
  const ledger =
    i.ledger.verdict === "none" ? "none in this project" : `${i.ledger.verdict}, ${i.ledger.records} records${newest}`;
  return table(
    ["", ""],
    [
      ["HEAD", `\`${i.head ?? "no commits"}\`${i.branch ? ` on ${escapeMarkdown(i.branch)}` : ""}`],
      [
        "read",
        `${counted(i.commitsRead, "commit")} from ${i.refs === "all" ? "all refs" : "HEAD"}` +
          `${i.shallow ? ", shallow clone" : ""}`,
      ],
      ["evidence SHA-256", `\`${i.evidenceSha256}\` over ${counted(evidence.length, "commit")}`],
      ["Interlock's record", ledger],
      ["fiscal year", `${period.fiscalYear.from} to ${period.fiscalYear.to}`],
      ["made", `${i.made} by ${escapeMarkdown(i.tool)}, time zone data ${escapeMarkdown(i.timeZoneData)}`],
      [
        "form lines",
        `${lineTable.form}; ${lineTable.sources.join("; ")}; checked ${lineTable.checked}. ${lineTable.caution}`,
      ],
    ],
  );
}
