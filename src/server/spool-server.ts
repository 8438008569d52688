// The server's side of the spool: the sh shim and the command hook put a request in a folder and write to a FIFO (the
// bell); the answer goes to the file they wait on.
// Invariant: a request is judged at most once and only by whoever unlinked it; nothing in the folder makes the server
// fail, wait, or write outside of it.
import { spawnSync } from "node:child_process";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { Socket } from "node:net";
import { makeFolder, serverEnv } from "../hook/server-address.js";
import { bearings, bellIn, callerName, type Notice, noticeIn, protocol, spoolFolder } from "../hook/spool-protocol.js";
import { unjudged } from "../hook/unjudged.js";
import { payloadLimits } from "../hosts/claude-code/protocol/payload.js";
import { limits } from "../model/limits.js";
import { replaceFile } from "../project/replace-file.js";
import { requestIn } from "./spool-request.js";
import type { WorkerPool } from "./worker-pool.js";

/** Older than this, nobody waits for it any more. */
const staleMs = 60_000;
const sweepMs = 15_000;
const maxHead = 64 * 1024;
const own = constants.O_NOFOLLOW | constants.O_NONBLOCK;

interface Bell {
  socket: Socket;
  stat: BigIntStats;
}

export class Spool {
  readonly #folder: string;
  #bell?: Bell;
  #notice?: string;
  #swept = Number.NEGATIVE_INFINITY;
  #closed = false;
  #said = "";

  constructor(
    home: string,
    private readonly pool: WorkerPool,
    private readonly log: (line: string) => void,
  ) {
    this.#folder = spoolFolder(home);
  }

  /** Without a FIFO there is no spool: callers find no bell and go on as if there were no server. */
  open(): void {
    this.#safely("no spool", () => {
      makeFolder(this.#folder);
      const folder = lstatSync(this.#folder);
      if (!folder.isDirectory() || folder.uid !== process.getuid?.()) throw new Error("the folder is another's");
      this.#hang();
    });
  }

  /** What callers must know. Known when a worker has said which variables its gates ask for. */
  announce(travel: string[]): void {
    const same = Object.fromEntries(bearings.map((name) => [name, serverEnv(process.env)[name]]));
    this.#notice = `${process.pid}\n${JSON.stringify({ travel, same } satisfies Notice)}\n`;
    this.#safely("no notice", () => this.#post());
  }

