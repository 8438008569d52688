// Section 3, Downloads: figures of the download counter.

import { fetchDownloads, periods, sumBy } from "../downloads-stats.js";
import { paragraph, reportTable } from "../section.js";
import type { Part, SourceContext } from "../source.js";

export async function downloadFigures({ config, keys, now, request }: SourceContext): Promise<Part | undefined> {
  const source = config.downloads;
  if (!source) return undefined;
  const stats = await fetchDownloads(source.url, keys.need("DIST_ANALYTICS_KEY"), { days: source.days }, request);
  const told = periods(stats, now).map(([name, count]) => `${name} ${count}`);
  const blocks = [paragraph(`Downloads: ${told.join(", ")}.`)];
  if (!stats.rows.length) return { blocks };
  const versions = sumBy(stats.rows, "app", "version").slice(0, 20);
  return {
    blocks: [
      ...blocks,
      reportTable(["Application", "downloads"], sumBy(stats.rows, "app")),
      reportTable(["Version", "downloads"], versions),
      reportTable(["Source", "downloads"], sumBy(stats.rows, "source")),
    ],
  };
}
