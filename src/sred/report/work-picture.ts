// The picture of the work as SVG: a calendar of tagged commits above one lane per project, week under week.
// Invariant: each square is a count of commits or one experiment of the report; no script, no style attribute.
import { counted } from "../../model/text.js";
import { addDays, type Day, daysBetween, earlier, later, weekday } from "./period.js";
import type { ReportExperiment, ReportProject, SredReport, StatedOutcome } from "./report-schema.js";
import { escapeHtml } from "./report-text.js";

const column = 16;
const cell = 13;
const labels = 172;
const weeksPerBlock = 53;
/** More lanes make the picture unreadable; the table below it has them all. */
const mostLanes = 12;
const mostStacked = 7;
const month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** One picture for each year or less. */
export function workPictures(report: SredReport): string[] {
  const { from, to } = report.period;
  const first = addDays(from, -weekday(from));
  const pictures: string[] = [];
  for (let start = first; start <= to; start = addDays(start, weeksPerBlock * 7)) {
    const end = addDays(start, weeksPerBlock * 7 - 1);
    pictures.push(picture(report, start, { from: later(from, start), to: earlier(to, end) }));
    if (pictures.length === 5) break;
  }
  return pictures;
}

function picture(report: SredReport, start: Day, span: { from: Day; to: Day }): string {
  const x = (day: Day) => labels + Math.floor(daysBetween(start, day) / 7) * column;
  const parts: string[] = [months(span, x), weekdays(), calendar(report, span, x)];
  let y = 24 + 7 * column + 20;
  const lanes = [...report.projects].sort((a, b) => b.experiments.length - a.experiments.length).slice(0, mostLanes);
  for (const project of lanes) {
    const stacks = weekly(project.experiments, span, x);
    const height = Math.max(2, ...[...stacks.values()].map((s) => Math.min(s.length, mostStacked)));
    const base = y + height * 9 + 4;
    parts.push(lane(project, stacks, base, span, x));
    y = base + 20;
  }
  const left = report.projects.length - lanes.length;
  if (left > 0) parts.push(words(0, y, `and ${left} more in the table below`, "muted"));
  if (left > 0) y += 18;
  parts.push(legend(report, y + 6));
  const width = labels + weeksPerBlock * column + 8;
  const height = y + 34;
  const title = `Tagged commits a day and experiments a week, ${span.from} to ${span.to}`;
  return (
    `<svg class="work" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">` +
    `<title>${title}</title>${parts.join("")}</svg>`
  );
}

const words = (x: number, y: number, text: string, name = "label", more = ""): string =>
  `<text class="${name}" x="${x}" y="${y}"${more}>${escapeHtml(text)}</text>`;

