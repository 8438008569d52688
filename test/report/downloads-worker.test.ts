// The download counter on the real workerd, with R2 and D1 from miniflare.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parseRange } from "../../workers/downloads/src/file.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = join(root, "workers/downloads");

interface Answer {
  status: number;
  headers: Headers;
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
}
interface Emulator {
  ready: Promise<URL>;
  dispatchFetch(url: string, init?: object): Promise<Answer>;
  getR2Bucket(name: string): Promise<{ put(key: string, value: string | Uint8Array): Promise<unknown> }>;
  getD1Database(name: string): Promise<{
    exec(sql: string): Promise<unknown>;
    prepare(sql: string): { all(): Promise<{ results: { count: number }[] }> };
  }>;
  dispose(): Promise<void>;
}

const key = "a-made-up-key";
const file = new Uint8Array(1000).map((_, i) => i % 251);
const emulators: Emulator[] = [];
after(async () => {
  for (const emulator of emulators) await emulator.dispose();
});

const { installMiniflare } = (await import(join(root, "scripts/clients.mjs"))) as {
  installMiniflare(): string;
};
let miniflare: string | undefined;
try {
  miniflare = installMiniflare();
} catch (error) {
  if (process.env["CI"] === "true") throw error;
}
const skip = miniflare === undefined && "miniflare can't be installed";

