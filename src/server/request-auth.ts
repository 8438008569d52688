// Request authentication: decides from the head alone, before the body is read, who may send events.
// Invariant: on loopback only a POST of JSON to our exact host with the right token is accepted, and nothing a browser
// sends.
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { tokenHeader } from "../hosts/claude-code/install/own-entries.js";

export interface HookRequest {
  event: string;
  length: number;
  /** Variables of the agent's environment, sent as headers. */
  env: Record<string, string>;
  /** A process that waits in the spool: it has the agent's environment and can decide by itself. */
  caller?: SpoolCaller;
  /** Time limit of this call, where it is shorter than the server's. */
  ms?: number;
}

export interface SpoolCaller {
  pid: number;
  /** Its descriptor of its reply file, and which file that is. */
  fd: number;
  file: string;
}

export interface RequestHead {
  method?: string;
  url?: string;
  headers: IncomingHttpHeaders;
  /** How many host headers it has. */
  hosts: number;
}

export interface RejectedRequest {
  status: number;
}

const envPrefix = "x-interlock-env-";

/** Headers only browsers send. */
const browserHeaders = [
  "origin",
  "referer",
  "sec-fetch-site",
  "sec-fetch-mode",
  "access-control-request-method",
  "cookie",
];

/** On loopback: any program on this machine can connect, so everything is checked. */
export function authenticate(head: RequestHead, port: number, token: string): HookRequest | RejectedRequest {
  const { headers, url = "" } = head;
  if (headers.host !== `127.0.0.1:${port}` || head.hosts !== 1) return { status: 421 };
  if (browserHeaders.some((name) => headers[name] !== undefined)) return { status: 403 };
  const event = /^\/hook\/claude-code\/([A-Za-z]{1,40})\/[\w:-]{1,80}$/.exec(url)?.[1];
  if (!event || !same(String(headers[tokenHeader]), token)) return { status: 404 };
  return body(head, event);
}

/** On the unix socket: only its owner can open it, so it needs no token. */
export function authenticateLocal(head: RequestHead): HookRequest | RejectedRequest {
  if (browserHeaders.some((name) => head.headers[name] !== undefined)) return { status: 403 };
  const event = /^\/hook\/claude-code\/([A-Za-z]{1,40})$/.exec(head.url ?? "")?.[1];
  return event ? body(head, event) : { status: 404 };
}

export const headOf = ({ method, url, headers, rawHeaders }: IncomingMessage): RequestHead => ({
  method,
  url,
  headers,
  hosts: rawHeaders.filter((each, i) => i % 2 === 0 && each.toLowerCase() === "host").length,
});

function body({ headers, method }: RequestHead, event: string): HookRequest | RejectedRequest {
  if (method !== "POST") return { status: 405 };
  if (!/^application\/json(?:\s*;.*)?$/i.test(headers["content-type"] ?? "")) return { status: 415 };
  const length = headers["content-length"];
  if (headers["transfer-encoding"] !== undefined || length === undefined || !/^\d{1,15}$/.test(length))
    return { status: 411 };
  return { event, length: Number(length), env: envOf(headers) };
}

/** In constant time; the length of the token is no secret. */
function same(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** An unset variable arrives empty. Header names have no case; the variables gates read are upper case. */
function envOf(headers: IncomingHttpHeaders): Record<string, string> {
  const env: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(envPrefix) || typeof value !== "string" || value === "") continue;
    env[name.slice(envPrefix.length).toUpperCase()] = Buffer.from(value, "latin1").toString("utf8");
  }
  return env;
}
