// The resident server of one user: owns the listening sockets and the open calls, and leaves judging to a worker.
// Invariant: one per home (its lock decides); when a worker dies, its calls are delayed, never lost.
import { appendFileSync, chmodSync, closeSync, openSync, rmSync, statSync } from "node:fs";
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { version } from "../hook/folders.js";
import {
  makeFolder,
  protocol,
  readAddress,
  type ServerAddress,
  serverFolder,
  serverPid,
} from "../hook/server-address.js";
import { always } from "../hook/spool-protocol.js";
import { unjudged } from "../hook/unjudged.js";
import { payloadLimits } from "../hosts/claude-code/protocol/payload.js";
import { isObject, type JsonObject } from "../model/json.js";
import { limits } from "../model/limits.js";
import { realIo } from "../store/io.js";
import { type Lock, takeLock } from "../store/lock/lock.js";
import { systemClock } from "../store/record-clock.js";
import { DashboardProcess } from "./dashboard-process.js";
import { draftAddress, writeAddress } from "./new-address.js";
import {
  authenticate,
  authenticateLocal,
  type HookRequest,
  headOf,
  type RejectedRequest,
  type RequestHead,
} from "./request-auth.js";
import { SocketHolder } from "./socket-holder.js";
import { Spool } from "./spool-server.js";
import { defaultPoolOptions, type PoolOptions, WorkerPool } from "./worker-pool.js";

export interface Supervisor {
  door: ServerAddress;
  pool: WorkerPool;
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<string>;
  end(why: string): Promise<void>;
}

export class PortTaken extends Error {}
export class AlreadyRunning extends Error {}

type Times = Partial<Pick<PoolOptions, "deadlineMs" | "stuckMs" | "idleMs" | "maxRss">>;

/** Whether to start a socket holder, and the socket an earlier one passed on. */
export interface SocketHolding {
  keep: boolean;
  listen?: number;
  revived?: number;
}

export async function supervise(
  home: string,
  script: string,
  times: Times = {},
  { keep, listen, revived = 0 }: SocketHolding = { keep: false },
): Promise<Supervisor> {
  const folder = serverFolder(home);
  makeFolder(folder);
  // A server started meanwhile cannot listen on the held port and releases the lock at once.
  const lock = onlyOne(home, listen === undefined ? 0 : 10_000);
  const log = logInto(join(folder, "log"));
  const servers: HttpServer[] = [];
  let holder: SocketHolder | undefined;
  try {
    const ready = (variables: string[]) => spool.announce([...always, ...variables]);
    const pool = new WorkerPool({ ...defaultPoolOptions, ...times, home, script, log, ready });
    const spool = new Spool(home, pool, log);
    const dashboard = new DashboardProcess(home, script, log);
    const stop = new AbortController();
    const started = new Date().toISOString();
    const about = (): JsonObject => ({
      version,
      protocol,
      pid: process.pid,
      started,
      port: door.port,
      ...pool.about(),
    });
    const { door, server } = await listenOnLoopback(home, pool, listen);
    servers.push(server);
    if (keep && process.platform !== "win32") holder = new SocketHolder({ home, script, server, revived, log });
    servers.push(
      await listenOnSocket(
        door.socket,
        socketListener({ pool, about, dashboard, stop: () => stop.abort("asked to stop") }),
      ),
    );
    spool.open();
    pool.start();
    log(`supervisor ${process.pid}, version ${version}, on 127.0.0.1:${door.port} and ${door.socket}`);
    return keepRunning({ door, pool, spool, servers, lock, home, stop, log, holder, dashboard });
  } catch (error) {
    holder?.end();
    for (const server of servers) server.close();
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

/** Timeouts short enough for slow clients, long enough for a large payload on a busy machine. */
function strictServer(hear: Listener): HttpServer {
  const listener: Listener = (request, response) => {
    if (!refused.has(request.socket)) hear(request, response);
  };
  const server = createServer(
    {
      requestTimeout: limits.request,
      headersTimeout: limits.request,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 32 * 1024,
      noDelay: true,
      requireHostHeader: false, // ours to refuse: Node's own refusal has a body
    },
    listener,
  );
  server.maxConnections = 1_024;
  boundStrangers(server);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => listener(request, response));
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => reject(request, response, 417));
  server.on("clientError", (_, socket) => socket.destroy());
  server.on("upgrade", (_, socket) => socket.destroy());
  server.on("connect", (_, socket) => socket.destroy());
  return server;
}

