// The head of a request, judged before a byte of its body is read: who may speak here, and what is asked.
// Invariant: on loopback only a POST of JSON to our exact host with the right word gets through; whatever a browser sends does not.
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { tokenHeader } from "../hosts/claude-code/install/own-entries.js";

export interface Asked {
  event: string;
  length: number;
  /** Variables of the agent's environment, as headers. */
  env: Record<string, string>;
  /** A process that waits in the spool: it has the agent's environment and can decide by itself. */
  caller?: Caller;
  /** Less time than a call has otherwise. */
  ms?: number;
}

export interface Caller {
  pid: number;
  /** Its descriptor of the place where it waits, and that place. */
  fd: number;
  file: string;
}

export interface Head {
  method?: string;
  url?: string;
  headers: IncomingHttpHeaders;
  /** How often it names its host. */
  hosts: number;
}

export interface Refused {
  status: number;
}

const envPrefix = "x-interlock-env-";

/** What only browsers send, or send on behalf of a page. */
const browsers = ["origin", "referer", "sec-fetch-site", "sec-fetch-mode", "access-control-request-method", "cookie"];

/** Loopback: anything on this machine can reach it, so everything is checked. */
export function frontOf(head: Head, port: number, token: string): Asked | Refused {
  const { headers, url = "" } = head;
  if (headers.host !== `127.0.0.1:${port}` || head.hosts !== 1) return { status: 421 };
  if (browsers.some((name) => headers[name] !== undefined)) return { status: 403 };
  const event = /^\/hook\/claude-code\/([A-Za-z]{1,40})\/[\w:-]{1,80}$/.exec(url)?.[1];
  if (!event || !same(String(headers[tokenHeader]), token)) return { status: 404 };
  return body(head, event);
}

/** The socket: only its owner can open it, so there is no word to know. */
export function localFrontOf(head: Head): Asked | Refused {
  if (browsers.some((name) => head.headers[name] !== undefined)) return { status: 403 };
  const event = /^\/hook\/claude-code\/([A-Za-z]{1,40})$/.exec(head.url ?? "")?.[1];
  return event ? body(head, event) : { status: 404 };
}

export const headOf = ({ method, url, headers, rawHeaders }: IncomingMessage): Head => ({
  method,
  url,
  headers,
  hosts: rawHeaders.filter((each, i) => i % 2 === 0 && each.toLowerCase() === "host").length,
});

function body({ headers, method }: Head, event: string): Asked | Refused {
  if (method !== "POST") return { status: 405 };
  if (!/^application\/json(?:\s*;.*)?$/i.test(headers["content-type"] ?? "")) return { status: 415 };
  const length = headers["content-length"];
  if (headers["transfer-encoding"] !== undefined || length === undefined || !/^\d{1,15}$/.test(length))
    return { status: 411 };
  return { event, length: Number(length), env: envOf(headers) };
}

/** In constant time; how long the word is, is no secret. */
function same(given: string, word: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(word)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** An unset variable arrives empty; header names have no case, the variables gates name are upper case. */
function envOf(headers: IncomingHttpHeaders): Record<string, string> {
  const env: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(envPrefix) || typeof value !== "string" || value === "") continue;
    env[name.slice(envPrefix.length).toUpperCase()] = Buffer.from(value, "latin1").toString("utf8");
  }
  return env;
}
