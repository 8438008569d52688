// A small shell process that also holds the server's listening socket. When the server dies, the port stays
// taken and the holder becomes the next server on the same socket.
// Invariant: nobody else can listen on a registered port between two servers; a server that stops ends its holder.
import { type ChildProcess, spawn } from "node:child_process";
import type { Server } from "node:net";
import type { Writable } from "node:stream";
import { serverEnv } from "../hook/server-address.js";

export interface SocketHolderParts {
  home: string;
  script: string;
  /** The socket on loopback. */
  server: Server;
  /** How many servers in a row died soon after their start; each makes the next wait longer. */
  revived: number;
  log(line: string): void;
}

/** A line on fd 3 means: stop. End of file without one means: the server died. Connections that wait on fd 4 meanwhile
 * are answered by the next server. */
const program = `
if read -r word <&3; then exit 0; fi
exec 3<&-
sleep "$1"
exec "$2" "$3" serve --home "$4" --listen 4 --revived "$5"
`;

/** A server that ran this long counts as healthy. */
const healthyMs = 60_000;
const restartMs = 1_000;

export class SocketHolder {
  #child?: ChildProcess;
  #over = false;
  #timer?: NodeJS.Timeout;

  constructor(private readonly parts: SocketHolderParts) {
    this.#child = this.#start(parts.revived);
    if (parts.revived > 0) this.#timer = setTimeout(() => this.#renew(), healthyMs).unref();
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
    const { home, script, server, log } = this.parts;
    const { fd } = (server as { _handle?: { fd?: number } })._handle ?? {}; // Node has no public way to get it
    if (fd === undefined || fd < 0) return undefined; // no descriptor to pass on, so nothing holds the socket
    const wait = String(Math.min(30, Math.max(0, revived - 1)));
    const words = [wait, process.execPath, script, home, String(revived + 1)];
    const child = spawn("/bin/sh", ["-c", program, "interlock-keeper", ...words], {
      cwd: home,
      env: serverEnv(process.env),
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "pipe", fd],
    });
    child.unref();
    const pipe = child.stdio?.[3]; // none where the process has no descriptor left
    (pipe as unknown as { unref?(): void } | undefined)?.unref?.();
    pipe?.on("error", () => {}); // it ended by itself: handled by `exit` below
    child.on("error", (error) => {
      log(`no socket holder: ${error.message}`);
      if (!this.#over && child === this.#child && child.pid === undefined)
        this.#timer = setTimeout(() => (this.#child = this.#start(revived)), restartMs).unref();
    });
    child.once("exit", (code, signal) => {
      if (this.#over || child !== this.#child) return;
      log(`socket holder ${child.pid} ended: ${signal ?? `exit ${code}`}; starting another`);
      this.#timer = setTimeout(() => (this.#child = this.#start(revived)), restartMs).unref();
    });
    return child;
  }
}

function dismiss(child: ChildProcess | undefined): void {
  (child?.stdio?.[3] as Writable | undefined)?.write("bye\n");
}