/** The worker as it is deployed; `around` is a module that wraps it. */
async function start(around?: string): Promise<Emulator> {
  const entry = around ?? `export { default } from "./src/worker.ts";`;
  const bundled = await build({
    stdin: { contents: entry, resolveDir: folder, loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  const { Miniflare } = createRequire(import.meta.url)(miniflare!) as { Miniflare: new (options: object) => Emulator };
  const emulator = new Miniflare({
    modules: true,
    script: bundled.outputFiles[0]!.text,
    host: "127.0.0.1",
    compatibilityDate: "2025-12-01",
    r2Buckets: ["FILES"],
    d1Databases: ["DB"],
    bindings: {
      APPS: {
        notes: { domains: ["dist.notes.example"], prefix: "notes/" },
        paint: { domains: ["dist.paint.example", "get.paint.example"] },
      },
      ANALYTICS_API_KEY: key,
    },
  });
  emulators.push(emulator);
  const database = await emulator.getD1Database("DB");
  const schema = readFileSync(join(folder, "schema.sql"), "utf8").replace(/^--.*$/gm, "");
  for (const statement of schema.split(";")) if (statement.trim()) await database.exec(statement.replace(/\s+/g, " "));
  const bucket = await emulator.getR2Bucket("FILES");
  await bucket.put("notes/Notes-1.4.2.dmg", file);
  await bucket.put("notes/updates/Notes-1.5.0-beta.2.zip", file);
  await bucket.put("Paint-2.0.zip", "paint");
  await bucket.put("secret.txt", "another application's");
  return emulator;
}

const counted = async (emulator: Emulator): Promise<number> => {
  const database = await emulator.getD1Database("DB");
  return (await database.prepare("SELECT coalesce(sum(count), 0) AS count FROM downloads").all()).results[0]!.count;
};

/** Counts are written behind the answer: waits for them. */
async function waitForCount(emulator: Emulator, wanted: number): Promise<void> {
  while ((await counted(emulator)) < wanted) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("a download is served whole, counted once, and told by the statistics", { skip }, async () => {
  const emulator = await start();
  const get = (url: string, headers = {}, method = "GET") => emulator.dispatchFetch(url, { headers, method });
  const dmg = "http://dist.notes.example/Notes-1.4.2.dmg";
  const whole = await get(dmg, { "user-agent": "Notes/1.4 Sparkle/2.6.0" });
  assert.equal(whole.status, 200);
  assert.deepEqual(new Uint8Array(await whole.arrayBuffer()), file);
  assert.equal(whole.headers.get("content-length"), "1000");
  await (
    await get("http://dist.notes.example/updates/Notes-1.5.0-beta.2.zip", { "user-agent": "Homebrew/4.3" })
  ).text();
  await (await get("http://GET.paint.example/Paint-2.0.zip", { "user-agent": "Mozilla/5.0" })).text();
  await (await get("http://dist.paint.example/Paint-2.0.zip", { "user-agent": "" })).text();

  const part = await get(dmg, { range: "bytes=100-199" });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get("content-range"), "bytes 100-199/1000");
  assert.deepEqual(new Uint8Array(await part.arrayBuffer()), file.slice(100, 200));
  const tail = await get(dmg, { range: "bytes=-10" });
  assert.deepEqual(new Uint8Array(await tail.arrayBuffer()), file.slice(990));
  assert.equal((await get(dmg, { range: "bytes=1000-" })).status, 416);
  const head = await get(dmg, {}, "HEAD");
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-length"), "1000");
  assert.equal(head.headers.get("accept-ranges"), "bytes");
  const etag = whole.headers.get("etag")!;
  assert.equal((await get(dmg, { "if-none-match": etag })).status, 304);
  assert.equal((await get(dmg, { range: "bytes=5-9", "if-range": '"another"', "user-agent": "" })).status, 200);
  await waitForCount(emulator, 5);

  const stats = (query = "", authorization = `Bearer ${key}`) =>
    get(`http://dist.notes.example/api/stats${query}`, { authorization });
  const all = (await (await stats()).json()) as Record<string, Record<string, number>> & { rows: object[] };
  const date = new Date().toISOString().slice(0, 10);
  assert.deepEqual(all["totals"], { downloads: 5 });
  assert.deepEqual(all["by_app"], { notes: 3, paint: 2 });
  assert.deepEqual(all["by_source"], { sparkle: 1, homebrew: 1, unknown: 2, website: 1 });
  assert.ok(
    all.rows.some(
      (row) =>
        JSON.stringify(row) ===
        JSON.stringify({ app: "notes", version: "1.5.0-beta.2", mode: "update", source: "homebrew", date, count: 1 }),
    ),
  );
  const one = (await (await stats("?days=1&app=paint")).json()) as { totals: object };
  assert.deepEqual(one.totals, { downloads: 2 });

  assert.equal((await stats("", "Bearer another")).status, 401);
  assert.equal((await stats("", "")).status, 401);
  assert.equal((await stats("", `Basic ${key}`)).status, 401);
  for (const query of ["?days=0", "?days=-1", "?days=x", "?days=99999", "?days=1;DROP", "?app=nobody", "?app='--"])
    assert.equal((await stats(query)).status, 400, query);
});

test("a path leads to no other file, and nothing but GET and HEAD is answered", { skip }, async () => {
  const emulator = await start();
  const hostile = [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%252e%252e%252fsecret.txt",
    "/a/../../secret.txt",
    "/..\\secret.txt",
    "/%5c..%5csecret.txt",
    "/Notes-1.4.2.dmg%00.txt",
    "/%",
    "/%ff%fe",
    "//secret.txt",
    "/./secret.txt",
    "/updates/",
    "/",
    "/secret.txt",
    "/notes/Notes-1.4.2.dmg",
    `/${"a".repeat(5000)}`,
    "/Notes-1.4.2.dmg/",
    "/<script>",
    "/Notes-1.4.2.dmg%0d%0ax-a:%20b",
  ];
  for (const path of hostile) {
    const answer = await emulator.dispatchFetch(`http://dist.notes.example${path}`);
    assert.equal(answer.status, 404, path);
    assert.doesNotMatch(await answer.text(), /another application/);
  }
  assert.equal((await emulator.dispatchFetch("http://other.example/Notes-1.4.2.dmg")).status, 404);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
    assert.equal((await emulator.dispatchFetch("http://dist.notes.example/Notes-1.4.2.dmg", { method })).status, 405);
  assert.equal((await emulator.dispatchFetch("http://dist.notes.example/health")).status, 200);
  assert.equal(await counted(emulator), 0);
});

test("10,000 downloads: none is lost while every second count fails, and counts are exact else", { skip }, async () => {
  // Every second statement fails: one at once, the next after a moment.
  const flaky = await start(`
    import worker from "./src/worker.ts";
    let turn = 0;
    const run = (statement) =>
      ++turn % 2 === 0
        ? statement.run()
        : new Promise((_, fail) => setTimeout(() => fail(new Error("D1_ERROR")), turn % 4 === 1 ? 0 : 5));
    const failing = (db) => ({
      prepare: (sql) => ({
        bind: (...values) => ({ run: () => run(db.prepare(sql).bind(...values)) }),
      }),
    });
    export default {
      fetch: (request, env, context) => worker.fetch(request, { ...env, DB: failing(env.DB) }, context),
    };`);
  const exact = await start();
  const download = async (emulator: Emulator, times: number): Promise<void> => {
    let begun = 0;
    const client = async () => {
      while (begun++ < times) {
        const answer = await emulator.dispatchFetch("http://dist.paint.example/Paint-2.0.zip");
        assert.equal(answer.status, 200);
        assert.equal(await answer.text(), "paint");
      }
    };
    await Promise.all(Array.from({ length: 32 }, client));
  };
  await download(exact, 2000);
  await waitForCount(exact, 2000);
  assert.equal(await counted(exact), 2000);
  await download(flaky, 10_000);
  await waitForCount(flaky, 5000);
  assert.equal(await counted(flaky), 5000);
});

test("ranges are read as RFC 9110 has them", () => {
  const rows: [string, unknown][] = [
    ["bytes=0-0", { offset: 0, length: 1 }],
    ["bytes=0-", { offset: 0, length: 100 }],
    ["bytes=90-200", { offset: 90, length: 10 }],
    ["bytes=-500", { offset: 0, length: 100 }],
    ["bytes=-0", "outside"],
    ["bytes=100-", "outside"],
    ["bytes=5-2", "whole"],
    ["bytes=0-1,5-6", "whole"],
    ["lines=0-1", "whole"],
    ["bytes=-", "whole"],
    ["bytes=a-b", "whole"],
  ];
  for (const [text, wanted] of rows) assert.deepEqual(parseRange(text, 100), wanted, text);
  assert.ok(existsSync(join(folder, "wrangler.example.jsonc")));
});

test("ranges, conditions and HEAD as clients send them", { skip }, async () => {
  const emulator = await start();
  const bucket = await emulator.getR2Bucket("FILES");
  await bucket.put("notes/empty.zip", "");
  const dmg = "http://dist.notes.example/Notes-1.4.2.dmg";
  const ask = (headers: Record<string, string> = {}, method = "GET", url = dmg) =>
    emulator.dispatchFetch(url, { headers, method });
  const whole = await ask();
  const [etag, modified] = ["etag", "last-modified"].map((name) => whole.headers.get(name)!);
  const before = new Date(Date.parse(modified!) - 1000).toUTCString();
  const later = new Date(Date.parse(modified!) + 3_600_000).toUTCString();
  const rows: [status: number, headers: Record<string, string>, range?: string, method?: string][] = [
    [206, { range: "bytes=0-0" }, "bytes 0-0/1000"],
    [206, { range: "bytes=999-" }, "bytes 999-999/1000"],
    [206, { range: "bytes=990-5000" }, "bytes 990-999/1000"],
    [206, { range: "bytes=-1" }, "bytes 999-999/1000"],
    [206, { range: "bytes=-100000" }, "bytes 0-999/1000"],
    [206, { range: "BYTES=1-2" }, "bytes 1-2/1000"],
    [200, { range: "bytes=0-1,5-6" }],
    [200, { range: "bytes=0-99999999999999999999999999999999999999,1-2" }],
    [206, { range: "bytes=0-99999999999999999999999999999999999999" }, "bytes 0-999/1000"],
    [416, { range: "bytes=99999999999999999999999999999999999999-" }, "bytes */1000"],
    [416, { range: "bytes=1000-2000" }, "bytes */1000"],
    [416, { range: "bytes=-0" }, "bytes */1000"],
    [200, { range: "bytes=9-1" }],
    [200, { range: "chunks=0-1" }],
    [200, { range: "bytes 0-1" }],
    [200, { range: "bytes=\u00b2-3" }],
    [206, { range: "bytes=1-2", "if-range": etag! }, "bytes 1-2/1000"],
    [206, { range: "bytes=1-2", "if-range": modified! }, "bytes 1-2/1000"],
    [200, { range: "bytes=1-2", "if-range": before }],
    [200, { range: "bytes=1-2", "if-range": later }],
    [200, { range: "bytes=1-2", "if-range": `W/${etag}` }],
    [200, { range: "bytes=1-2", "if-range": "nonsense" }],
    [200, { range: "bytes=5000-", "if-range": '"another"' }],
    [304, { "if-none-match": etag! }],
    [304, { "if-none-match": `W/${etag}` }],
    [304, { "if-none-match": `"a", ${etag}` }],
    [304, { "if-none-match": "*" }],
    [200, { "if-none-match": '"a"', "if-modified-since": later }],
    [304, { "if-modified-since": modified! }],
    [304, { "if-modified-since": later }],
    [200, { "if-modified-since": before }],
    [200, { "if-modified-since": "yesterday" }],
    [304, { "if-none-match": etag!, range: "bytes=5-6" }],
    // A range means something for GET only.
    [200, {}, undefined, "HEAD"],
    [200, { range: "bytes=5-6" }, undefined, "HEAD"],
    [200, { range: "bytes=5000-" }, undefined, "HEAD"],
    [304, { "if-none-match": etag! }, undefined, "HEAD"],
  ];
  for (const [status, headers, range, method = "GET"] of rows) {
    const name = `${method} ${JSON.stringify(headers)}`;
    const answer = await ask(headers, method);
    assert.equal(answer.status, status, name);
    assert.equal(answer.headers.get("content-range"), range ?? null, name);
    const bytes = (await answer.arrayBuffer()).byteLength;
    const [, first, last] = /^bytes (\d+)-(\d+)/.exec(range ?? "") ?? [];
    const wanted = status === 206 ? Number(last) - Number(first) + 1 : status === 200 && method === "GET" ? 1000 : 0;
    assert.equal(bytes, wanted, name);
    if (method === "HEAD" && status === 200) assert.equal(answer.headers.get("content-length"), "1000", name);
  }
  const empty = "http://dist.notes.example/empty.zip";
  assert.equal((await ask({}, "GET", empty)).status, 200);
  assert.equal((await ask({ range: "bytes=0-" }, "GET", empty)).status, 416);
});

test("the statistics ask for the key and a sensible period", { skip }, async () => {
  const emulator = await start();
  const stats = (query: string, authorization?: string, method = "GET") =>
    emulator.dispatchFetch(`http://dist.notes.example/api/stats${query}`, {
      method,
      headers: authorization === undefined ? {} : { authorization },
    });
  const keys: [status: number, authorization: string | undefined][] = [
    [200, `Bearer ${key}`],
    [200, `bearer ${key}`],
    [401, undefined],
    [401, ""],
    [401, "Bearer"],
    [401, "Bearer "],
    [401, key],
    [401, `Bearer ${key.slice(0, -1)}`],
    [401, `Bearer ${key}x`],
    [401, `Bearer ${key} ${key}`],
    [401, `Bearer ${key.toUpperCase()}`],
    [401, `Bearer ${"a".repeat(10_000)}`],
    [401, `Basic ${btoa(`x:${key}`)}`],
    [401, `Token ${key}`],
  ];
  for (const [status, authorization] of keys)
    assert.equal((await stats("", authorization)).status, status, String(authorization).slice(0, 40));
  const queries: [status: number, query: string][] = [
    [200, "?days=1"],
    [200, "?days=3660"],
    [200, "?days=0030"],
    [200, "?app=paint"],
    [200, "?app="],
    [200, "?other=1"],
    [400, "?days=3661"],
    [400, "?days=99999999999999999999"],
    [400, "?days=1e3"],
    [400, "?days=1.5"],
    [400, "?days="],
    [400, "?days=%00"],
    [400, "?days=\u0663"],
    [400, "?days=-0"],
    [400, "?app=Notes"],
    [400, "?app=notes%00"],
    [400, "?app=__proto__"],
    [400, "?app=%27%20OR%201=1"],
  ];
  for (const [status, query] of queries) assert.equal((await stats(query, `Bearer ${key}`)).status, status, query);
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    assert.equal((await stats("", `Bearer ${key}`, method)).status, 405, method);
  assert.equal((await stats("", undefined, "HEAD")).status, 401);
  const answer = (await stats("", "Bearer wrong")).headers.get("www-authenticate");
  assert.equal(answer, "Bearer");
});

test("a download is served when the database is missing or never answers, and an open APPS says what to do", {
  skip,
}, async () => {
  const around = (db: string) =>
    start(`import worker from "./src/worker.ts";
      export default { fetch: (request, env, context) => worker.fetch(request, { ...env, DB: ${db} }, context) };`);
  for (const db of ["undefined", "{ prepare: () => ({ bind: () => ({ run: () => new Promise(() => {}) }) }) }", "{}"]) {
    const emulator = await around(db);
    const answer = await emulator.dispatchFetch("http://dist.paint.example/Paint-2.0.zip");
    assert.equal(await answer.text(), "paint", db);
  }
  for (const apps of ['"nonsense"', "undefined", '{ notes: { domains: "x" } }', "[]"]) {
    const emulator = await start(`import worker from "./src/worker.ts";
      export default { fetch: (request, env, context) => worker.fetch(request, { ...env, APPS: ${apps} }, context) };`);
    const answer = await emulator.dispatchFetch("http://dist.paint.example/Paint-2.0.zip");
    assert.equal(answer.status, 500, apps);
    assert.match(await answer.text(), /not set up: .*APPS/, apps);
  }
});
