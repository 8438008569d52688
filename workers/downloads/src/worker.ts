// Serves downloads from R2 and counts them in D1. Runs on Cloudflare Workers; nothing here is part of the npm package.
// Invariant: a download never waits for its count and never fails because of it.
import { type App, appOfHost, keyOf, readApps } from "./apps.js";
import type { Context, Environment } from "./cloudflare.js";
import { describeDownload, logDownload } from "./count.js";
import { serveFile } from "./file.js";
import { hasKey, serveStats } from "./stats.js";

export default {
  async fetch(request: Request, env: Environment, context: Context): Promise<Response> {
    const url = new URL(request.url);
    if (request.method !== "GET" && request.method !== "HEAD")
      return text(405, "only GET and HEAD\n", { allow: "GET, HEAD" });
    if (url.pathname === "/health") return text(200, "ok\n");
    let apps: App[];
    try {
      apps = readApps(env.APPS);
    } catch (error) {
      return text(500, `this worker is not set up: ${(error as Error).message}\n`);
    }
    if (url.pathname === "/api/stats") return stats(request, env, url, apps);
    const app = appOfHost(apps, url.hostname);
    if (!app) return text(404, "no application has this host\n");
    const key = keyOf(app, url.pathname);
    if (key === undefined) return text(404, "not found\n");
    try {
      const { response, began } = await serveFile(env.FILES, key, request);
      if (began) {
        const download = describeDownload(app.name, key, request.headers.get("user-agent"), new Date());
        context.waitUntil(logDownload(env.DB, download));
      }
      return response;
    } catch {
      return text(503, "the file store did not answer; try again\n", { "retry-after": "5" });
    }
  },
};

async function stats(request: Request, env: Environment, url: URL, apps: readonly App[]): Promise<Response> {
  if (!env.ANALYTICS_API_KEY) return text(503, "no key is set: wrangler secret put ANALYTICS_API_KEY\n");
  if (!(await hasKey(request, env.ANALYTICS_API_KEY)))
    return text(401, "send the key: Authorization: Bearer <key>\n", { "www-authenticate": "Bearer" });
  const given = url.searchParams.get("days") ?? "30";
  const days = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (days < 1 || days > 3660) return text(400, "days must be a number from 1 to 3660\n");
  const app = url.searchParams.get("app") || undefined;
  if (app !== undefined && !apps.some(({ name }) => name === app))
    return text(400, `app must be one of ${apps.map(({ name }) => name).join(", ")}\n`);
  try {
    return await serveStats(env.DB, { days, app }, new Date());
  } catch {
    return text(503, "the database did not answer; try again\n", { "retry-after": "5" });
  }
}

const text = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });
