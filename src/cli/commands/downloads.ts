// interlock downloads: the figures of the download counter, as a table with bars.
import {
  barChart,
  byDay,
  type DownloadStats,
  fetchDownloads,
  periods,
  sumBy,
  totalOf,
} from "../../report/downloads-stats.js";
import { SourceError } from "../../report/fetch-json.js";
import { MissingKey, readKeys } from "../../report/keys.js";
import { defaultReportConfig, ReportConfigError, readReportConfig } from "../../report/report-config.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { printJson } from "../lib/current-project.js";
import { bold, dim, shown } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock downloads [--daily] [--days <n>] [--app <name>] [--json]

  --daily           one bar a day (UTC)
  --days <n>        how far back, today included (90)
  --app <name>      only this application
  --url <address>   the counter, instead of downloads.url in the configuration
  --config <file>   the configuration of reports (~/.config/interlock/report.yaml)
  --json

The key is DIST_ANALYTICS_KEY, from the environment or from the key file that the configuration names (mode 600).
The counter itself is in workers/downloads of the repository.
`;

const spec = {
  daily: "flag",
  days: "text",
  app: "text",
  url: "text",
  config: "text",
  json: "flag",
} as const;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, spec, usage);
  const days = /^\d+$/.test(values.days ?? "90") ? Number(values.days ?? "90") : 0;
  if (days < 1 || days > 3660)
    throw new UsageError(`--days takes a number from 1 to 3660, not "${values.days}"\n${usage}`);
  if (values.url !== undefined && !(/^https?:\/\//.test(values.url) && URL.canParse(values.url)))
    throw new UsageError(`--url takes an http or https address, not "${values.url}"\n${usage}`);
  if (values.app === "") throw new UsageError(`--app takes the name of an application\n${usage}`);
  try {
    const { url, keyFile } = counter(values);
    const key = readKeys(keyFile, process.env).need("DIST_ANALYTICS_KEY");
    const stats = await withProgress("asking the counter", () => fetchDownloads(url, key, { days, app: values.app }));
    if (values.json) printJson(asJson(stats));
    else show(stats, values.daily === true);
    return 0;
  } catch (error) {
    if (error instanceof SourceError || error instanceof MissingKey || error instanceof ReportConfigError) {
      sayError(`interlock: ${error.message}`);
      return 1;
    }
    throw error;
  }
}

function counter(values: { url?: string; config?: string }): { url: string; keyFile?: string } {
  if (values.url !== undefined && values.config === undefined) return { url: values.url };
  const config = readReportConfig(values.config ?? defaultReportConfig(process.env), process.env);
  const url = values.url ?? config.downloads?.url;
  if (!url) throw new ReportConfigError("no counter is configured: set downloads.url, or name it with --url <address>");
  return { url, keyFile: config.keys };
}

const asJson = (stats: DownloadStats) => ({
  days: stats.days,
  total: totalOf(stats.rows),
  byApp: Object.fromEntries(sumBy(stats.rows, "app")),
  bySource: Object.fromEntries(sumBy(stats.rows, "source")),
  byMode: Object.fromEntries(sumBy(stats.rows, "mode")),
  byDay: Object.fromEntries(byDay(stats, new Date())),
  rows: stats.rows,
});

function show(stats: DownloadStats, daily: boolean): void {
  const now = new Date();
  if (!stats.rows.length) {
    say(`No downloads in the last ${stats.days} days.`);
    return;
  }
  const width = Math.min(process.stdout.columns || 80, 100);
  const chart = (title: string, rows: [string, number][]) => {
    say(`\n${bold(title)}`);
    for (const line of barChart(
      rows.map(([name, count]) => [shown(name, 40), count]),
      width,
    ))
      say(line);
  };
  say(
    periods(stats, now)
      .map(([name, count]) => `${name} ${bold(String(count))}`)
      .join(dim("  |  ")),
  );
  if (daily) chart("By day (UTC)", byDay(stats, now));
  chart("By application", sumBy(stats.rows, "app"));
  const versions = sumBy(stats.rows, "app", "version");
  chart(versions.length > 20 ? "By version (the first 20)" : "By version", versions.slice(0, 20));
  chart("By source", sumBy(stats.rows, "source"));
}
