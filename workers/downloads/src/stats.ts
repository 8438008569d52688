// GET /api/stats?days=30&app=notes: counts by day, for who has the key. Days are UTC; `days` counts today.
import type { Database } from "./cloudflare.js";

interface Row {
  app: string;
  version: string;
  mode: string;
  source: string;
  date: string;
  count: number;
}

export async function serveStats(
  db: Database,
  { days, app }: { days: number; app?: string },
  now: Date,
): Promise<Response> {
  const to = now.toISOString().slice(0, 10);
  const from = new Date(now.getTime() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const columns = "SELECT app, version, mode, source, date, count FROM downloads WHERE date BETWEEN ? AND ?";
  const order = "ORDER BY date, app, version, mode, source";
  const query =
    app === undefined
      ? db.prepare(`${columns} ${order}`).bind(from, to)
      : db.prepare(`${columns} AND app = ? ${order}`).bind(from, to, app);
  const { results: rows } = await query.all<Row>();
  const totals = { downloads: rows.reduce((sum, { count }) => sum + count, 0) };
  const by = (key: "source" | "app" | "version" | "mode"): Record<string, number> => {
    const sums: Record<string, number> = {};
    for (const row of rows) sums[row[key]] = (sums[row[key]] ?? 0) + row.count;
    return sums;
  };
  return Response.json({
    days,
    from,
    to,
    totals,
    by_source: by("source"),
    by_app: by("app"),
    by_mode: by("mode"),
    rows,
  });
}

/** Compares digests of equal length, all bytes of them: the time tells nothing of the key. */
export async function hasKey(request: Request, key: string): Promise<boolean> {
  const given = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  const [a, b] = await Promise.all([given, key].map(digest));
  let different = 0;
  for (let i = 0; i < a!.length; i++) different |= a![i]! ^ b![i]!;
  return different === 0;
}

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
