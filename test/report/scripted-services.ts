// The services a daily report asks, scripted on loopback: fine, slow, down or answering garbage.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Mood =
  | "fine"
  | "slow"
  | "garbage"
  | "error"
  | "endless"
  | "wrong shape"
  | "forbidden"
  | "redirecting"
  | "wrong type"
  | "cut off"
  | "empty"
  | "silent"
  | "no http"
  | "large"
  | "busy";

export interface Services {
  url: string;
  /** Method, path and authorization of each request. */
  seen: { method: string; path: string; authorization: string | undefined }[];
  close(): void;
}

const order = (daysAgo: number, cents: number, status = "paid") => ({
  attributes: { total_usd: cents, status, created_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString() },
});
const today = new Date().toISOString().slice(0, 10);

function answer(path: string): unknown {
  if (path.startsWith("/v1/orders")) {
    const page = Number(/number%5D=(\d+)/.exec(path)?.[1]);
    const data = page === 1 ? [order(0, 1999), order(1, 500), order(3, 700, "refunded")] : [order(40, 10_000)];
    return { data, meta: { page: { lastPage: 2 } } };
  }
  if (path === "/graphql")
    return { data: { repositoryOwner: { monthlyEstimatedSponsorsIncomeInCents: 2500, sponsors: { totalCount: 7 } } } };
  if (path.startsWith("/api/stats"))
    return { rows: [{ app: "notes", version: "1.2.0", mode: "download", source: "website", date: today, count: 41 }] };
  if (path === "/client/v4/graphql") {
    const day = { sum: { pageViews: 10 }, uniq: { uniques: 4 } };
    return { data: { viewer: { zones: [{ httpRequests1dGroups: [day, day] }] } } };
  }
  if (path.endsWith("/traffic/clones")) return { count: 12 };
  if (path.endsWith("/traffic/views")) return { count: 340 };
  if (path.endsWith("/traffic/popular/referrers")) return [{ referrer: "news.example", count: 9 }];
  if (path.includes("/issues?"))
    return [{ title: "Crash <script>alert(1)</script> | on start", html_url: "https://x/1" }];
  if (path.startsWith("/repos/")) return { stargazers_count: 123, forks_count: 4, open_issues_count: 5 };
  if (path.startsWith("/emails")) return { data: [{ from: "a@b.example", subject: "Help\n## Fake heading" }] };
  return { ok: true };
}

export async function scriptedServices(mood: Mood): Promise<Services> {
  const seen: Services["seen"] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? "";
    seen.push({ method: request.method ?? "", path, authorization: request.headers.authorization });
    if (mood === "slow") return; // never answers
    if (mood === "endless") {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", more);
      };
      more();
      return;
    }
    if (mood === "silent") return request.socket.destroy();
    if (mood === "no http") return request.socket.end("hello, this is no http\r\n\r\n");
    if (mood === "redirecting") {
      response.writeHead(302, { location: "https://elsewhere.example/login" });
      return response.end();
    }
    if (mood === "cut off") {
      response.writeHead(200, { "content-length": "5000" });
      response.write('{"rows":[');
      return setImmediate(() => request.socket.destroy());
    }
    if (mood === "wrong type") {
      response.writeHead(200, { "content-type": "text/html" });
      return response.end(JSON.stringify(answer(path)));
    }
    if (mood === "large") {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ rows: [], padding: "x".repeat(6 << 20) }));
    }
    if (mood === "empty" || mood === "busy") {
      response.writeHead(mood === "busy" ? 429 : 204);
      return response.end();
    }
    const status = mood === "error" ? 500 : mood === "forbidden" ? 403 : 200;
    const text =
      mood === "garbage" ? "<html>not JSON" : mood === "wrong shape" ? '{"data":7,"rows":[{"app":1}]}' : undefined;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(text ?? JSON.stringify(answer(path)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
