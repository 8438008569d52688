// The resident server of one user: owns the listening sockets and the calls, and leaves the thinking to a worker.
// Invariant: one per home (the lock says which); a worker's death is a delay to its callers, never a loss.
import { appendFileSync, chmodSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { unjudged } from "../hook/answer.js";
import { version } from "../hook/folders.js";
import { type Door, makeFolder, protocol, readDoor, serverFolder, serverPid } from "../hook/server-address.js";
import { always } from "../hook/spool-protocol.js";
import { limits } from "../hosts/claude-code/protocol/payload.js";
import type { JsonObject } from "../model/json.js";
import { systemClock } from "../store/clock.js";
import { realIo } from "../store/io.js";
import { type Lock, takeLock } from "../store/lock/lock.js";
import { answerPlain, type Plain } from "./http-fast-path.js";
import { draftDoor, writeDoor } from "./new-address.js";
import { type Asked, frontOf, type Head, headOf, localFrontOf, type Refused } from "./request-auth.js";
import { Keeper } from "./socket-holder.js";
import { Spool } from "./spool-server.js";
import { Crew, type CrewOptions, standardTimes } from "./worker-pool.js";

export interface Supervisor {
  door: Door;
  crew: Crew;
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<string>;
  end(why: string): Promise<void>;
}

export class PortTaken extends Error {}
export class AlreadyRunning extends Error {}

type Times = Partial<Pick<CrewOptions, "deadlineMs" | "stuckMs" | "restMs" | "maxRss">>;

/** A server that stands for itself has a keeper; one that a keeper started takes over the socket it held. */
export interface Kept {
  keep: boolean;
  listen?: number;
  revived?: number;
}

export async function supervise(
  home: string,
  script: string,
  times: Times = {},
  { keep, listen, revived = 0 }: Kept = { keep: false },
): Promise<Supervisor> {
  const folder = serverFolder(home);
  makeFolder(folder);
  // Whoever was told to start meanwhile could not listen and gives the lock back at once.
  const lock = onlyOne(home, listen === undefined ? 0 : 10_000);
  const say = logInto(join(folder, "log"));
  const servers: Opened[] = [];
  let keeper: Keeper | undefined;
  try {
    const ready = (variables: string[]) => spool.announce([...always, ...variables]);
    const crew = new Crew({ ...standardTimes, ...times, home, script, say, ready });
    const spool = new Spool(home, crew, say);
    const stop = new AbortController();
    const started = new Date().toISOString();
    const about = (): JsonObject => ({
      version,
      protocol,
      pid: process.pid,
      started,
      port: door.port,
      ...crew.about(),
    });
    const { door, opened } = await listenOnLoopback(home, crew, listen);
    servers.push(opened);
    if (keep && process.platform !== "win32")
      keeper = new Keeper({ home, script, server: opened.server, revived, say });
    servers.push(await listenOnSocket(door.socket, inside({ crew, about, stop: () => stop.abort("asked to stop") })));
    spool.open();
    crew.start();
    say(`supervisor ${process.pid}, version ${version}, on 127.0.0.1:${door.port} and ${door.socket}`);
    return guard({ door, crew, spool, servers, lock, home, stop, say, keeper });
  } catch (error) {
    keeper?.end();
    for (const { server } of servers) server.close();
    lock.release();
    throw error;
  }
}

function onlyOne(home: string, waitMs: number): Lock {
  try {
    return takeLock(realIo, serverFolder(home), systemClock, waitMs);
  } catch (error) {
    const pid = serverPid(home);
    if (pid !== undefined) throw new AlreadyRunning(`the server runs already, as process ${pid}`);
    throw error;
  }
}

const maxLog = 1 << 20;

function logInto(file: string): (line: string) => void {
  return (line) => {
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxLog) rmSync(file);
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // a log that cannot be written must not stop the server
    }
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Opened {
  server: Server;
  /** Lets go of its connections. */
  close(which: "idle" | "all"): void;
}

/** Short enough for who dawdles, long enough for a large payload on a busy machine. */
function strictServer(hear: Listener, plain?: Plain): Opened {
  const listener: Listener = (request, response) => {
    if (!refused.has(request.socket)) hear(request, response);
  };
  const server = createServer(
    {
      requestTimeout: 15_000,
      headersTimeout: 5_000,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 32 * 1024,
      noDelay: true,
      requireHostHeader: false, // ours to refuse: the server's own refusal has a body
    },
    listener,
  );
  server.maxConnections = 512;
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => listener(request, response));
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    turnAway(request, response, 417),
  );
  server.on("clientError", (_, socket) => socket.destroy());
  server.on("upgrade", (_, socket) => socket.destroy());
  server.on("connect", (_, socket) => socket.destroy());
  const quick = plain && answerPlain(server, plain);
  return {
    server,
    close(which) {
      quick?.close(which);
      if (which === "idle") server.closeIdleConnections();
      else server.closeAllConnections();
    },
  };
}

/** The port of the door, or a free one where there is no door yet; an address that is registered somewhere is never given up for another. */
async function listenOnLoopback(home: string, crew: Crew, inherited?: number): Promise<{ door: Door; opened: Opened }> {
  const known = readDoor(home);
  if (known && inherited !== undefined) {
    const opened = onLoopback(known, crew);
    await listening(opened.server, () => opened.server.listen({ fd: inherited }));
    const at = opened.server.address();
    if (typeof at === "object" && at?.port === known.port && at.address === "127.0.0.1") return { door: known, opened };
    opened.server.close(); // not the socket of this home's address
  }
  for (let tries = 0; ; tries++) {
    const door = known ?? draftDoor(home);
    const opened = onLoopback(door, crew);
    try {
      await listening(opened.server, () =>
        opened.server.listen({ port: door.port, host: "127.0.0.1", exclusive: true, backlog: 511 }),
      );
      if (!known) writeDoor(home, door);
      return { door, opened };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      if (known || tries >= 20)
        throw new PortTaken(`port ${door.port}, which the registered hooks call, is taken by another program`);
    }
  }
}

