// Who may see a dashboard: one-time codes, the cookies they are exchanged for, and the Host and Origin checks.
// Invariant: nothing is answered to another host name or origin; a code works once, within minutes, for one source.
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

const codeMs = 5 * 60_000;
const sessionMs = 12 * 3600_000;
const most = 200;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export class DashboardAccess {
  /** Both are kept as digests: a memory dump opens nothing. */
  readonly #codes = new Map<string, { key: string; until: number }>();
  readonly #sessions = new Map<string, { key: string; until: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  newCode(key: string): string {
    const code = randomBytes(24).toString("base64url");
    this.#keep(this.#codes, digestOf(code), { key, until: this.now() + codeMs });
    return code;
  }

  /** The cookie's value for a code, once. */
  exchange(key: string, code: string): string | undefined {
    const digest = digestOf(code);
    const found = this.#codes.get(digest);
    if (!found || found.key !== key) return undefined;
    this.#codes.delete(digest);
    if (found.until < this.now()) return undefined;
    const token = randomBytes(32).toString("base64url");
    this.#keep(this.#sessions, digestOf(token), { key, until: this.now() + sessionMs });
    return token;
  }

  knows(key: string, token: string | undefined): boolean {
    const found = token === undefined ? undefined : this.#sessions.get(digestOf(token));
    return found !== undefined && found.key === key && found.until >= this.now();
  }

  #keep<T>(map: Map<string, T>, digest: string, value: T): void {
    const [oldest] = map.keys();
    if (map.size >= most && oldest !== undefined) map.delete(oldest);
    map.set(digest, value);
  }
}

/** The status of a rejection; undefined if the request may go on. `shell`: the page without data, which may be opened
 * by a link on another page. */
export function rejection(request: IncomingMessage, port: number, shell: boolean): number | undefined {
  const { headers, rawHeaders } = request;
  const hosts = rawHeaders.filter((each, i) => i % 2 === 0 && each.toLowerCase() === "host").length;
  if (headers.host !== `127.0.0.1:${port}` || hosts !== 1) return 421;
  if (headers.origin !== undefined && headers.origin !== `http://127.0.0.1:${port}`) return 403;
  const site = headers["sec-fetch-site"];
  if (!shell && site !== undefined && site !== "same-origin" && site !== "none") return 403;
  if (shell && site !== undefined && site !== "same-origin" && headers["sec-fetch-mode"] !== "navigate") return 403;
  return undefined;
}

export const cookieName = (port: number): string => `interlock-${port}`;

export function cookieOf(request: IncomingMessage, port: number): string | undefined {
  const name = `${cookieName(port)}=`;
  const found = (request.headers.cookie ?? "").split(/;\s*/).find((part) => part.startsWith(name));
  return found?.slice(name.length);
}