/** Connections that have not shown the token yet. Any user of the machine can open some: the oldest gives way. */
const strangers = new WeakMap<Socket, Set<Socket>>();
const mostStrangers = 128;

function boundStrangers(server: HttpServer): void {
  const waiting = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    strangers.set(socket, waiting.add(socket));
    socket.once("close", () => waiting.delete(socket));
    if (waiting.size > mostStrangers) waiting.values().next().value?.destroy();
  });
}

/** Bodies under way of all connections together; beyond that a call is refused before it is read. */
const reading = { calls: 0, bytes: 0 };
const mostReading = { calls: 256, bytes: 64 * 1024 * 1024 };

/** Listens on the port of the address file, or on a free one if there is no file yet. A registered port is never given
 * up for another. */
async function listenOnLoopback(home: string, pool: WorkerPool, inherited?: number) {
  const known = readAddress(home);
  if (known && inherited !== undefined) {
    const server = onLoopback(known, pool);
    await listening(server, () => server.listen({ fd: inherited }));
    const at = server.address();
    if (typeof at === "object" && at?.port === known.port && at.address === "127.0.0.1") return { door: known, server };
    server.close(); // not the socket of this home's address
  }
  for (let tries = 0; ; tries++) {
    const door = known ?? draftAddress(home);
    const server = onLoopback(door, pool);
    try {
      await listening(server, () =>
        server.listen({ port: door.port, host: "127.0.0.1", exclusive: true, backlog: 511 }),
      );
      if (!known) writeAddress(home, door);
      return { door, server };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      if (known || tries >= 20)
        throw new PortTaken(`port ${door.port}, which the registered hooks call, is taken by another program`);
    }
  }
}

const onLoopback = ({ port, token }: ServerAddress, pool: WorkerPool): HttpServer =>
  strictServer(hookListener((head) => authenticate(head, port, token), pool));

async function listenOnSocket(path: string, listener: Listener): Promise<HttpServer> {
  const server = strictServer(listener);
  if (process.platform !== "win32") {
    makeFolder(dirname(path));
    rmSync(path, { recursive: true, force: true }); // ours by the lock: a dead server left it
  }
  const before = process.umask(0o177);
  try {
    await listening(server, () => server.listen(path));
  } finally {
    process.umask(before);
  }
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return server;
}

function listening(server: HttpServer, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      server.on("error", () => {}); // of one connection: the others are not affected
      resolve();
    });
    listen();
  });
}

function hookListener(check: (head: RequestHead) => HookRequest | RejectedRequest, pool: WorkerPool): Listener {
  return (request, response) => {
    const hook = check(headOf(request));
    if ("status" in hook) return reject(request, response, hook.status);
    strangers.get(request.socket)?.delete(request.socket);
    const held = hook.length <= payloadLimits.bytes ? hook.length : 0;
    if (reading.calls >= mostReading.calls || reading.bytes + held > mostReading.bytes) {
      response.shouldKeepAlive = false;
      request.resume();
      return send(response, unjudged(hook.event, `${reading.calls} calls are being received already`));
    }
    if (request.headers.expect) response.writeContinue();
    reading.calls++;
    reading.bytes += held;
    request.once("close", () => {
      reading.calls--;
      reading.bytes -= held;
    });
    readBody(request, hook.length, (body) => {
      const tooLarge = `its description is ${hook.length} bytes long, more than ${payloadLimits.bytes}`;
      if (!body) return send(response, unjudged(hook.event, tooLarge));
      const gone = new Promise<void>((resolve) => {
        response.once("close", () => {
          if (!response.writableFinished) resolve();
        });
      });
      void pool.ask(hook, body, gone).then((text) => send(response, text));
    });
  };
}

/** Connections with a rejected request: whatever follows on them is ignored. */
const refused = new WeakSet<Socket>();

const ourHeaders = { "content-type": "application/json", "x-interlock": `${version}; protocol=${protocol}` };

