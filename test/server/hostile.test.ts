// What any program on this machine, or a web page in the user's browser, can send to loopback never reaches a gate.
// Each request is written byte by byte to a raw socket; afterwards the record is unchanged and only an empty refusal
// came back.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import type { ServerAddress } from "../../src/hook/server-address.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { forbidden, isRefusal, ordinary, pathOf, place, send, served } from "./server.js";

interface Parts {
  method?: string;
  path?: string;
  host?: string | undefined;
  headers?: string[];
  body?: string;
  type?: string | undefined;
  length?: string | undefined;
  token?: string | undefined;
  version?: string;
}

type Row = [name: string, request: string | string[]];

function rows(door: ServerAddress, body: string): Row[] {
  const host = `127.0.0.1:${door.port}`;
  const path = pathOf("PreToolUse");
  const request = (parts: Parts = {}): string => {
    const content = parts.body ?? body;
    const length = "length" in parts ? parts.length : String(Buffer.byteLength(content));
    const token = "token" in parts ? parts.token : door.token;
    const type = "type" in parts ? parts.type : "application/json";
    return [
      `${parts.method ?? "POST"} ${parts.path ?? path} HTTP/${parts.version ?? "1.1"}`,
      ...("host" in parts ? (parts.host === undefined ? [] : [`Host: ${parts.host}`]) : [`Host: ${host}`]),
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      ...(length === undefined ? [] : [`Content-Length: ${length}`]),
      ...(token === undefined ? [] : [`x-interlock-token: ${token}`]),
      ...(parts.headers ?? []),
      "",
      content,
    ].join("\r\n");
  };
  const wrong = `${door.token.slice(0, -1)}${door.token.endsWith("A") ? "B" : "A"}`;
  const chunked = {
    length: undefined,
    headers: ["Transfer-Encoding: chunked"],
    body: `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  };
  return [
    ["another host", request({ host: "evil.example" })],
    ["rebinding: a name that leads here", request({ host: `rebind.evil.example:${door.port}` })],
    ["rebinding: localhost", request({ host: `localhost:${door.port}` })],
    ["rebinding: [::1]", request({ host: `[::1]:${door.port}` })],
    ["rebinding: 0.0.0.0", request({ host: `0.0.0.0:${door.port}` })],
    ["our host without its port", request({ host: "127.0.0.1" })],
    ["our host with another port", request({ host: `127.0.0.1:${door.port + 1}` })],
    ["no host", request({ host: undefined })],
    ["two hosts", request({ headers: ["Host: evil.example"] })],
    ["the host twice", request({ headers: [`Host: ${host}`] })],
    ["an absolute address of another host", request({ path: `http://evil.example${path}` })],
    ["HTTP/1.0 without a host", request({ version: "1.0", host: undefined })],
    ["a page's origin", request({ headers: ["Origin: http://evil.example"] })],
    ["an opaque origin", request({ headers: ["Origin: null"] })],
    ["our own address as origin", request({ headers: [`Origin: http://${host}`] })],
    [
      "a page's request without origin",
      request({ headers: ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"] }),
    ],
    ["a page's form", request({ headers: ["Referer: http://evil.example/", "Cookie: a=b"] })],
    [
      "a preflight",
      request({ method: "OPTIONS", headers: ["Origin: http://evil.example", "Access-Control-Request-Method: POST"] }),
    ],
    ["GET", request({ method: "GET", body: "" })],
    ["HEAD", request({ method: "HEAD", body: "" })],
    ["PUT", request({ method: "PUT" })],
    ["DELETE", request({ method: "DELETE", body: "" })],
    ["TRACE", request({ method: "TRACE", body: "" })],
    ["CONNECT", request({ method: "CONNECT", path: host, body: "" })],
    [
      "a WebSocket",
      request({
        method: "GET",
        body: "",
        headers: [
          "Connection: Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        ],
      }),
    ],
    ["no word", request({ token: undefined })],
    ["a wrong word", request({ token: wrong })],
    ["half the word", request({ token: door.token.slice(0, 20) })],
    ["the word in a query", request({ token: undefined, path: `${path}?x-interlock-token=${door.token}` })],
    ["a query after the right address", request({ path: `${path}?x=1` })],
    ["a way up in the path", request({ path: "/hook/claude-code/PreToolUse/../../../about" })],
    ["what only the socket answers: about", request({ method: "GET", path: "/about", body: "" })],
    ["what only the socket answers: stop", request({ path: "/stop" })],
    ["what only the socket answers: switch", request({ path: "/switch" })],
    ["text/plain, as a form can send", request({ type: "text/plain" })],
    ["a form", request({ type: "application/x-www-form-urlencoded" })],
    ["no type", request({ type: undefined })],
    ["no length", request({ length: undefined })],
    ["chunks", request(chunked)],
    ["smuggled: length and chunks", request({ ...chunked, length: "4" })],
    ["smuggled: two lengths", request({ headers: ["Content-Length: 4"] })],
    ["smuggled: a list of lengths", request({ length: `${Buffer.byteLength(body)}, 4` })],
    ["a negative length", request({ length: "-1" })],
    ["a length that is no number", request({ length: "0x10" })],
    ["a length beyond every limit", request({ length: "999999999999" })],
    ["a header with a bare line feed", request({ headers: ["X: a\nOrigin: http://evil.example"] })],
    [
      "a head without end",
      [
        `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n`,
        ...Array.from({ length: 40 }, (_, i) => `X-${i}: ${"a".repeat(1000)}\r\n`),
      ],
    ],
    ["bytes that are no HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
    ["slow: a head that never ends", `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nX: `],
    ["slow: a body that never comes", request({ length: String(Buffer.byteLength(body) + 1) })],
  ];
}

function exchange(port: number, request: string | string[], ms: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let got = "";
    const over = () => {
      clearTimeout(limit);
      socket.destroy();
      resolve(got);
    };
    const limit = setTimeout(over, ms);
    socket.setEncoding("latin1").on("data", (part) => (got += part));
    socket.on("close", over);
    socket.on("error", () => {}); // reset by the server: "close" follows
    socket.on("connect", () => {
      for (const part of [request].flat()) socket.write(part, "latin1");
    });
  });
}

test("hostile requests change nothing and get no byte of data", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at);
  await send(door, ordinary(at));
  const store = openStore({ home: at.home, id: identify(at.project).id });
  const before = store.read();
  const { answered } = pool;
  const table = rows(door, ordinary(at));
  assert.ok(table.length >= 40);
  const got = await Promise.all(
    table.map(([name, request]) => exchange(door.port, request, name.startsWith("slow") ? 25_000 : 10_000)),
  );
  for (const [i, [name]] of table.entries()) {
    const head = got[i]!;
    assert.match(head, /^$|^HTTP\/1\.1 4\d\d /, name);
    assert.doesNotMatch(head, /access-control|interlock|application\/json|set-cookie/i, name);
    assert.equal(head.split("\r\n\r\n")[1] ?? "", "", name);
  }
  assert.equal(pool.answered, answered);
  assert.deepEqual(store.read().hash, before.hash);
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.equal(isRefusal(await send(door, ordinary(at))), false);
});

test("two requests in one write are two requests: what follows a smuggled length is not judged", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at);
  await send(door, ordinary(at));
  const { answered } = pool;
  const body = ordinary(at);
  const head = (length: number, host: string) =>
    `POST ${pathOf("PreToolUse")} HTTP/1.1\r\nHost: ${host}\r\nx-interlock-token: ${door.token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const host = `127.0.0.1:${door.port}`;
  await exchange(door.port, `${head(0, "evil.example")}${head(body.length, host)}${body}`, 3_000);
  assert.equal(pool.answered, answered);
});

test("slow connections are closed while others are answered", async (t) => {
  const at = place(t);
  const { door } = await served(at);
  const slow = Promise.all(
    Array.from({ length: 50 }, () => exchange(door.port, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", 25_000)),
  );
  for (let i = 0; i < 5; i++) assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.deepEqual(new Set(await slow), new Set([""]));
});