function months(span: { from: Day; to: Day }, x: (day: Day) => number): string {
  const out: string[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let day = span.from;
  while (day <= span.to) {
    const at = x(day);
    const name = month[Number(day.slice(5, 7)) - 1]!;
    const text = out.length === 0 || day.slice(5, 7) === "01" ? `${name} ${day.slice(0, 4)}` : name;
    // A month that begins late in the first column would cover its neighbour.
    if (at - last >= 30) {
      out.push(words(at, 14, text));
      last = at + (text.length > 3 ? 32 : 0);
    }
    day = nextMonth(day);
  }
  return out.join("");
}

const nextMonth = (day: Day): Day => {
  const [year, number] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const next = number === 12 ? [year + 1, 1] : [year, number + 1];
  return `${String(next[0]).padStart(4, "0")}-${String(next[1]).padStart(2, "0")}-01`;
};

const weekdays = (): string =>
  [
    [0, "Mon"],
    [2, "Wed"],
    [4, "Fri"],
  ]
    .map(([row, name]) =>
      words(labels - 8, 24 + Number(row) * column + 11, String(name), "label", ' text-anchor="end"'),
    )
    .join("") + words(0, 35, "Commits a day", "head");

function calendar(report: SredReport, span: { from: Day; to: Day }, x: (day: Day) => number): string {
  const counts = new Map(report.days.map(({ day, commits }) => [day, commits]));
  const most = Math.max(1, ...counts.values());
  let out = "";
  for (let day = span.from; day <= span.to; day = addDays(day, 1)) {
    const n = counts.get(day) ?? 0;
    const tip = n ? `<title>${day}: ${n} tagged commit${n === 1 ? "" : "s"}</title>` : "";
    out +=
      `<rect class="h${level(n, most)}" x="${x(day)}" y="${24 + weekday(day) * column}" width="${cell}" ` +
      `height="${cell}" rx="2">${tip}</rect>`;
  }
  return out;
}

const level = (n: number, most: number): number => (n === 0 ? 0 : Math.max(1, Math.ceil((4 * n) / most)));

function weekly(experiments: readonly ReportExperiment[], span: { from: Day; to: Day }, x: (day: Day) => number) {
  const stacks = new Map<number, ReportExperiment[]>();
  for (const e of experiments)
    if (e.day >= span.from && e.day <= span.to) stacks.set(x(e.day), [...(stacks.get(x(e.day)) ?? []), e]);
  return stacks;
}

function lane(
  project: ReportProject,
  stacks: Map<number, ReportExperiment[]>,
  base: number,
  span: { from: Day; to: Day },
  x: (day: Day) => number,
): string {
  const name = project.id.length > 19 ? `${project.id.slice(0, 18)}…` : project.id;
  const out = [
    `<g>${words(0, base - 2, name, "name")}<title>${escapeHtml(project.id)}</title></g>`,
    words(
      0,
      base + 11,
      `${counted(project.commits.length, "commit")}, ${counted(project.experiments.length, "experiment")}`,
      "muted",
    ),
  ];
  for (const { from, to, number } of project.cycles) {
    if (to < span.from || from > span.to) continue;
    const left = x(later(from, span.from));
    const right = x(earlier(to, span.to)) + cell;
    out.push(
      `<rect class="cycle" x="${left}" y="${base + 4}" width="${right - left}" height="4" rx="2">` +
        `<title>cycle ${number}: ${from} to ${to}</title></rect>`,
    );
  }
  for (const [at, stack] of stacks)
    for (const [i, e] of stack.slice(0, mostStacked).entries()) {
      const y = base - 8 - i * 9;
      if (i === mostStacked - 1 && stack.length > mostStacked)
        out.push(words(at, y + 8, `+${stack.length - i}`, "muted"));
      else out.push(mark(e.outcome, at + 2, y, `${e.day}: ${e.outcome}`));
    }
  return out.join("");
}

/** Told apart by form as well as by colour. */
function mark(outcome: StatedOutcome, x: number, y: number, tip = ""): string {
  const title = tip && `<title>${tip}</title>`;
  const box = (name: string) => `<rect class="${name}" x="${x}" y="${y}" width="8" height="8" rx="1.5"/>`;
  switch (outcome) {
    case "SUCCESS":
      return `<g>${title}${box("success")}</g>`;
    case "FAILED":
      return `<g>${title}${box("failed")}<path class="cross" d="M${x + 2} ${y + 2}l4 4m0 -4l-4 4"/></g>`;
    case "PARTIAL":
      return `<g>${title}${box("hollow")}<path class="half" d="M${x + 1} ${y + 7}v-6l6 6z"/></g>`;
    default:
      return `<g>${title}${box("hollow")}</g>`;
  }
}

function legend(report: SredReport, y: number): string {
  const most = Math.max(1, ...report.days.map((d) => d.commits));
  const out = [words(labels, y + 10, "1", "label", ' text-anchor="end"')];
  for (const step of [1, 2, 3, 4])
    out.push(
      `<rect class="h${step}" x="${labels + 6 + (step - 1) * column}" y="${y}" ` +
        `width="${cell}" height="${cell}" rx="2"/>`,
    );
  out.push(words(labels + 6 + 4 * column + 2, y + 10, `${most} commits a day`));
  let x = labels + 210;
  const entries: [StatedOutcome, string][] = [
    ["SUCCESS", "succeeded"],
    ["FAILED", "failed"],
    ["PARTIAL", "partial"],
    ["not stated", "outcome not stated"],
  ];
  for (const [outcome, text] of entries) {
    out.push(mark(outcome, x, y + 2), words(x + 13, y + 10, text));
    x += 34 + text.length * 6.6;
  }
  out.push(`<rect class="cycle" x="${x}" y="${y + 4}" width="22" height="4" rx="2"/>`);
  out.push(words(x + 28, y + 10, "investigation cycle"));
  return out.join("");
}
