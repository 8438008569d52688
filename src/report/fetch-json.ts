// One HTTP request for JSON. Invariant: it ends: 10 seconds to connect, 30 for the whole, 5 MB at most, no redirect.
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";

export interface JsonRequest {
  method?: "GET" | "POST" | "HEAD";
  headers?: Record<string, string>;
  body?: unknown;
  /** Ends the request from outside, with the section it is for. */
  signal?: AbortSignal;
  connectMs?: number;
  wholeMs?: number;
}

const maxAnswer = 5 << 20;

export class SourceError extends Error {}

interface HttpAnswer {
  status: number;
  text: string;
  /** The host a redirect leads to. */
  redirect?: string;
}

/** The answer's status and text. A failure is a SourceError whose sentence names the host, never the headers. */
export function fetchText(url: string, options: JsonRequest = {}): Promise<HttpAnswer> {
  const { method = "GET", body, connectMs = 10_000, wholeMs = 30_000, signal } = options;
  const target = new URL(url);
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const headers: Record<string, string> = { accept: "application/json", "user-agent": "interlock-report" };
  if (sent !== undefined) {
    headers["content-type"] = "application/json";
    headers["content-length"] = String(Buffer.byteLength(sent));
  }
  return new Promise((resolve, reject) => {
    const start = target.protocol === "https:" ? requestTls : requestPlain;
    const request = start(target, { method, headers: { ...headers, ...options.headers } });
    const fail = (why: string) => {
      finish();
      request.destroy();
      reject(new SourceError(`${target.host} ${why}`));
    };
    const connecting = setTimeout(() => fail(`could not be reached within ${connectMs / 1000} s`), connectMs);
    const whole = setTimeout(() => fail(`did not answer within ${wholeMs / 1000} s`), wholeMs);
    const stop = () => fail("did not answer in time");
    signal?.addEventListener("abort", stop, { once: true });
    const finish = () => {
      clearTimeout(connecting);
      clearTimeout(whole);
      signal?.removeEventListener("abort", stop);
    };
    const connected = target.protocol === "https:" ? "secureConnect" : "connect";
    request.on("socket", (socket) => socket.once(connected, () => clearTimeout(connecting)));
    request.on("error", (error: NodeJS.ErrnoException) =>
      fail(`could not be reached (${error.code ?? error.message})`),
    );
    request.on("response", (response) => {
      clearTimeout(connecting);
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > maxAnswer) fail("sent more than 5 MB");
        else parts.push(part);
      });
      response.on("error", () => fail("broke off its answer"));
      response.on("aborted", () => fail("broke off its answer"));
      response.on("end", () => {
        finish();
        const { statusCode: status = 0, headers } = response;
        const redirect = headers.location && URL.canParse(headers.location, url) && new URL(headers.location, url).host;
        resolve({ status, text: Buffer.concat(parts).toString("utf8"), ...(redirect && { redirect }) });
      });
    });
    request.end(sent);
    if (signal?.aborted) stop();
  });
}

/** The parsed answer. Not 2xx, or no JSON object or list: a SourceError. */
export async function fetchJson(url: string, options: JsonRequest = {}): Promise<unknown> {
  const { status, text, redirect } = await fetchText(url, options);
  const { host } = new URL(url);
  if (status === 401 || status === 403) throw new SourceError(`${host} refused the key (status ${status})`);
  if (status >= 300 && status < 400 && redirect)
    throw new SourceError(`${host} redirects to ${redirect}: configure the address that answers itself`);
  if (status < 200 || status > 299) throw new SourceError(`${host} answered with status ${status}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SourceError(`${host} answered with something that is not JSON`);
  }
  if (typeof value !== "object" || value === null) throw new SourceError(`${host} answered with no JSON object`);
  return value;
}

/** An address below a configured one, which may have a path of its own: https://git.example/api/v3. */
export const addressBelow = (base: string, path: string): string => `${base.replace(/\/+$/, "")}${path}`;

/** A value deep in a JSON answer; undefined where the way does not exist. */
export function dig(value: unknown, ...path: (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

export const numberAt = (value: unknown, ...path: (string | number)[]): number | undefined => {
  const found = dig(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
};

export const textAt = (value: unknown, ...path: (string | number)[]): string | undefined => {
  const found = dig(value, ...path);
  return typeof found === "string" ? found : undefined;
};

export const listAt = (value: unknown, ...path: (string | number)[]): unknown[] | undefined => {
  const found = dig(value, ...path);
  return Array.isArray(found) ? found : undefined;
};
