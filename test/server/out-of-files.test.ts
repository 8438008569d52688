// Out of descriptors the server sheds load and comes back; idle connections of others do not lock the owner out.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { readAddress, serverPid } from "../../src/hook/server-address.js";
import { noticeIn, spoolFolder } from "../../src/hook/spool-protocol.js";
import { forbidden, isRefusal, ordinary, place, program, send, served, until } from "./server.js";

const idle = async (port: number, count: number): Promise<Socket[]> => {
  const sockets = Array.from({ length: count }, () => connect({ port, host: "127.0.0.1" }));
  for (const socket of sockets) socket.on("error", () => {}); // shed: that is what is tested
  await Promise.all(sockets.map((s) => Promise.race([once(s, "connect"), once(s, "close")])));
  return sockets;
};

test("out of descriptors the server lives, and answers again when they come free", async (t) => {
  const at = place(t);
  const words = ["-c", 'ulimit -n 48; exec "$@"', "sh", process.execPath, program, "serve", "--home", at.home];
  const server = spawn("sh", words, { env: at.env, stdio: "ignore" });
  const ended = once(server, "exit");
  at.before(() => server.kill() && ended);
  await until(() => existsSync(noticeIn(spoolFolder(at.home))) && readAddress(at.home) !== undefined, 60_000);
  const door = readAddress(at.home)!;
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  const worker = Number((await import("node:child_process")).execFileSync("pgrep", ["-P", `${server.pid}`, "node"]));
  const sockets = await idle(door.port, 60);
  process.kill(worker, "SIGKILL");
  // The limit is reached, and a worker has to be started meanwhile: calls fail or are refused, the server stays.
  const during = await send(door, ordinary(at), "PreToolUse", 5_000).catch((error: Error) => error);
  assert.ok(during instanceof Error || isRefusal(during) || during === "{}");
  assert.equal(server.exitCode, null);
  for (const socket of sockets) socket.destroy();
  await until(async () => {
    const answer = await send(door, forbidden(at)).catch(() => "{}");
    return answer.includes("guard/self-protect");
  }, 60_000);
  assert.equal(await send(door, ordinary(at)), "{}");
  assert.equal(serverPid(at.home), server.pid);
});

test("600 idle connections that never show the token do not keep the owner out", async (t) => {
  const at = place(t);
  const { door } = await served(at);
  const sockets = await idle(door.port, 600);
  assert.equal(isRefusal(await send(door, forbidden(at))), true);
  assert.equal(await send(door, ordinary(at)), "{}");
  const open = sockets.filter((socket) => !socket.destroyed && socket.readyState === "open").length;
  assert.ok(open <= 140, `${open} idle connections are still open`);
  for (const socket of sockets) socket.destroy();
});

test("bodies under way are bounded: what exceeds the bound is refused before it is read", async (t) => {
  const at = place(t);
  const { door } = await served(at);
  const head = `POST /hook/claude-code/PreToolUse/x HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\n`;
  const rest = `X-Interlock-Token: ${door.token}\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n{`;
  const sockets = await idle(door.port, 12);
  const answers = sockets.map(
    (socket) =>
      new Promise<string>((resolve) => {
        let text = "";
        socket.on("data", (part) => (text += part));
        socket.on("close", () => resolve(text));
      }),
  );
  for (const socket of sockets) socket.write(head + rest);
  const first = await Promise.race(answers);
  assert.match(first, /calls are being received already/);
  assert.equal(isRefusal(first.slice(first.indexOf("{"))), true);
  assert.equal(await send(door, ordinary(at)), "{}", "small calls still find room");
  for (const socket of sockets) socket.destroy();
});
