// What a report is made of: sections with texts, lists and tables, shown as Markdown or HTML.
// Invariant: foreign text is data: one line, inert, escaped for the format it is shown in.
import { oneLine } from "../model/text.js";

export type ReportBlock =
  | { kind: "text"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "table"; head: string[]; rows: (string | number)[][] };

export interface Section {
  title: string;
  blocks: ReportBlock[];
  /** Why a source is missing from it, a sentence each. */
  problems: string[];
}

export interface Report {
  title: string;
  made: string;
  sections: Section[];
}

export const paragraph = (text: string): ReportBlock => ({ kind: "text", text });
export const bullets = (items: string[]): ReportBlock => ({ kind: "list", items });
export const reportTable = (head: string[], rows: (string | number)[][]): ReportBlock => ({
  kind: "table",
  head,
  rows,
});

/** Also what means something only at the beginning of a line: lists, rules, underlined headings. */
const escapeMarkdown = (text: string): string =>
  oneLine(text, 300)
    .replace(/[\\`*_[\]<>|#~]/g, (c) => (c === "<" ? "&lt;" : c === ">" ? "&gt;" : `\\${c}`))
    .replace(/^(?=[-+=](?!\w))|(?<=^\d+)(?=[.)](?:\s|$))/, "\\");

const escapeHtml = (text: string): string => oneLine(text, 300).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export function asMarkdown({ title, made, sections }: Report): string {
  const lines = [`# ${escapeMarkdown(title)}`, "", `Made ${made}.`, ""];
  sections.forEach((section, i) => {
    lines.push(`## ${i + 1}. ${escapeMarkdown(section.title)}`, "");
    for (const block of section.blocks) lines.push(...blockLines(block), "");
    for (const problem of section.problems) lines.push(`> Not available: ${escapeMarkdown(problem)}`, "");
    if (!section.blocks.length && !section.problems.length) lines.push("Nothing is configured for this section.", "");
  });
  return `${lines.join("\n").trimEnd()}\n`;
}

function blockLines(block: ReportBlock): string[] {
  if (block.kind === "text") return [escapeMarkdown(block.text)];
  if (block.kind === "list") return block.items.map((item) => `- ${escapeMarkdown(item)}`);
  const row = (cells: (string | number)[]) => `| ${cells.map((cell) => escapeMarkdown(String(cell))).join(" | ")} |`;
  const numeric = block.head.map((_, i) => block.rows.length > 0 && block.rows.every((r) => typeof r[i] === "number"));
  return [row(block.head), `|${numeric.map((n) => (n ? "---:" : "---")).join("|")}|`, ...block.rows.map(row)];
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}
body{color:#1d2430;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid #d5dae2}
table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}
.problem{color:#8a4b00}
@media(prefers-color-scheme:dark){body{color:#dfe5ee;background:#14181f}h2{border-color:#39424f}.problem{color:#f0b060}}`;

export function asHtml({ title, made, sections }: Report): string {
  const body = sections.map((section, i) => {
    const empty = !section.blocks.length && !section.problems.length;
    return [
      `<section><h2>${i + 1}. ${escapeHtml(section.title)}</h2>`,
      ...section.blocks.map(blockHtml),
      ...section.problems.map((problem) => `<p class="problem">Not available: ${escapeHtml(problem)}</p>`),
      empty ? "<p>Nothing is configured for this section.</p>" : "",
      "</section>",
    ].join("\n");
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>
${style}
</style></head><body><h1>${escapeHtml(title)}</h1><p>Made ${escapeHtml(made)}.</p>
${body.join("\n")}
</body></html>
`;
}

function blockHtml(block: ReportBlock): string {
  if (block.kind === "text") return `<p>${escapeHtml(block.text)}</p>`;
  if (block.kind === "list") return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`;
  const cell = (value: string | number) =>
    typeof value === "number" ? `<td class="n">${value}</td>` : `<td>${escapeHtml(value)}</td>`;
  const head = block.head.map((name) => `<th>${escapeHtml(name)}</th>`).join("");
  const rows = block.rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`;
}
