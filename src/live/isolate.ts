// Runs a client where only loopback exists: in a network namespace of its own with chosen ports relayed into it.
// Without a namespace the client runs on the plain loopback, and the caller is told so.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Isolation {
  kind: "network-namespace" | "none";
  why: string;
  /** The command that enters the namespace; empty without one. */
  enter: string[];
}

let found: Isolation | undefined;

/** Whether this machine can isolate a client; tested once per process. */
export function isolation(): Isolation {
  found ??= probe();
  return found;
}

function probe(): Isolation {
  if (process.platform !== "linux") return none(`no network namespaces on ${process.platform}`);
  const ways = process.getuid?.() === 0 ? [["unshare", "-n"]] : [["unshare", "-r", "-n"]];
  for (const way of ways) {
    const run = spawnSync(way[0]!, [...way.slice(1), "sh", "-c", LOOPBACK_UP], { stdio: "ignore", timeout: 5000 });
    if (run.status === 0) return { kind: "network-namespace", why: "only loopback exists for the client", enter: way };
  }
  return none("unshare or ip is missing or not permitted here");
}

const none = (why: string): Isolation => ({
  kind: "none",
  why: `the client ran on the machine's own loopback: ${why}`,
  enter: [],
});

const LOOPBACK_UP = "ip link set lo up 2>/dev/null || ifconfig lo up";

// Runs inside the namespace, as `node -e`: pathname sockets cross network namespaces where ports do not.
const RELAY = `
const { connect, createServer } = require("node:net");
const { spawn, spawnSync } = require("node:child_process");
const { folder, ports, up, command } = JSON.parse(process.argv[1]);
spawnSync("sh", ["-c", up], { stdio: "ignore" });
const open = (port) => new Promise((resolve, reject) => {
  const server = createServer((near) => {
    const far = connect(folder + "/" + port);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
});
Promise.all(ports.map(open)).then(() => {
  const client = spawn(command[0], command.slice(1), { stdio: "inherit" });
  client.on("error", (error) => { console.error(error.message); process.exit(127); });
  client.on("exit", (code, signal) => process.exit(signal ? 128 : code));
}, (error) => { console.error(error.message); process.exit(126); });
`;

export interface Confined {
  child: ChildProcess;
  /** Ends what is left of the run and removes the relay. Returns the processes that had to be ended. */
  end(): Promise<number[]>;
}

/** Starts `command` with exactly `env`; it can reach `ports` on 127.0.0.1 and, in a namespace, nothing else. */
export async function confine(
  command: string[],
  options: { cwd: string; env: Record<string, string>; ports: number[]; way: Isolation; stdin?: "pipe" },
): Promise<Confined> {
  const run = `${process.pid}-${process.hrtime.bigint()}`;
  const env = { ...options.env, [MARK]: run };
  const folder = mkdtempSync(join(tmpdir(), "interlock-live-"));
  const relays = options.way.enter.length ? await Promise.all(options.ports.map((port) => relay(folder, port))) : [];
  const config = JSON.stringify({ folder, ports: options.ports, up: LOOPBACK_UP, command });
  const argv = options.way.enter.length ? [...options.way.enter, process.execPath, "-e", RELAY, config] : command;
  const child = spawn(argv[0]!, argv.slice(1), {
    cwd: options.cwd,
    env,
    detached: process.platform !== "win32", // its own process group, so that the whole group can be ended
    stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
  });
  return {
    child,
    async end() {
      const living = child.exitCode === null && child.signalCode === null && child.pid !== undefined;
      const left = new Set(living ? [child.pid!, ...marked(run)] : marked(run));
      if (living) signal(process.platform === "win32" ? child.pid! : -child.pid!);
      for (const pid of left) signal(pid);
      await Promise.all(relays.map((relayed) => relayed.end()));
      rmSync(folder, { recursive: true, force: true });
      return [...left];
    },
  };
}

interface Relay {
  end(): Promise<unknown>;
}

function relay(folder: string, port: number): Promise<Relay> {
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    keep(near);
    keep(far);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const end = () => {
    for (const socket of open) socket.destroy(); // a stopped server never closes its side
    return new Promise((resolve) => server.close(resolve));
  };
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(join(folder, String(port)), () => resolve({ end }));
  });
}

// Every process of a run inherits this variable: it finds what a client left behind, even outside its group.
const MARK = "INTERLOCK_LIVE_RUN";

function marked(run: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && environmentOf(pid).includes(`${MARK}=${run}\0`));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return ""; // gone meanwhile, or another user's: not ours either way
  }
}

function signal(target: number) {
  try {
    process.kill(target, "SIGKILL");
  } catch {
    // it ended by itself between the look and the signal
  }
}
