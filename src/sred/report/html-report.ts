// The report as one HTML file for people: no script, no request, every text of a commit escaped.
// Invariant: shows only what the report's data hold; the page's own policy forbids everything but its style sheet.
import { createHash } from "node:crypto";
import { reportStyle } from "./html-style.js";
import type {
  ReportEvidence,
  ReportExperiment,
  ReportGap,
  ReportLine,
  ReportProject,
  SredReport,
} from "./report-schema.js";
import { escapeHtml } from "./report-text.js";
import { identificationLines } from "./t661-lines.js";
import { workPictures } from "./work-picture.js";

export function htmlReport(report: SredReport): string {
  const { period, totals } = report;
  const style = createHash("sha256").update(reportStyle).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
  const failed = totals.outcomes["FAILED"] ?? 0;
  const cited = new Map(report.evidence.map((e) => [e.hash, e]));
  const body = [
    `<header><h1>SR&amp;ED evidence of ${escapeHtml(report.integrity.repository)}, ${period.from} to ${period.to}</h1>`,
    `<p class="lead">${many(totals.experiments, "experiment")} in ${many(totals.projects, "project")}` +
      `${failed ? `, <span class="fail">${failed} of them failed</span>` : ""}</p>`,
    `<p>${many(totals.tagged, "tagged commit")} by ${many(totals.contributors, "person", "people")}, `,
    `${many(totals.cycles, "investigation cycle")}. `,
    totals.gaps ? `<a href="#gaps">${many(totals.gaps, "gap")} to close before filing</a>.` : "No gaps found.",
    ` Days are calendar days in ${escapeHtml(period.zone)}, the last one included.</p>`,
    `<p class="draft"><strong>Draft.</strong> ${escapeHtml(report.draft)}</p></header>`,
    `<section><h2>The work, week by week</h2><div class="scroll">${workPictures(report).join("")}</div></section>`,
    overview(report, cited),
    ...report.projects.map((project, i) => projectSection(project, i + 1, cited)),
    evidenceSection(report),
    integritySection(report),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="generator" content="${escapeHtml(report.integrity.tool)}">
<title>SR&amp;ED evidence ${period.from} to ${period.to}</title><style>${reportStyle}</style></head>
<body><main>${body.join("\n")}</main></body></html>
`;
}

const many = (n: number, one: string, more = `${one}s`): string => `${n} ${n === 1 ? one : more}`;
const ref = (hash: string): string => `<a class="hash" href="#c-${hash}">${hash.slice(0, 10)}</a>`;
/** A commit that is named but not evidence, such as one without a claim. */
const unlinked = (hash: string): string => `<span class="hash">${hash.slice(0, 10)}</span>`;
/** Kept on one line, unless somebody's identifier is too long for that. */
const shownId = (id: string): string => (id.length > 24 ? escapeHtml(id) : `<span class="id">${escapeHtml(id)}</span>`);
type Cited = ReadonlyMap<string, ReportEvidence>;

/** Long lists are cut for the eye; the JSON form has them whole. */
function refs(hashes: readonly string[], most = 12, cited?: Cited): string {
  const shown = hashes
    .slice(0, most)
    .map((hash) => (cited && !cited.has(hash) ? unlinked(hash) : ref(hash)))
    .join(" ");
  return hashes.length > most ? `${shown} <span class="muted">and ${hashes.length - most} more</span>` : shown;
}

const table = (name: string, heads: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll"><table class="${name}"><thead><tr>${heads.join("")}</tr></thead>` +
  `<tbody>${rows.join("\n")}</tbody></table></div>`;
const th = (text: string, name = ""): string => `<th${name && ` class="${name}"`}>${text}</th>`;
const td = (html: string, name = ""): string => `<td${name && ` class="${name}"`}>${html}</td>`;

function overview({ projects, gaps, totals }: SredReport, cited: Cited): string {
  const rows = projects.map((p, i) => {
    const failed = p.outcomes["FAILED"] ?? 0;
    return (
      `<tr>${td(`<a href="#p${i + 1}">${shownId(p.id)}</a>`)}${td(String(p.commits.length), "n")}` +
      `${td(String(p.experiments.length), "n")}${td(failed ? `<span class="fail">${failed}</span>` : "0", "n")}` +
      `${td(String(p.cycles.length), "n")}${td(`${p.first} to ${p.last}`, "day")}` +
      `${td(p.types.map((t) => shownId(t.type)).join(", ") || "none named")}${td(String(p.gaps.length), "n")}</tr>`
    );
  });
  const heads = [
    ...[th("SR&amp;ED project identifier"), th("commits", "n"), th("experiments", "n"), th("failed", "n")],
    ...[th("cycles", "n"), th("evidence in the period"), th("type of SR&amp;ED work"), th("gaps", "n")],
  ];
  return (
    `<section id="gaps"><h2>Projects and gaps</h2>${table("wide", heads, rows)}` +
    `<p class="note">In the period: ${many(totals.commits, "commit")}, of which ${totals.tagged} name a project ` +
    `shown here, ${totals.notSred} say "none", ${totals.routine} are routine or merges, ` +
    `${totals.untagged} say nothing. Routine maintenance does NOT qualify.</p>` +
    `${gaps.length ? `<h3>Gaps of the whole report</h3>${gapList(gaps, cited)}` : ""}</section>`
  );
}

const gapList = (gaps: readonly ReportGap[], cited: Cited): string =>
  `<ul class="gaps">${gaps
    .map(
      (g) =>
        `<li><strong>${g.kind}</strong>: ${escapeHtml(g.what)} <span class="muted">${escapeHtml(g.next)}</span>` +
        `${g.commits.length ? `<span class="refs">${refs(g.commits, 12, cited)}</span>` : ""}</li>`,
    )
    .join("\n")}</ul>`;

function projectSection(p: ReportProject, number: number, cited: Cited): string {
  const types = p.types.map((t) => `${t.type} (${t.commits})`).join(", ");
  const quarters = p.quarters.map((q) => `${q.year} Q${q.quarter}: ${q.commits}`).join(", ");
  return [
    `<section class="project" id="p${number}"><h2>${escapeHtml(p.id)}</h2>`,
    `<p class="muted">${many(p.commits.length, "commit")}, ${many(p.experiments.length, "experiment")}, `,
    `${many(p.files, "file")} changed; evidence from ${p.first} to ${p.last}</p>`,
    '<h3>Identification</h3><dl class="facts">',
    ...identificationLines.map(
      ({ line, title, confirmed }) =>
        `<dt>Line ${line}${confirmed ? "" : " (unconfirmed)"}</dt><dd>${title}: ${identified(line, p)}</dd>`,
    ),
    `<dt>By quarter</dt><dd>${quarters} commits</dd>`,
    `<dt>Type of SR&amp;ED work</dt><dd>${escapeHtml(types || "none named")}</dd></dl>`,
    p.gaps.length ? `<h3>Gaps</h3>${gapList(p.gaps, cited)}` : "",
    "<h3>Contributors</h3>",
    table(
      "",
      [th("name"), th("commits", "n"), th("first"), th("last")],
      p.contributors.map(
        (c) =>
          `<tr>${td(`${escapeHtml(c.name)} <span class="muted">${escapeHtml(c.email)}</span>`)}` +
          `${td(String(c.commits), "n")}${td(c.first, "day")}${td(c.last, "day")}</tr>`,
      ),
    ),
    experimentsPart(p),
    chronology(p, cited),
    ...p.lines.map(draftPart),
    boxesPart(p),
    "</section>",
  ].join("\n");
}

/** What git knows for a line, and what a person has to write. */
function identified(line: string, p: ReportProject): string {
  if (line === "200") return `internal code ${escapeHtml(p.id)}; the title is yours to write`;
  if (line === "202") return `yours to decide; the first tagged commit that was read is of ${p.history.first}`;
  if (line === "204") return `yours to decide; the last tagged commit that was read is of ${p.history.last}`;
  return "yours to fill in";
}

function experimentsPart(p: ReportProject): string {
  if (!p.experiments.length) return '<h3>Experiments</h3><p class="muted">No commit of this project describes one.</p>';
  const heads = [
    th("when", "when"),
    th("hypothesis"),
    th("experiment"),
    th("result"),
    th("advancement"),
    th("tests", "tests"),
  ];
  return `<h3>Experiments</h3>${table("wide experiments", heads, p.experiments.map(experimentRow))}`;
}

function experimentRow(e: ReportExperiment): string {
  const tests = e.tests.map(
    (t) => `${escapeHtml(t.runner)} ${t.verdict} <span class="muted">record ${t.record}</span>`,
  );
  return (
    `<tr>${td(`<span class="day">${e.day}</span> ${ref(e.commit)}`)}${td(recorded(e.hypothesis), "pre")}` +
    `${td(recorded(e.experiment), "pre")}${td(resultOf(e), "pre")}${td(recorded(e.advancement), "pre")}` +
    `${td(tests.join("<br>") || '<span class="muted">none</span>')}</tr>`
  );
}

const recorded = (text: string | undefined): string =>
  text === undefined ? '<span class="muted">not recorded</span>' : escapeHtml(text);

function resultOf(e: ReportExperiment): string {
  const text = [e.result, e.analysis && `Analysis: ${e.analysis}`].filter(Boolean).join("\n") || undefined;
  if (e.outcome === "not stated")
    return `${recorded(text)}${text === undefined ? "" : '<span class="note"> (outcome not stated)</span>'}`;
  const name = e.outcome === "FAILED" ? " failed" : e.outcome === "SUCCESS" ? " success" : "";
  const said = e.saidBy === "message" ? ' <span class="note">by other words of the message</span>' : "";
  return `<div><span class="outcome${name}">${e.outcome}</span>${said}</div>${recorded(text)}`;
}

/** Each cycle with its commits in order. */
function chronology(p: ReportProject, cited: Cited): string {
  const outcomes = new Map<string, string[]>();
  for (const e of p.experiments)
    if (e.outcome !== "not stated") outcomes.set(e.commit, [...(outcomes.get(e.commit) ?? []), e.outcome]);
  const rows = p.cycles.flatMap((c) => [
    `<tr class="cycle"><td colspan="4"><strong>Cycle ${c.number}</strong>: ${c.from} to ${c.to}, ` +
      `${many(c.experiments, "experiment")}${c.failed ? `, <span class="fail">${c.failed} failed</span>` : ""} ` +
      `<span class="muted">${escapeHtml([...c.links, ...c.issues].join(", ")) || "a single commit"}</span></td></tr>`,
    ...c.commits.map((hash) => {
      const { day, subject } = cited.get(hash)!;
      const stated = (outcomes.get(hash) ?? []).map((o) => `<span class="outcome ${o.toLowerCase()}">${o}</span>`);
      return `<tr>${td(day, "day")}${td(ref(hash))}${td(escapeHtml(subject))}${td(stated.join(" "))}</tr>`;
    }),
  ]);
  return `<h3>Chronology by investigation cycle</h3>${table(
    "chronology",
    [th("date"), th("commit"), th("subject"), th("outcome")],
    rows,
  )}`;
}

function draftPart(l: ReportLine): string {
  const count = `<span${l.over ? ' class="over"' : ""}>${l.words} of ${l.limit} words</span>`;
  return [
    `<h3>Line ${l.line}, draft: ${l.title}</h3>`,
    `<p>${count} <span class="muted">in quotations; aim for ${l.aim}, counters differ.</span></p>`,
    `<ul class="prompts">${l.prompts.map((t) => `<li>To be written by a person: ${t}</li>`).join("")}</ul>`,
    l.quotations.length
      ? `<ol class="quotes">${l.quotations
          .map(
            (q) =>
              `<li><span class="muted">${q.label}</span> ` +
              `<span class="quote">“${escapeHtml(q.text)}”</span> ${refs(q.commits, 6)}</li>`,
          )
          .join("\n")}</ol>`
      : '<p class="muted">No commit can be quoted here.</p>',
  ].join("\n");
}

const supportOf = ({ commits, testRuns }: ReportProject["boxes"][number]): string =>
  `${many(commits.length, "commit")}${testRuns ? `, ${many(testRuns, "test run")}` : ""}`;

const boxesPart = (p: ReportProject): string =>
  `<h3>Evidence boxes</h3><p class="note">Numbers unconfirmed: compare them with the form.</p>${table(
    "",
    [th("line"), th("evidence"), th("in git or in the record"), th("why")],
    p.boxes.map(
      (b) =>
        `<tr>${td(b.line, "day")}${td(b.title)}` +
        `${td(b.supported ? `<strong>${supportOf(b)}</strong>` : '<span class="muted">nothing</span>')}` +
        `${td(`<span class="muted">${b.note}</span>`)}</tr>`,
    ),
  )}`;

const evidenceSection = (report: SredReport): string =>
  `<section id="evidence"><h2>Commits cited</h2>${table(
    "wide",
    [th("commit"), th("date"), th("author"), th("subject"), th("project"), th("files", "n"), th("message SHA-256")],
    report.evidence.map(
      (e) =>
        `<tr id="c-${e.hash}">${td(`<span class="hash">${e.hash.slice(0, 10)}</span>`)}` +
        `${td(`<span class="day">${e.day}</span> ${e.time}`)}${td(escapeHtml(e.author.name))}` +
        `${td(escapeHtml(e.subject))}` +
        `${td(e.projects.map(shownId).join(", "))}${td(String(e.files), "n")}` +
        `${td(`<span class="hash">${e.messageSha256.slice(0, 12)}</span>`)}</tr>`,
    ),
  )}</section>`;

function integritySection({ integrity: i, lineTable, period }: SredReport): string {
  const ledger =
    i.ledger.verdict === "none"
      ? "no record of Interlock in this project"
      : `${i.ledger.verdict}, ${many(i.ledger.records, "record")}` +
        (i.ledger.head ? `, newest ${i.ledger.head.seq} <code>${escapeHtml(i.ledger.head.hash)}</code>` : "");
  const rows: [string, string][] = [
    ["Repository", escapeHtml(i.repository)],
    ["HEAD", `<code>${i.head ?? "no commits"}</code>${i.branch ? ` on ${escapeHtml(i.branch)}` : ""}`],
    [
      "Read",
      `${many(i.commitsRead, "commit")} from ${i.refs === "all" ? "all refs" : "HEAD"}` +
        (i.shallow ? ", shallow clone" : ""),
    ],
    ["Evidence SHA-256", `<code>${i.evidenceSha256}</code>`],
    ["Interlock's record", ledger],
    ["Fiscal year", `${period.fiscalYear.from} to ${period.fiscalYear.to}`],
    ["Made", `${i.made} by ${escapeHtml(i.tool)}, time zone data ${escapeHtml(i.timeZoneData)}`],
    [
      "Form lines",
      `${lineTable.form}; ${lineTable.sources.join("; ")}; checked ${lineTable.checked}. ${lineTable.caution}`,
    ],
  ];
  return (
    `<section id="integrity"><h2>Integrity</h2><dl class="facts">` +
    `${rows.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join("\n")}</dl>` +
    '<p class="note">To check the evidence again, use the zip form of this report and its verify.mjs.</p></section>'
  );
}