/** Says nothing about why. */
function reject(request: IncomingMessage, response: ServerResponse, status: number): void {
  refused.add(request.socket);
  response.sendDate = false;
  response.writeHead(status, { "content-length": "0", connection: "close" });
  response.end(() => request.socket.destroy());
}

/** Calls `whole` with undefined for a body that is too long. */
function readBody(request: IncomingMessage, length: number, whole: (body: Buffer | undefined) => void): void {
  const parts: Buffer[] = [];
  const keep = length <= payloadLimits.bytes;
  if (length > 8 * payloadLimits.bytes) return void request.socket.destroy();
  request.on("data", (part: Buffer) => {
    if (keep) parts.push(part);
  });
  request.on("end", () => whole(keep ? Buffer.concat(parts) : undefined));
  request.on("error", () => {}); // the client disconnected: there is nothing to answer
}

function send(response: ServerResponse, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(200, { ...ourHeaders, "content-length": String(bytes.length) });
  response.end(bytes);
}

interface SocketParts {
  pool: WorkerPool;
  dashboard: DashboardProcess;
  about(): JsonObject;
  stop(): void;
}

/** Requests on the unix socket: hook events, and what the command line asks. */
function socketListener({ pool, about, dashboard, stop }: SocketParts): Listener {
  const hook = hookListener(authenticateLocal, pool);
  return (request, response) => {
    const version = request.headers["x-interlock-protocol"];
    if (version !== undefined && version !== String(protocol)) return reject(request, response, 409);
    if (request.url?.startsWith("/hook/")) return hook(request, response);
    if (request.headers.origin !== undefined) return reject(request, response, 403);
    const route = `${request.method} ${request.url}`;
    if (route === "GET /about") return send(response, JSON.stringify(about()));
    if (route === "POST /stop") {
      send(response, JSON.stringify({ stopping: true }));
      return stop();
    }
    if (route === "POST /switch")
      return readBody(request, Number(request.headers["content-length"] ?? 0), (body) => {
        const script = String(body);
        void pool.switchTo(script).then((done) => send(response, JSON.stringify(done)));
      });
    if (route === "POST /dashboard")
      return readBody(request, Number(request.headers["content-length"] ?? 0), (body) => {
        const question = parsedObject(String(body));
        if (!question) return reject(request, response, 400);
        void dashboard.ask(question).then((answer) => send(response, JSON.stringify(answer)));
      });
    reject(request, response, 404);
  };
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface SupervisorParts {
  door: ServerAddress;
  pool: WorkerPool;
  spool: Spool;
  servers: HttpServer[];
  lock: Lock;
  home: string;
  stop: AbortController;
  log(line: string): void;
  holder: SocketHolder | undefined;
  dashboard: DashboardProcess;
}

/** Out of descriptors the lock can't be read: that says nothing about it. */
function lostLock(home: string): boolean {
  if (serverPid(home) === process.pid) return false;
  try {
    closeSync(openSync(serverFolder(home), "r"));
    return serverPid(home) !== process.pid;
  } catch (error) {
    return !["EMFILE", "ENFILE", "ENOMEM"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

function keepRunning(parts: SupervisorParts): Supervisor {
  const { door, pool, spool, servers, lock, home, stop, log, holder, dashboard } = parts;
  let over: Promise<void> | undefined;
  let resolveEnded: (why: string) => void = () => {};
  const ended = new Promise<string>((resolve) => (resolveEnded = resolve));
  const end = (why: string): Promise<void> => {
    over ??= (async () => {
      clearInterval(timer);
      log(`ending: ${why}`);
      holder?.end();
      spool.close();
      dashboard.end();
      for (const server of servers) {
        server.close();
        server.closeIdleConnections();
      }
      await pool.end(5_000);
      for (const server of servers) server.closeAllConnections();
      lock.release();
      resolveEnded(why);
    })();
    return over;
  };
  const idleMs = door.idleMinutes * 60_000;
  const timer = setInterval(() => {
    pool.tend();
    if (lostLock(home)) void end("its lock is gone or taken");
    else if (idleMs && !pool.open && performance.now() - pool.lastCall > idleMs)
      void end(`no event for ${door.idleMinutes} minutes`);
    else spool.tend();
  }, 250);
  stop.signal.addEventListener("abort", () => void end(String(stop.signal.reason)));
  return { door, pool, ended, end };
}