  /** A caller that found nobody takes the bell down; whoever is still here hangs up another. */
  tend(): void {
    if (this.#closed) return;
    const due = performance.now() - this.#swept >= sweepMs;
    if (due) this.#swept = performance.now();
    const bell = this.#bell;
    if (!bell) return due ? this.open() : undefined;
    this.#safely("no spool", () => {
      if (!sameFile(bell.stat, lstatSync(bellIn(this.#folder), { bigint: true, throwIfNoEntry: false }))) this.#hang();
      if (due) this.#sweep();
    });
  }

  /** Takes what is there and nothing more. */
  close(): void {
    this.#closed = true;
    if (!this.#bell) return;
    gone(noticeIn(this.#folder));
    gone(bellIn(this.#folder));
    this.#safely("the last requests stay", () => this.#scan());
    this.#bell.socket.destroy();
  }

  /** A full disk or a missing folder costs the server its spool, nothing else. Logged once per cause. */
  #safely(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      const line = `${what}: ${(error as Error).message}`;
      if (line !== this.#said) this.log(line);
      this.#said = line;
    }
  }

  #hang(): void {
    const path = bellIn(this.#folder);
    this.#bell?.socket.destroy();
    this.#bell = undefined;
    gone(path);
    const made = spawnSync("mkfifo", ["-m", "600", path], { env: serverEnv(process.env), timeout: 5_000 });
    if (made.status !== 0) throw made.error ?? new Error(String(made.stderr).trim());
    const fd = openSync(path, constants.O_RDWR | own);
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFIFO()) {
      closeSync(fd);
      throw new Error("what was made is no FIFO");
    }
    const socket = new Socket({ fd, readable: true, writable: false });
    socket.on("error", (error) => this.log(`bell: ${error.message}`));
    this.#listen(socket);
    this.#bell = { socket, stat };
    this.#post();
    this.#scan();
  }

  #post(): void {
    if (this.#bell && this.#notice && !this.#closed) replaceFile(noticeIn(this.#folder), this.#notice, 0o600);
  }

  #listen(socket: Socket): void {
    let rest = "";
    socket.on("data", (part: Buffer) => {
      const lines = (rest + part.toString("latin1")).split("\n");
      rest = lines.pop()!.slice(-32);
      for (const line of lines) if (callerName.test(line)) this.#take(line);
    });
  }

  /** Requests whose ring nobody heard. */
  #scan(): void {
    for (const file of readdirSync(this.#folder)) {
      const name = file.slice(0, -2);
      if (file.endsWith(".q") && callerName.test(name)) this.#take(name);
    }
  }

  #take(name: string): void {
    const at = (kind: string) => `${this.#folder}/${name}.${kind}`;
    try {
      const waiting = lstatSync(at("a"), { bigint: true, throwIfNoEntry: false });
      if (!waiting || !isReply(waiting)) return; // not complete yet, or not a caller's
      const bytes = claim(at("q"));
      if (!bytes) return;
      const ms = limits.spoolAnswer - Math.max(0, Date.now() - Number(waiting.mtimeMs));
      const answer = (text: string) => this.#answer(at("a"), waiting, text);
      const request = requestIn(bytes, maxHead);
      if (!request || request.protocol !== protocol || ms <= 0) return answer("");
      const { event, env, fd, body } = request;
      if (body.length > payloadLimits.bytes)
        return answer(unjudged(event, `its description is longer than ${payloadLimits.bytes} bytes`));
      const caller = { pid: Number(name), fd, file: `${waiting.dev}:${waiting.ino}` };
      void this.pool.ask({ event, length: body.length, env, caller, ms }, body).then(answer);
    } catch (error) {
      this.log(`request ${name}: ${(error as Error).message}`); // the caller decides by itself
    }
  }

  /** One line; an empty one means: decide yourself. */
  #answer(path: string, waiting: BigIntStats, text: string): void {
    let fd: number;
    try {
      fd = openSync(path, constants.O_WRONLY | own);
    } catch {
      return gone(path); // nobody reads there any more
    }
    try {
      const there = fstatSync(fd, { bigint: true });
      if (!sameFile(waiting, there) || waiting.mtimeNs !== there.mtimeNs) return closeSync(fd); // a later caller's
      const bytes = Buffer.from(`${text}\n`);
      gone(path); // before the caller can end and its name be another's
      const written = writeSync(fd, bytes);
      if (written === bytes.length) return closeSync(fd);
      const rest = new Socket({ fd, readable: false, writable: true });
      rest.on("error", () => {}); // it went away in the middle of its answer
      rest.end(bytes.subarray(written));
    } catch {
      closeSync(fd); // it went away before its answer
    }
  }

  /** What callers left behind that were ended. */
  #sweep(): void {
    const old = Date.now() - staleMs;
    for (const file of readdirSync(this.#folder)) {
      const path = `${this.#folder}/${file}`;
      if (path === bellIn(this.#folder) || path === noticeIn(this.#folder)) continue;
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat && !stat.isDirectory() && stat.mtimeMs < old) gone(path);
    }
  }
}

/** The request, if it is now ours alone. */
function claim(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | own);
  } catch {
    return undefined; // taken back, or a link
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.nlink !== 1) return undefined;
    unlinkSync(path);
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, maxHead + payloadLimits.bytes + 1));
    let size = 0;
    for (let n = -1; n !== 0 && size < bytes.length; size += n)
      n = readSync(fd, bytes, size, bytes.length - size, null);
    return bytes.subarray(0, size);
  } catch {
    return undefined; // taken back at this very moment
  } finally {
    closeSync(fd);
  }
}

/** A FIFO of the shim's, or an empty file of the command hook's; never a file that is somewhere else as well. */
const isReply = (stat: BigIntStats): boolean =>
  stat.nlink === 1n && (stat.isFIFO() || (stat.isFile() && stat.size === 0n));

const sameFile = (a: BigIntStats, b: BigIntStats | undefined): boolean => a.ino === b?.ino && a.dev === b.dev;

function gone(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it is gone, or a folder that nobody of ours made
  }
}
