// Requests in their plainest form, whole in one piece: what the client sends nearly always. They are read and answered here, at a fraction of the cost.
// Invariant: nothing is refused here. Whatever is not exactly that form, or would not be let in, goes to the server for all requests, untouched.
import type { IncomingHttpHeaders, Server } from "node:http";
import type { Socket } from "node:net";
import { descriptorOf, writeNow } from "./direct-write.js";
import type { Asked, Head, Refused } from "./request-auth.js";

/** What stands between the client and the crew. */
export interface Plain {
  look(head: Head): Asked | Refused;
  ask(asked: Asked, body: Buffer): Promise<string>;
  /** Of the answer, besides its length. */
  headers: string;
}

const largestHead = 8 * 1024;
const firstWordMs = 5_000;
const idleMs = 60_000;

/** Puts itself before a server's own way with connections. Returns how to let go of those it has: idle ones, or all. */
export function answerPlain(server: Server, plain: Plain): { close(which: "idle" | "all"): void } {
  const others = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  const open = new Set<Connection>();
  server.on("connection", (socket: Socket) => {
    const handOver = () => {
      open.delete(connection);
      for (const take of others) take.call(server, socket);
    };
    const connection = new Connection(socket, plain, handOver);
    open.add(connection);
    socket.once("close", () => open.delete(connection));
  });
  return {
    close(which) {
      for (const connection of open) connection.close(which);
    },
  };
}

class Connection {
  readonly #heads = new Heads();
  #busy = false;
  #closing = false;
  #early: Buffer[] = [];
  #earlyBytes = 0;

  constructor(
    private readonly socket: Socket,
    private readonly plain: Plain,
    private readonly handOver: () => void,
  ) {
    socket.on("data", this.#data).on("end", this.#end).on("error", this.#error).on("timeout", this.#timeout);
    socket.setTimeout(firstWordMs);
  }

  close(which: "idle" | "all"): void {
    this.#closing = true;
    if (which === "all" || !this.#busy) this.socket.destroy();
  }

  readonly #data = (part: Buffer): void => {
    if (this.#busy) return this.#keep(part);
    const asked = this.#heads.asked(part, this.plain.look);
    if (!asked) return this.#giveAway(part);
    this.#busy = true;
    void this.plain.ask(asked, part.subarray(part.length - asked.length)).then(this.#answer);
  };

  readonly #end = (): void => {
    if (!this.#busy) this.socket.end();
  };

  readonly #error = (): void => {
    this.socket.destroy(); // whoever asked has gone
  };

  readonly #timeout = (): void => {
    if (!this.#busy) this.socket.destroy();
  };

  readonly #answer = (text: string): void => {
    const { socket } = this;
    this.#busy = false;
    if (socket.destroyed) return;
    const head = `HTTP/1.1 200 OK\r\n${this.plain.headers}content-length: ${Buffer.byteLength(text)}\r\nconnection: keep-alive\r\nkeep-alive: timeout=${idleMs / 1_000}\r\n\r\n`;
    writeNow(socket, descriptorOf(socket), Buffer.from(head + text));
    if (this.#closing || socket.readableEnded) return void socket.end();
    if (socket.timeout !== idleMs) socket.setTimeout(idleMs);
    if (!this.#earlyBytes) return;
    this.#earlyBytes = 0;
    this.#data(Buffer.concat(this.#early.splice(0)));
  };

  /** Sent before the answer to what came before it: in its turn. */
  #keep(part: Buffer): void {
    this.#early.push(part);
    this.#earlyBytes += part.length;
    if (this.#earlyBytes > 64 * 1024) this.socket.destroy();
  }

  #giveAway(part: Buffer): void {
    const { socket } = this;
    socket.off("data", this.#data).off("end", this.#end).off("error", this.#error).off("timeout", this.#timeout);
    socket.setTimeout(0);
    this.handOver();
    socket.emit("data", part);
  }
}

/** The heads of a connection: they differ in the length of the body and little else, so what was read of one holds for the next. */
class Heads {
  readonly #known = new Map<string, Asked>();

  /** Undefined: the request is not whole, not plain, or not to be let in. */
  asked(bytes: Buffer, look: Plain["look"]): Asked | undefined {
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0 || end > largestHead) return undefined;
    const head = bytes.toString("latin1", 0, end + 2);
    const length = /\r\ncontent-length: ([0-9]+)\r\n/i.exec(head);
    if (!length || length[1] !== String(bytes.length - end - 4)) return undefined;
    const from = length.index + length[0].length;
    const rest = `${head.slice(0, length.index)}\r\n${head.slice(from)}`;
    const known = this.#known.get(rest) ?? this.#read(rest, length[1], look);
    return known && { ...known, length: Number(length[1]) };
  }

  #read(rest: string, length: string, look: Plain["look"]): Asked | undefined {
    const head = headIn(rest);
    if (!head) return undefined;
    head.headers["content-length"] = length;
    const asked = look(head);
    if ("status" in asked) return undefined;
    if (this.#known.size >= headsKept) this.#known.clear();
    this.#known.set(rest, asked);
    return asked;
  }
}

const headsKept = 16;

/** Its lines, each with its end, but for the length; undefined where one is out of the ordinary. */
function headIn(text: string): Head | undefined {
  const [first, ...lines] = text.slice(0, -2).split("\r\n");
  const url = /^POST (\/[\w/:.%-]{1,200}) HTTP\/1\.1$/.exec(first!)?.[1];
  if (!url) return undefined;
  const headers: IncomingHttpHeaders = Object.create(null);
  for (const line of lines) {
    const found = /^([A-Za-z0-9-]+):[ \t]?([\x20-\x7e\x80-\xff]*)$/.exec(line);
    if (!found) return undefined;
    const name = found[1]!.toLowerCase();
    if (headers[name] !== undefined || unusual.has(name)) return undefined;
    headers[name] = found[2]!.trim();
  }
  if (!/^keep-alive$/i.test(headers.connection ?? "keep-alive")) return undefined;
  return { method: "POST", url, headers, hosts: 1 };
}

/** A second length among them: two readers could take it for two different ones. */
const unusual = new Set([
  "content-length",
  "transfer-encoding",
  "expect",
  "upgrade",
  "trailer",
  "te",
  "proxy-connection",
]);
