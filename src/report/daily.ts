// The daily report: eight sections in a fixed order, each from sources of its own.
// Invariant: the report always comes out; a source that is slow, down or wrong costs its own section and nothing else.
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../project/replace-file.js";
import type { Keys } from "./keys.js";
import type { ReportConfig } from "./report-config.js";
import { lockReport } from "./report-lock.js";
import { asHtml, asMarkdown, paragraph, type Report, type Section } from "./section.js";
import type { ReportSource, SourceContext } from "./source.js";
import { pendingEmails, urgentBugs } from "./sources/customers.js";
import { downloadFigures } from "./sources/downloads.js";
import { repositories } from "./sources/git-status.js";
import { github } from "./sources/github.js";
import { healthChecks } from "./sources/health.js";
import { lemonsqueezy, sponsors } from "./sources/revenue.js";
import { traffic } from "./sources/traffic.js";
import { summarise } from "./summary.js";

const sections: { title: string; sources: ReportSource[] }[] = [
  { title: "Revenue", sources: [lemonsqueezy, sponsors] },
  { title: "Downloads", sources: [downloadFigures] },
  { title: "Website Traffic", sources: [traffic] },
  { title: "GitHub", sources: [github] },
  { title: "Customer Intel", sources: [pendingEmails, urgentBugs] },
  { title: "Health", sources: [healthChecks] },
  { title: "Git Status", sources: [repositories] },
];

export interface DailyReport {
  report: Report;
  markdown: string;
  file: string;
  archived?: string;
}

export async function makeDailyReport(
  config: ReportConfig,
  keys: Keys,
  options: { now: Date; progress?(done: string): void; summaryMs?: number },
): Promise<DailyReport> {
  const unlock = writing(config.out, () => lockReport(config.out, options.now.getTime()));
  try {
    const report = await gather(config, keys, options);
    const file = join(config.out, "daily_report.md");
    const markdown = asMarkdown(report);
    return writing(config.out, () => {
      const archived = archive(config.out, file);
      replaceFile(file, markdown);
      replaceFile(join(config.out, "daily_report.html"), asHtml(report));
      return { report, markdown, file, archived };
    });
  } finally {
    unlock();
  }
}

export class ReportNotWritten extends Error {}

/** Where the file system refuses, the sentence names the folder and how to choose another. */
function writing<T>(out: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const what = code === "EEXIST" || code === "ENOTDIR" ? "there is a file in the way" : message;
    throw new ReportNotWritten(
      `the report can't be written to ${path ?? out}: ${what}. Name another folder: --out <folder>`,
    );
  }
}

async function gather(
  config: ReportConfig,
  keys: Keys,
  { now, progress, summaryMs }: { now: Date; progress?(done: string): void; summaryMs?: number },
): Promise<Report> {
  const wholeMs = config.timeout * 1000;
  const facts = await Promise.all(
    sections.map(async ({ title, sources }) => {
      const section = await fill(title, sources, { config, keys, now }, wholeMs);
      progress?.(title);
      return section;
    }),
  );
  const report = { title: config.title, made: stamp(now), sections: facts };
  const summary: Section = { title: "Executive Summary", blocks: [], problems: [] };
  if (config.summary) {
    try {
      const lines = await summarise(config.summary.command, asMarkdown(report), summaryMs);
      summary.blocks = lines.map(paragraph);
    } catch (error) {
      summary.problems = [(error as Error).message];
    }
    progress?.(summary.title);
  }
  return { ...report, sections: [summary, ...facts] };
}

/** Sources run side by side; what one throws is told in its section. */
async function fill(
  title: string,
  sources: readonly ReportSource[],
  context: Omit<SourceContext, "request">,
  wholeMs: number,
): Promise<Section> {
  const section: Section = { title, blocks: [], problems: [] };
  const signal = AbortSignal.timeout(wholeMs);
  const request = { signal, wholeMs, connectMs: Math.min(10_000, wholeMs) };
  const settled = await Promise.allSettled(sources.map(async (source) => source({ ...context, request })));
  for (const one of settled) {
    if (one.status === "rejected") section.problems.push(one.reason instanceof Error ? one.reason.message : "unknown");
    else if (one.value) {
      section.blocks.push(...one.value.blocks);
      section.problems.push(...(one.value.problems ?? []));
    }
  }
  return section;
}

/** Copies the last report to reports/<its date>.md before it is replaced; a second one of that day gets a number. */
function archive(out: string, file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  const text = readFileSync(file, "utf8");
  const date = /^Made (\d{4}-\d\d-\d\d)/m.exec(text)?.[1] ?? stamp(stat.mtime).slice(0, 10);
  mkdirSync(join(out, "reports"), { recursive: true });
  for (let number = 1; ; number++) {
    const path = join(out, "reports", `${date}${number === 1 ? "" : `-${number}`}.md`);
    if (existsSync(path)) {
      if (readFileSync(path, "utf8") === text) return path;
      continue;
    }
    replaceFile(path, text);
    return path;
  }
}

/** Local date and time with its offset. */
function stamp(date: Date): string {
  const two = (n: number) => String(Math.floor(Math.abs(n))).padStart(2, "0");
  const offset = -date.getTimezoneOffset();
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const sign = offset < 0 ? "-" : "+";
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())} ${sign}${two(offset / 60)}:${two(offset % 60)}`;
}
