// A small shell process that holds the server's listening socket beside it: when the server dies without a word, the port stays taken and a new server
// is started on it. Invariant: nobody else can listen on a registered address between two servers; a server that ends on purpose takes its keeper along.
import { type ChildProcess, spawn } from "node:child_process";
import type { Server } from "node:net";
import type { Writable } from "node:stream";
import { serverEnv } from "../hook/server-address.js";
import { descriptorOf } from "./direct-write.js";

export interface KeeperParts {
  home: string;
  script: string;
  /** The socket on loopback. */
  server: Server;
  /** How often in a row servers died young; each makes the next wait longer. */
  revived: number;
  say(line: string): void;
}

/** A word on 3 is a good-bye; its end without one is the server's death. What waits on 4 meanwhile is answered by the next server. */
const program = `
if read -r word <&3; then exit 0; fi
exec 3<&-
sleep "$1"
exec "$2" "$3" serve --home "$4" --listen 4 --revived "$5"
`;

/** Long enough to call a server healthy. */
const youthMs = 60_000;
const again = 1_000;

export class Keeper {
  #child?: ChildProcess;
  #over = false;
  #timer?: NodeJS.Timeout;

  constructor(private readonly parts: KeeperParts) {
    this.#child = this.#start(parts.revived);
    if (parts.revived > 0) this.#timer = setTimeout(() => this.#renew(), youthMs).unref();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    dismiss(this.#child);
  }

  #renew(): void {
    const old = this.#child;
    this.#child = this.#start(0);
    dismiss(old);
  }

  #start(revived: number): ChildProcess | undefined {
    const { home, script, server, say } = this.parts;
    const fd = descriptorOf(server);
    if (fd === undefined) return undefined; // no descriptor to hand on: the server goes unkept
    const wait = String(Math.min(30, Math.max(0, revived - 1)));
    const words = [wait, process.execPath, script, home, String(revived + 1)];
    const child = spawn("/bin/sh", ["-c", program, "interlock-keeper", ...words], {
      cwd: home,
      env: serverEnv(process.env),
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "pipe", fd],
    });
    child.unref();
    (child.stdio[3] as unknown as { unref?(): void }).unref?.();
    child.stdio[3]?.on("error", () => {}); // it ended before it was told to: `exit` below sees to that
    child.on("error", (error) => say(`no keeper: ${error.message}`));
    child.once("exit", (code, signal) => {
      if (this.#over || child !== this.#child) return;
      say(`keeper ${child.pid} ended: ${signal ?? `exit ${code}`}; starting another`);
      this.#timer = setTimeout(() => (this.#child = this.#start(revived)), again).unref();
    });
    return child;
  }
}

function dismiss(child: ChildProcess | undefined): void {
  (child?.stdio[3] as Writable | undefined)?.write("bye\n");
}
