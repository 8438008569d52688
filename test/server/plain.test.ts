// Requests read by hand and requests read by node:http: whatever the bytes, the same is let in and the same is refused.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { tokenHeader } from "../../src/hosts/claude-code/install/own-entries.js";
import { isRefusal, ordinary, pathOf, place, served } from "./server.js";

/**
 * Sends the pieces one after the other; resolves to all that came back once the other side has closed the connection,
 * or has sent `answers` answers and then nothing more for a moment.
 */
function talk(port: number, pieces: readonly (string | Buffer)[], answers: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? end() : reject(error),
    );
    socket.on("close", end);
    socket.on("data", (part) => {
      text += part.toString("latin1");
      clearTimeout(timer);
      if (statuses(text).length >= answers) timer = setTimeout(end, 400);
    });
    socket.on("connect", async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((next) => setTimeout(next, 20));
      }
    });
  });
}

const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((m) => m[1]!);

test("requests sent in one piece and in two get the same status", async (t) => {
  const at = place(t);
  const { door } = await served(at);
  const body = ordinary(at);
  const length = Buffer.byteLength(body);
  const usual = [
    `host: 127.0.0.1:${door.port}`,
    "content-type: application/json",
    `${tokenHeader}: ${door.token}`,
    `content-length: ${length}`,
  ];
  const head = (lines: readonly string[], first = `POST ${pathOf("PreToolUse")} HTTP/1.1`) =>
    `${[first, ...lines].join("\r\n")}\r\n\r\n`;
  const without = (n: number) => usual.filter((_, i) => i !== n);
  const cases: Record<string, [request: string, wanted: string[]]> = {
    plain: [head(usual) + body, ["200"]],
    "names in capitals": [head(usual.map((l) => l.replace(/^[a-z-]+/, (n) => n.toUpperCase()))) + body, ["200"]],
    "no blank after the colon": [head(usual.map((l) => l.replace(": ", ":"))) + body, ["200"]],
    "told to keep the connection": [head([...usual, "connection: keep-alive"]) + body, ["200"]],
    "told to close it": [head([...usual, "connection: close"]) + body, ["200"]],
    "two in one piece": [(head(usual) + body).repeat(2), ["200", "200"]],
    "a second, refused": [head(usual) + body + head(without(2)) + body, ["200", "404"]],
    "a refused one first": [head(without(2)) + body + head(usual) + body, ["404"]],
    "the length twice, the same": [head([...usual, `content-length: ${length}`]) + body, []],
    "the length twice, another": [head([...usual, "content-length: 2"]) + body, []],
    "the length and chunks": [head([...usual, "transfer-encoding: chunked"]) + body, []],
    "the host twice": [head([...usual, `host: 127.0.0.1:${door.port}`]) + body, ["421"]],
    "another host": [head(["host: example.org", ...without(0)]) + body, ["421"]],
    "a page's origin": [head([...usual, "origin: http://example.org"]) + body, ["403"]],
    "another word": [head([...without(2), `${tokenHeader}: ${"0".repeat(door.token.length)}`]) + body, ["404"]],
    "the word twice": [head([...usual, `${tokenHeader}: ${door.token}`]) + body, ["404"]],
    "another type": [head([...without(1), "content-type: text/plain"]) + body, ["415"]],
    "no length": [head(without(3)), ["411"]],
    "another method": [head(usual, `PUT ${pathOf("PreToolUse")} HTTP/1.1`) + body, ["405"]],
    "another path": [head(usual, "POST /hook/claude-code/ HTTP/1.1") + body, ["404"]],
    "another version": [head(usual, `POST ${pathOf("PreToolUse")} HTTP/1.0`) + body, ["200"]],
    "no version": [`POST ${pathOf("PreToolUse")}\r\n\r\n`, ["421"]],
    "a folded line": [head([...usual, "x-a: b", "\tc"]) + body, []],
    "a bare line feed": [head(usual).replaceAll("\r\n", "\n") + body, []],
    "a NUL in a value": [head([...usual, "x-a: \0"]) + body, []],
    "a name with a blank": [head([...usual, "x a: b"]) + body, []],
    "a head too long": [head([...usual, `x-a: ${"a".repeat(40_000)}`]) + body, []],
  };
  for (const [name, [request, wanted]] of Object.entries(cases)) {
    const whole = statuses(await talk(door.port, [request], wanted.length));
    const cut = statuses(await talk(door.port, [request.slice(0, 10), request.slice(10)], wanted.length));
    assert.deepEqual(whole, cut, `${name}: in one piece and in two`);
    assert.deepEqual(whole, wanted, name);
  }
});

test("pipelined requests are answered in order", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at);
  const request = (more = "") => {
    const body = ordinary(at);
    const lines = [
      `POST ${pathOf("PreToolUse")} HTTP/1.1`,
      `host: 127.0.0.1:${door.port}`,
      "content-type: application/json",
      `${tokenHeader}: ${door.token}`,
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    return `${lines.join("\r\n")}${more}\r\n\r\n${body}`;
  };
  const before = pool.answered;
  const third = request();
  // Not waiting for answers: the second and third come while the first is judged.
  const pieces = [request(), request("\r\nx-other: 1") + third.slice(0, 50), third.slice(50), request()];
  const text = await talk(door.port, pieces, 4);
  assert.deepEqual(statuses(text), ["200", "200", "200", "200"]);
  assert.equal(pool.answered - before, 4);
  for (const [, answer] of text.matchAll(/\r\n\r\n(\{.*?\})(?=HTTP|$)/g)) assert.equal(isRefusal(answer!), false);
});

test("silent and aborted connections do not block others", async (t) => {
  const at = place(t);
  const server = await served(at);
  const { door, pool } = server;
  const silent = connect(door.port, "127.0.0.1").on("error", () => {});
  const gone = connect(door.port, "127.0.0.1").on("error", () => {});
  gone.write(`POST ${pathOf("PreToolUse")} HTTP/1.1\r\nhost: 127.0.0.1`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  gone.destroy();
  assert.equal(pool.open, 0);
  const closed = new Promise((resolve) => silent.once("close", resolve));
  await server.end("the test asks for it");
  await closed;
});