function onLoopback({ port, token }: Door, crew: Crew): Opened {
  const look = (head: Head) => frontOf(head, port, token);
  const headers = Object.entries(ourHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return strictServer(front(look, crew), {
    look,
    ask: (asked, body) => crew.ask(asked, body),
    headers: headers.join(""),
  });
}

async function listenOnSocket(path: string, listener: Listener): Promise<Opened> {
  const opened = strictServer(listener);
  if (process.platform !== "win32") {
    makeFolder(dirname(path));
    rmSync(path, { recursive: true, force: true }); // ours by the lock: what lies there is a dead server's
  }
  const before = process.umask(0o177);
  try {
    await listening(opened.server, () => opened.server.listen(path));
  } finally {
    process.umask(before);
  }
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return opened;
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      server.on("error", () => {}); // of one connection: the others go on
      resolve();
    });
    listen();
  });
}

function front(look: (head: Head) => Asked | Refused, crew: Crew): Listener {
  return (request, response) => {
    const asked = look(headOf(request));
    if ("status" in asked) return turnAway(request, response, asked.status);
    if (request.headers.expect) response.writeContinue();
    receive(request, asked.length, (body) => {
      if (!body)
        return send(
          response,
          unjudged(asked.event, `its description is ${asked.length} bytes long, more than ${limits.bytes}`),
        );
      void crew.ask(asked, body).then((text) => send(response, text));
    });
  };
}

/** Connections that were turned away: what was sent along behind the refused request is not heard either. */
const refused = new WeakSet<Socket>();

const ourHeaders = { "content-type": "application/json", "x-interlock": `${version}; protocol=${protocol}` };

/** No word about why, no byte of ours. */
function turnAway(request: IncomingMessage, response: ServerResponse, status: number): void {
  refused.add(request.socket);
  response.sendDate = false;
  response.writeHead(status, { "content-length": "0", connection: "close" });
  response.end(() => request.socket.destroy());
}

/** Undefined: it was too long and is not kept. */
function receive(request: IncomingMessage, length: number, whole: (body: Buffer | undefined) => void): void {
  const parts: Buffer[] = [];
  const keep = length <= limits.bytes;
  if (length > 8 * limits.bytes) return void request.socket.destroy();
  request.on("data", (part: Buffer) => {
    if (keep) parts.push(part);
  });
  request.on("end", () => whole(keep ? Buffer.concat(parts) : undefined));
  request.on("error", () => {}); // it went away before it had said everything: there is nothing to answer
}

function send(response: ServerResponse, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(200, { ...ourHeaders, "content-length": String(bytes.length) });
  response.end(bytes);
}

interface Inside {
  crew: Crew;
  about(): JsonObject;
  stop(): void;
}

/** The socket's requests: hooks of the shim, and what the command line asks. */
function inside({ crew, about, stop }: Inside): Listener {
  const hook = front(localFrontOf, crew);
  return (request, response) => {
    const spoken = request.headers["x-interlock-protocol"];
    if (spoken !== undefined && spoken !== String(protocol)) return turnAway(request, response, 409);
    if (request.url?.startsWith("/hook/")) return hook(request, response);
    if (request.headers.origin !== undefined) return turnAway(request, response, 403);
    const route = `${request.method} ${request.url}`;
    if (route === "GET /about") return send(response, JSON.stringify(about()));
    if (route === "POST /stop") {
      send(response, JSON.stringify({ stopping: true }));
      return stop();
    }
    if (route === "POST /switch")
      return receive(request, Number(request.headers["content-length"] ?? 0), (body) => {
        const script = String(body);
        void crew.switchTo(script).then((done) => send(response, JSON.stringify(done)));
      });
    turnAway(request, response, 404);
  };
}

interface Guarded {
  door: Door;
  crew: Crew;
  spool: Spool;
  servers: Opened[];
  lock: Lock;
  home: string;
  stop: AbortController;
  say(line: string): void;
  keeper: Keeper | undefined;
}

function guard({ door, crew, spool, servers, lock, home, stop, say, keeper }: Guarded): Supervisor {
  let over: Promise<void> | undefined;
  let tell: (why: string) => void = () => {};
  const ended = new Promise<string>((resolve) => (tell = resolve));
  const end = (why: string): Promise<void> => {
    over ??= (async () => {
      clearInterval(timer);
      say(`ending: ${why}`);
      keeper?.end();
      spool.close();
      for (const { server, close } of servers) {
        server.close();
        close("idle");
      }
      await crew.end(5_000);
      for (const { close } of servers) close("all");
      lock.release();
      tell(why);
    })();
    return over;
  };
  const idleMs = door.idleMinutes * 60_000;
  const timer = setInterval(() => {
    crew.tend();
    if (serverPid(home) !== process.pid) void end("its lock is gone or another's");
    else if (idleMs && !crew.open && performance.now() - crew.lastCall > idleMs)
      void end(`no event for ${door.idleMinutes} minutes`);
    else spool.tend();
  }, 250);
  stop.signal.addEventListener("abort", () => void end(String(stop.signal.reason)));
  return { door, crew, ended, end };
}
