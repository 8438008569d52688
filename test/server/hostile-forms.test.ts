// Requests that parsers read differently (folded, doubled, pipelined, misspelt, incomplete): none is accepted, none
// gets a byte of data.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import type { ServerAddress } from "../../src/hook/server-address.js";
import { limits } from "../../src/model/limits.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { ordinary, pathOf, place, send, served, until } from "./server.js";

const end = "\r\n";

/** Each is a whole conversation, written as it stands; the secret in it is the right one unless it says otherwise. */
function forms(door: ServerAddress, body: string): [name: string, bytes: string][] {
  const path = pathOf("PreToolUse");
  const host = `Host: 127.0.0.1:${door.port}`;
  const word = `x-interlock-token: ${door.token}`;
  const type = "Content-Type: application/json";
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const usual = [host, type, length, word];
  const say = (first: string, headers: string[], content = body, eol = end) =>
    [first, ...headers, "", content].join(eol);
  const post = (headers: string[], content?: string, eol?: string) =>
    say(`POST ${path} HTTP/1.1`, headers, content, eol);
  const to = (target: string) => say(`POST ${target} HTTP/1.1`, usual);
  const from = (name: string) => post([`Host: ${name}`, type, length, word]);
  const sized = (line: string) => post([host, type, word, line]);
  const typed = (line: string) => post([host, line, length, word]);
  const wordless = [host, type, length];
  const whole = post(usual);
  const chunk = `${Buffer.byteLength(body).toString(16)}${end}${body}${end}0${end}${end}`;
  return [
    // the host, in other spellings of the same address
    ["host with a dot at the end", from(`127.0.0.1.:${door.port}`)],
    ["host in short", from(`127.1:${door.port}`)],
    ["host as one number", from(`2130706433:${door.port}`)],
    ["host in octal", from(`0177.0.0.1:${door.port}`)],
    ["host mapped into IPv6", from(`[::ffff:127.0.0.1]:${door.port}`)],
    ["host with a user", from(`x@127.0.0.1:${door.port}`)],
    ["host with a zero before the port", from(`127.0.0.1:0${door.port}`)],
    ["host with a path", from(`127.0.0.1:${door.port}/`)],
    ["host, and another after a comma", from(`127.0.0.1:${door.port}, evil.example`)],
    ["empty host", from("")],
    // where it is said to go
    ["absolute form of our own address", to(`http://127.0.0.1:${door.port}${path}`)],
    ["absolute form with a user", to(`http://127.0.0.1:${door.port}@evil.example${path}`)],
    ["asterisk", say("OPTIONS * HTTP/1.1", usual)],
    ["two slashes before", to(`/${path}`)],
    ["an encoded letter", to(path.replace("Pre", "Pr%65"))],
    ["an encoded nul", to(`${path}%00`)],
    ["a fragment", to(`${path}#x`)],
    ["a backslash", to(path.replaceAll("/", "\\"))],
    ["another host's hooks", to(path.replace("claude-code", "codex"))],
    // the word
    ["the word twice, right and wrong", post([...usual, "x-interlock-token: x"])],
    ["the word twice, both right", post([...usual, word])],
    ["the word as a password", post([...wordless, `Authorization: Bearer ${door.token}`])],
    ["the word as a cookie", post([...wordless, `Cookie: x-interlock-token=${door.token}`])],
    ["the word folded into the next line", post([...wordless, "x-interlock-token:", ` ${door.token}`])],
    ["the word after a space before the colon", post([...wordless, `x-interlock-token : ${door.token}`])],
    ["the word with a nul", post([...wordless, `${word}\u0000`])],
    ["an empty word", post([...wordless, "x-interlock-token:"])],
    [
      "the word in a trailer",
      post(
        [host, type, "Transfer-Encoding: chunked", "Trailer: x-interlock-token"],
        chunk.replace(/\r\n\r\n$/, `${end}${word}${end}${end}`),
      ),
    ],
    // lengths
    ["a length with a plus", sized(`Content-Length: +${Buffer.byteLength(body)}`)],
    ["a length as a power", sized("Content-Length: 1e3")],
    ["an empty length", sized("Content-Length:")],
    ["two equal lengths", post([...usual, length])],
    ["chunks, in capitals and with a tab", post([host, type, word, "Transfer-Encoding:\tCHUNKED"], chunk)],
    ["chunks said twice over", post([host, type, word, "Transfer-Encoding: identity, chunked"], chunk)],
    [
      "chunks beside a length of nothing",
      post([host, type, word, "Content-Length: 0", "Transfer-Encoding: chunked"], chunk),
    ],
    ["a coding nobody knows", post([...usual, "Transfer-Encoding: xchunked"])],
    // types
    ["a type that only begins like ours", typed("Content-Type: application/jsonp")],
    ["two types in one", typed("Content-Type: text/plain, application/json")],
    ["a form's type beside ours", typed("Content-Type: multipart/form-data; x=application/json")],
    // what pages send along
    [
      "a preflight to a private network",
      say(
        `OPTIONS ${path} HTTP/1.1`,
        [
          host,
          "Origin: https://evil.example",
          "Access-Control-Request-Method: POST",
          "Access-Control-Request-Private-Network: true",
        ],
        "",
      ),
    ],
    ["an empty origin", post([...usual, "Origin:"])],
    ["two origins", post([...usual, "Origin: null", "Origin: http://127.0.0.1"])],
    ["a page's module worker", post([...usual, "Sec-Fetch-Mode: cors"])],
    // other tongues
    ["the oldest HTTP", `GET ${path}${end}`],
    ["HTTP/2 without asking", `PRI * HTTP/2.0${end}${end}SM${end}${end}`],
    [
      "HTTP/2 after asking",
      post([...usual, "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]),
    ],
    ["a version to come", say(`POST ${path} HTTP/3.0`, usual)],
    ["a method in small letters", say(`post ${path} HTTP/1.1`, usual)],
    ["a method said in a header", say(`GET ${path} HTTP/1.1`, [host, type, word, "X-HTTP-Method-Override: POST"], "")],
    ["bare line feeds", post(usual, body, "\n")],
    ["bare carriage returns", post(usual, body, "\r")],
    ["a header line without a colon", post([...usual, "nonsense"])],
    ["a header with a nul", post([...usual, "x: a\u0000b"])],
    ["an expectation nobody meets", post([...usual, "Expect: 300-maybe"])],
    ["one header of 64 KB", post([...usual, `x: ${"a".repeat(65_536)}`])],
    // what follows on the same connection
    ["the right one after a refused one", from("evil.example") + whole],
    [
      "the right one hidden in the body of a refused one",
      say("POST / HTTP/1.1", [host, "Content-Type: text/plain", `Content-Length: ${Buffer.byteLength(whole)}`], whole),
    ],
    [
      "the right one behind a body that was said to be shorter",
      say("POST / HTTP/1.1", [host, "Content-Type: text/plain", "Content-Length: 1"], `x${whole}`),
    ],
    ["the right one behind a GET with a body", say(`GET ${path} HTTP/1.1`, [host, word, "Content-Length: 0"], whole)],
    [
      "the right one behind an upgrade",
      say("GET / HTTP/1.1", [host, "Connection: Upgrade", "Upgrade: websocket"], whole),
    ],
    ["the right one behind a tunnel", say(`CONNECT 127.0.0.1:${door.port} HTTP/1.1`, [host], whole)],
  ];
}

/** What came back until the server closed the connection or stayed silent, without the answer to `first`. */
function conversation(port: number, bytes: string, { address = "127.0.0.1", first = "" } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    let got = "";
    let opened = first === "";
    const over = () => {
      clearTimeout(limit);
      socket.destroy();
      resolve(opened ? got : `nothing came of the first: ${got}`);
    };
    const limit = setTimeout(over, limits.request + 5_000); // the server closes incomplete requests before
    socket.setEncoding("latin1").on("data", (part) => {
      got += part;
      if (opened || !got.endsWith("{}")) return;
      opened = true;
      got = "";
      socket.write(bytes, "latin1");
    });
    socket.on("close", over);
    socket.on("error", () => {}); // reset by the server: "close" follows
    socket.on("connect", () => socket.write(first || bytes, "latin1"));
  });
}

