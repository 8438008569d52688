// The contracts of research documents: spec, metrics, analysis, handoff, questions.
// Invariant: pure over the text; each finding says what is missing and where.
import { isObject, type JsonObject } from "../../../model/json.js";

/** Headings a spec must hold, in any order and at any level. */
const specSections = [
  "Hypothesis",
  "Independent Variables",
  "Controls",
  "Metrics",
  "Baselines",
  "Success Criteria",
  "Minimum Viable Experiment",
  "Full Protocol",
  "Resource Budget",
  "Abort Criteria",
  "Confounds",
] as const;

const headings = (text: string): string[] =>
  [...text.matchAll(/^#{1,6}[ \t]+(?:\d+[.)]?[ \t]+)?(.+?)[ \t:]*$/gm)].map((m) => m[1]!.toLowerCase());

export function specFindings(text: string): string[] {
  const found = headings(text);
  const missing = specSections.filter((name) => !found.some((h) => h.startsWith(name.toLowerCase())));
  const out = missing.map((name) => `the section "${name}" is missing`);
  if (!/\bTier\b[^\n]{0,20}\b(?:Quick|Standard|Heavy)\b/i.test(text))
    out.push("the resource budget names no Tier: Quick, Standard or Heavy");
  const primary = /^[ \t]*(?:#{1,6}[ \t]*|[-*][ \t]*)?(?:\*\*)?Primary\b[^\n]*\n((?:[ \t]*[-*][^\n]*\n?)*)/im.exec(
    text,
  );
  const count = primary?.[1]?.split("\n").filter((line) => /^[ \t]*[-*]/.test(line)).length ?? 0;
  if (count > 2) out.push(`${count} primary metrics, at most 2`);
  return out;
}

/** The wall-clock hours a spec expects of its run; undefined when it names none. */
export function estimatedHours(text: string): number | undefined {
  const found =
    /(?:estimated[^\n:]*wall|wall[- ]?(?:clock)?[^\n:]*(?:hours|time))[^\n:]*:[*\s`]*([\d.]+)\s*(m|min|h)?/i.exec(text);
  if (!found) return undefined;
  const n = Number(found[1]);
  return Number.isFinite(n) && n > 0 ? (found[2]?.startsWith("m") ? n / 60 : n) : undefined;
}

const metricFields = [
  "experiment",
  "timestamp",
  "baseline",
  "treatment",
  "per_seed",
  "sanity_checks",
  "resource_usage",
  "abort_triggered",
  "abort_reason",
  "notes",
] as const;
const usageFields = ["gpu_hours", "wall_clock_seconds", "total_training_steps", "total_runs"] as const;

export function metricsFindings(text: string): string[] {
  let value: JsonObject;
  try {
    const parsed = JSON.parse(text) as JsonObject;
    if (!isObject(parsed)) return ["it is no JSON object"];
    value = parsed;
  } catch {
    return ["it is not JSON"];
  }
  const out = metricFields.filter((field) => !Object.hasOwn(value, field)).map((field) => `"${field}" is missing`);
  if (value["per_seed"] !== undefined && !Array.isArray(value["per_seed"])) out.push('"per_seed" is no list');
  const usage = value["resource_usage"];
  if (isObject(usage))
    for (const field of usageFields)
      if (typeof usage[field] !== "number") out.push(`"resource_usage.${field}" is missing or no number`);
  if (value["abort_triggered"] !== undefined && typeof value["abort_triggered"] !== "boolean")
    out.push('"abort_triggered" is neither true nor false');
  return out;
}

export const researchVerdicts = ["CONFIRMED", "REFUTED", "INCONCLUSIVE"] as const;
export type ResearchVerdict = (typeof researchVerdicts)[number];

export const verdictIn = (text: string): ResearchVerdict | undefined =>
  /^##[ \t]+Verdict:[ \t]*(CONFIRMED|REFUTED|INCONCLUSIVE)\b/m.exec(text)?.[1] as ResearchVerdict | undefined;

/** `metrics`: the text of metrics.json, whose metrics must each be addressed. */
export function analysisFindings(text: string, metrics?: string): string[] {
  const out: string[] = [];
  const lines = text.match(/^##[ \t]+Verdict:.*$/gm) ?? [];
  if (lines.length !== 1) out.push(`${lines.length} lines "## Verdict:", exactly one is wanted`);
  else if (!verdictIn(text)) out.push(`the verdict is none of ${researchVerdicts.join(", ")}`);
  for (const name of metricNames(metrics)) if (!names(text, name)) out.push(`the metric "${name}" is not addressed`);
  return out;
}

/** `val_loss` is also named by "val loss", not by "val_losses" or "xval_loss". */
function names(text: string, metric: string): boolean {
  const words = metric
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  return new RegExp(String.raw`(?<![\p{L}\d_])${words.join("[\\s_-]+")}(?![\p{L}\d_])`, "iu").test(text);
}

/** What baseline and treatment were measured by; a text beside the figures is no metric. */
function metricNames(text: string | undefined): string[] {
  try {
    const { baseline, treatment } = JSON.parse(text ?? "{}") as JsonObject;
    const measured = [treatment, baseline].flatMap((part) => (isObject(part) ? Object.entries(part) : []));
    return [...new Set(measured.filter(([, value]) => typeof value !== "string").map(([name]) => name))];
  } catch {
    return []; // the metrics have findings of their own
  }
}

export function handoffFindings(text: string): string[] {
  const out = /^# Handoff:[ \t]*\S/m.test(text) ? [] : ['the title line "# Handoff: ..." is missing'];
  for (const name of ["Date", "Reason", "What Is Needed", "After Resolution"])
    if (!new RegExp(String.raw`^(?:#{1,6}[ \t]+|[-*][ \t]+)?(?:\*\*)?${name}\b`, "im").test(text))
      out.push(`"${name}" is missing`);
  return out;
}

export interface ResearchQuestion {
  priority: number;
  question: string;
  status: string;
  parent: string;
  gate: string;
  experiments: string;
}

const columns = ["priority", "question", "status", "parent", "blocker", "decision gate", "experiments"] as const;

/** The table of open questions: the first one whose head names priority, question and status. */
export function questionsIn(text: string): ResearchQuestion[] {
  const cells = (line: string) =>
    line
      .replace(/^[ \t]*\|/, "")
      .replace(/\|[ \t]*$/, "")
      .split("|")
      .map((cell) => cell.trim());
  const lines = text.split("\n");
  const head = lines.findIndex((line) => /\|/.test(line) && /priority/i.test(line) && /question/i.test(line));
  if (head < 0) return [];
  const at = columns.map((name) => cells(lines[head]!).findIndex((cell) => cell.toLowerCase() === name));
  const rows: ResearchQuestion[] = [];
  for (const line of lines.slice(head + 2)) {
    if (!line.trim().startsWith("|")) break;
    const row = cells(line);
    const cell = (i: number) => (at[i]! < 0 ? "" : (row[at[i]!] ?? ""));
    rows.push({
      priority: Number(/\d+/.exec(cell(0))?.[0] ?? 99),
      question: cell(1),
      status: cell(2),
      parent: cell(3),
      gate: cell(5),
      experiments: cell(6),
    });
  }
  return rows;
}

/** What a research program works on next: open, most important first, a decision gate before none. */
export function nextQuestion(
  rows: readonly ResearchQuestion[],
  passed: ReadonlySet<string>,
): ResearchQuestion | undefined {
  return (
    rows
      .filter((row) => !/^(?:answered|blocked|deferred)/i.test(row.status) && !passed.has(row.question))
      // What was asked for the sake of an answered question is answered with it.
      .filter((row) => !rows.some((other) => other.question === row.parent && /^answered/i.test(other.status)))
      .sort((a, b) => a.priority - b.priority || Number(Boolean(b.gate)) - Number(Boolean(a.gate)))[0]
  );
}
