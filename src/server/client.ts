// What the command line asks of a running server, over its socket.
// Invariant: a server that does not answer in time is told apart from one that is not there.
import { request } from "node:http";
import type { JsonObject } from "../model/json.js";

export interface About extends JsonObject {
  version: string;
  protocol: number;
  pid: number;
  started: string;
  port: number;
}

/** Undefined: nobody answers there. */
export function requestServer(
  socket: string,
  method: "GET" | "POST",
  path: string,
  body = "",
  ms = 3_000,
): Promise<JsonObject | undefined> {
  return new Promise((resolve) => {
    const asked = request(
      { socketPath: socket, method, path, headers: { host: "localhost", "content-length": Buffer.byteLength(body) } },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("end", () => resolve(parsed(text)));
        response.on("error", () => resolve(undefined));
      },
    );
    asked.setTimeout(ms, () => asked.destroy());
    asked.on("error", () => resolve(undefined)); // nobody there, or nobody in time
    asked.end(body);
  });
}

function parsed(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined; // not a server of ours
  }
}

export const aboutServer = async (socket: string, ms?: number): Promise<About | undefined> =>
  (await requestServer(socket, "GET", "/about", "", ms)) as About | undefined;

/** As the agent's http hook does it; rejects with what went wrong. */
export function post(url: string, headers: Record<string, string>, body: string, ms: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const all = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)), ...headers };
    const asked = request(url, { method: "POST", headers: all, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("end", () =>
        response.statusCode === 200
          ? resolve(text)
          : reject(new Error(`the server answered with status ${response.statusCode}`)),
      );
      response.on("error", reject);
    });
    asked.setTimeout(ms, () => asked.destroy(new Error(`no answer within ${ms} ms`)));
    asked.on("error", (error) => reject(new Error(`the server could not be asked: ${error.message}`)));
    asked.end(body);
  });
}
