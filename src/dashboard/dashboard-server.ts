// The dashboard's own small server on loopback: the page, its data as JSON, and live events.
// Invariant: no data without the cookie of a one-time link; only our own host and origin; nothing is written.
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { isObject, type JsonObject } from "../model/json.js";
import { cookieName, cookieOf, DashboardAccess, rejection } from "./dashboard-access.js";
import type { DashboardSource } from "./dashboard-source.js";
import { LiveEvents } from "./live-events.js";
import { OverrideWishes } from "./override-wishes.js";
import { pageActions, pageViews } from "./page-views.js";
import { Download, NothingThere } from "./view-answers.js";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers = {
  "content-security-policy": contentPolicy,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const longestBody = 16 * 1024;

export class DashboardServer {
  readonly wishes = new OverrideWishes((key) => this.#live.tell(key, "wishes"));
  readonly #access = new DashboardAccess();
  readonly #live = new LiveEvents();
  readonly #sources = new Map<string, DashboardSource>();
  readonly #assets: ReadonlyMap<string, Buffer>;
  readonly #server: HttpServer;
  port = 0;
  #lastRequest = performance.now();

  private constructor(assets: string) {
    this.#assets = new Map(readdirSync(assets).map((name) => [name, readFileSync(join(assets, name))]));
    this.#server = createServer(
      { requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 16 * 1024 },
      (request, response) =>
        void this.#answer(request, response).catch((error: Error) => {
          if (response.headersSent) response.destroy();
          else send(response, 500, { error: `it could not be read: ${String(error?.message ?? error).slice(0, 300)}` });
        }),
    );
    this.#server.maxConnections = 128;
    this.#server.on("upgrade", (_, socket) => socket.destroy());
  }

  /** `assets`: the folder of the built pages. */
  static async start(assets: string, port = 0): Promise<DashboardServer> {
    const made = new DashboardServer(assets);
    await new Promise<void>((resolve, reject) => {
      made.#server.once("error", reject);
      made.#server.listen({ port, host: "127.0.0.1", exclusive: true }, resolve);
    });
    const at = made.#server.address();
    made.port = typeof at === "object" && at ? at.port : 0;
    return made;
  }

  /** The source stays open; adding it again changes nothing. */
  add(source: DashboardSource): DashboardSource {
    const known = this.#sources.get(source.key);
    if (known) return known;
    this.#sources.set(source.key, source);
    void source.index.load().catch(() => {}); // asking for a view reports it
    return source;
  }

  source(key: string): DashboardSource | undefined {
    return this.#sources.get(key);
  }

  /** A link that works once. The code is in the fragment, so no log, history or referrer keeps it. */
  link(key: string): string {
    return `http://127.0.0.1:${this.port}/p/${key}/#code=${this.#access.newCode(key)}`;
  }

  /** Milliseconds without a request and without an open page. */
  idleFor(): number {
    return this.#live.pages ? 0 : performance.now() - this.#lastRequest;
  }

  async close(): Promise<void> {
    this.#live.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#lastRequest = performance.now();
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const asset = /^\/assets\/([\w.-]+)$/.exec(url.pathname)?.[1];
    const [, key = "", rest] = /^\/p\/([0-9a-f]{12})\/(.*)$/.exec(url.pathname) ?? [];
    const shell = request.method === "GET" && (asset !== undefined || rest === "");
    const status = rejection(request, this.port, shell);
    if (status) return refuse(request, response, status);
    const source = this.#sources.get(key);
    if (shell) {
      const bytes = asset !== undefined ? this.#assets.get(asset) : source && this.#assets.get("index.html");
      if (!bytes || asset === "index.html") return refuse(request, response, 404);
      return sendBytes(response, 200, bytes, types[extname(asset ?? "index.html")] ?? "application/octet-stream");
    }
    if (!source || rest === undefined) return refuse(request, response, 404);
    if (request.method === "POST" && rest === "session") return this.#signIn(request, response, key);
    if (!this.#access.knows(key, cookieOf(request, this.port)))
      return send(response, 401, { error: "this link has ended; open a new one with: interlock dashboard" });
    if (request.method === "POST") return this.#act(request, response, source, rest);
    if (request.method !== "GET") return refuse(request, response, 405);
    return this.#view(response, source, rest, url.searchParams, request);
  }

  async #signIn(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
    const body = await readJson(request);
    const token = typeof body?.["code"] === "string" ? this.#access.exchange(key, body["code"]) : undefined;
    if (token === undefined)
      return send(response, 401, {
        error: "this link was used or is too old; open a new one with: interlock dashboard",
      });
    const cookie = `${cookieName(this.port)}=${token}; HttpOnly; SameSite=Strict; Path=/p/${key}/`;
    send(response, 200, { ok: true }, { "set-cookie": cookie });
  }

  async #view(
    response: ServerResponse,
    source: DashboardSource,
    rest: string,
    query: URLSearchParams,
    request: IncomingMessage,
  ): Promise<void> {
    if (rest === "api/live") return this.#live.open(source, request, response, headers);
    const view = rest.startsWith("api/") ? pageViews[rest.slice(4)] : undefined;
    if (!view) return refuse(request, response, 404);
    const loaded = await Promise.race([source.index.load().then(() => true), pause(400)]);
    if (!loaded) return send(response, 202, { loading: source.index.share });
    source.index.refresh();
    try {
      const value = await view(source, query, { wishes: this.wishes });
      if (value instanceof Download) return value.send(response, headers);
      send(response, 200, value as object);
    } catch (error) {
      if (!(error instanceof NothingThere)) throw error;
      send(response, 404, { error: error.message });
    }
  }

  async #act(request: IncomingMessage, response: ServerResponse, source: DashboardSource, rest: string): Promise<void> {
    const action = rest.startsWith("api/do/") ? pageActions[rest.slice(7)] : undefined;
    // A form on another page can't set this header; the cookie is SameSite=Strict besides.
    if (!action || request.headers["x-interlock-dashboard"] !== "1") return refuse(request, response, 404);
    const body = await readJson(request);
    if (!body) return refuse(request, response, 400);
    send(response, 200, (await action(source, body, { wishes: this.wishes })) as object);
  }
}

const pause = (ms: number): Promise<false> => new Promise((resolve) => setTimeout(() => resolve(false), ms));

function sendBytes(
  response: ServerResponse,
  status: number,
  bytes: Buffer,
  type: string,
  more: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, ...more, "content-type": type, "content-length": String(bytes.length) });
  response.end(bytes);
}

function send(response: ServerResponse, status: number, value: object, more: Record<string, string> = {}): void {
  sendBytes(response, status, Buffer.from(JSON.stringify(value)), "application/json; charset=utf-8", more);
}

/** Says nothing about why. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": "0", connection: "close" });
  response.end(() => request.socket.destroy());
}

/** Undefined for anything but a small JSON object. */
async function readJson(request: IncomingMessage): Promise<JsonObject | undefined> {
  if (!/^application\/json(?:\s*;.*)?$/i.test(request.headers["content-type"] ?? "")) return undefined;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += (part as Buffer).length;
    if (length > longestBody) return undefined;
    parts.push(part as Buffer);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
