// Figures of the download counter (workers/downloads), as `interlock downloads` and the daily report show them.
// Invariant: the counter's answer is checked row by row; a row that is not one is an error, not a zero.
import { addressBelow, dig, fetchJson, type JsonRequest, listAt, SourceError } from "./fetch-json.js";

export interface DownloadRow {
  app: string;
  version: string;
  mode: string;
  source: string;
  date: string;
  count: number;
}

export interface DownloadStats {
  days: number;
  rows: DownloadRow[];
}

export async function fetchDownloads(
  url: string,
  key: string,
  { days, app }: { days: number; app?: string },
  request: JsonRequest = {},
): Promise<DownloadStats> {
  const address = new URL(addressBelow(url, "/api/stats"));
  address.searchParams.set("days", String(days));
  if (app !== undefined) address.searchParams.set("app", app);
  const answer = await fetchJson(address.href, { ...request, headers: { authorization: `Bearer ${key}` } });
  const rows = listAt(answer, "rows");
  if (!rows) throw new SourceError(`${address.host} sent no rows; is it the download counter?`);
  return { days, rows: rows.map((row) => readRow(row, address.host)) };
}

function readRow(row: unknown, host: string): DownloadRow {
  const text = (name: string): string => {
    const value = dig(row, name);
    if (typeof value !== "string") throw new SourceError(`${host} sent a row without ${name}`);
    return value;
  };
  const count = dig(row, "count");
  const date = text("date");
  if (!Number.isSafeInteger(count) || (count as number) < 0) throw new SourceError(`${host} sent a row without count`);
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new SourceError(`${host} sent a row with the date "${date.slice(0, 20)}"`);
  return {
    app: text("app"),
    version: text("version"),
    mode: text("mode"),
    source: text("source"),
    date,
    count: count as number,
  };
}

export type DownloadKey = "app" | "version" | "mode" | "source" | "date";

/** Sums by one or more columns, largest first. */
export function sumBy(rows: readonly DownloadRow[], ...keys: DownloadKey[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const name = keys.map((key) => row[key]).join(" ");
    sums.set(name, (sums.get(name) ?? 0) + row.count);
  }
  return [...sums].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

export const totalOf = (rows: readonly DownloadRow[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** Every day of the period, also those without a download, oldest first. Days are UTC, as the counter keeps them. */
export function byDay({ days, rows }: DownloadStats, now: Date): [string, number][] {
  const sums = new Map(sumBy(rows, "date"));
  return Array.from({ length: days }, (_, i) => {
    const day = new Date(now.getTime() - (days - 1 - i) * 86_400_000).toISOString().slice(0, 10);
    return [day, sums.get(day) ?? 0];
  });
}

/** Today, yesterday and the last seven days, of the rows there are. */
export function periods(stats: DownloadStats, now: Date): [string, number][] {
  const days = byDay({ ...stats, days: Math.max(stats.days, 7) }, now).map(([, count]) => count);
  const all: [string, number][] = [
    ["today", days.at(-1)!],
    ["yesterday", days.at(-2)!],
    ["last 7 days", days.slice(-7).reduce((a, b) => a + b, 0)],
    [`last ${stats.days} days`, totalOf(stats.rows)],
  ];
  return all.filter(
    ([name], i) => i === 0 || (i === 1 ? stats.days > 1 : i === 2 ? stats.days > 7 : name !== "last 1 days"),
  );
}

/** Rows of a bar chart: the largest value fills the width. */
export function barChart(rows: readonly [string, number][], width: number): string[] {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const names = Math.max(0, ...rows.map(([name]) => name.length));
  const counts = Math.max(0, ...rows.map(([, count]) => String(count).length));
  const room = Math.max(5, width - names - counts - 4);
  return rows.map(([name, count]) => {
    const eighths = Math.round((count / most) * room * 8);
    const bar = "█".repeat(eighths >> 3) + (eighths & 7 ? "▏▎▍▌▋▊▉"[(eighths & 7) - 1] : "");
    return `${name.padEnd(names)}  ${String(count).padStart(counts)}  ${bar}`.trimEnd();
  });
}