const right = (door: ServerAddress, body: string): string =>
  [
    `POST ${pathOf("PreToolUse")} HTTP/1.1`,
    `Host: 127.0.0.1:${door.port}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-interlock-token: ${door.token}`,
    "",
    body,
  ].join(end);

for (const when of ["on a connection of its own", "after one that was let in"])
  test(`malformed requests are rejected ${when}: no record, no data in the answer`, async (t) => {
    const at = place(t);
    const { door, pool } = await served(at);
    assert.equal(await send(door, ordinary(at)), "{}");
    const all = forms(door, ordinary(at));
    assert.ok(all.length >= 40);
    const seq = () => openStore({ home: at.home, id: identify(at.project).id }).read().seq;
    const [before, answered] = [seq(), pool.answered];
    const first = when.startsWith("after") ? right(door, ordinary(at)) : "";
    const said = await Promise.all(
      all.map(async ([name, bytes]) => [name, await conversation(door.port, bytes, { first })] as const),
    );
    for (const [name, text] of said) {
      const [head = "", ...rest] = text.split("\r\n\r\n");
      assert.match(head, /^$|^HTTP\/1\.1 [45]\d\d [\w -]+(\r\n(content-length: 0|connection: close))*$/i, name);
      assert.equal(rest.join(""), "", name);
    }
    const letIn = first ? all.length : 0;
    assert.equal(pool.answered, answered + letIn, "nobody else was asked");
    assert.equal(seq(), before + letIn);
    assert.equal(await send(door, ordinary(at)), "{}", "and who may speak is still heard");
  });

test("pipelined requests are answered in order, each once", async (t) => {
  const at = place(t);
  const { door, pool } = await served(at);
  assert.equal(await send(door, ordinary(at)), "{}");
  const { answered } = pool;
  const one = () => right(door, ordinary(at));
  const socket = connect(door.port, "127.0.0.1");
  let got = "";
  socket.setEncoding("latin1").on("data", (part) => (got += part));
  socket.on("error", () => {}); // seen by what is missing
  t.after(() => socket.destroy());
  const answers = () => got.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
  const worker = (pool.about()["worker"] as { pid: number }).pid;
  process.kill(worker, "SIGSTOP");
  for (let i = 0; i < 2; i++) {
    socket.write(one());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.kill(worker, "SIGCONT");
  await until(() => answers() === 2);
  for (let i = 3; i <= 5; i++) {
    socket.write(one());
    await until(() => answers() === i);
  }
  socket.write(one() + one() + one());
  await until(() => answers() === 8);
  assert.equal(pool.answered, answered + 8);
});

test("the server is not reachable from other machines", async (t) => {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = all.find((each) => !each.internal && each.family === "IPv4");
  if (!outside) return t.skip("this machine has no other address");
  const at = place(t);
  const { door } = await served(at);
  assert.equal(await conversation(door.port, `GET / HTTP/1.1${end}${end}`, { address: outside.address }), "");
});
