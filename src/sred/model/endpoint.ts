// Whether the model's endpoint can be reached at all: a TCP connection within 100 ms.
// Invariant: no byte is sent; the answer never takes longer than its limit.
import { connect } from "node:net";

const connectLimit = 100;

/** The proxy where one is set, else the configured or the standard endpoint. */
export function modelEndpoint(env: Readonly<Record<string, string | undefined>>): { host: string; port: number } {
  const standard = "https://api.anthropic.com";
  const base = env["ANTHROPIC_BASE_URL"] || standard;
  const secure = base.startsWith("https:");
  const proxy = secure ? env["HTTPS_PROXY"] || env["https_proxy"] : env["HTTP_PROXY"] || env["http_proxy"];
  const url = parsed(proxy || base) ?? new URL(standard);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (url.protocol === "http:" ? 80 : 443),
  };
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined; // not an address: the standard one is tried
  }
}

export function isReachable({ host, port }: { host: string; port: number }, ms = connectLimit): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (reachable: boolean) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(reachable);
    };
    // A process that was held up looks at the connection once more before it gives up.
    const limit = setTimeout(() => setImmediate(() => setImmediate(() => done(false))), ms);
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  });
}
