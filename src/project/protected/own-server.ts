// Interlock's resident server as the system shows it: its processes and its port, which a command could target.
// Invariant: reads only; a pid that was reused by another program is not ours.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { readBoundedText } from "../bounded-read.js";
import { childProcess } from "../node-builtins.js";

export interface Resident {
  pid: number;
  group: number;
  /** What `killall` and `pkill` would know it by. */
  names: string[];
  command: string;
}

export interface Residence {
  /** Interlock's own folder. */
  home: string;
  processes: Resident[];
  /** The server's and those of open dashboards. */
  ports: number[];
}

export function residenceOf(home: string): Residence {
  const pid = numberIn(join(home, "server", "lock"), "pid");
  const port = numberIn(join(home, "server", "door.json"), "port");
  const all = pid === undefined ? [] : processes();
  const supervisor = all.find((p) => p.pid === pid && /interlock/i.test(p.command));
  const workers = supervisor ? all.filter((p) => p.parent === pid) : [];
  const ports = [...(port === undefined ? [] : [port]), ...dashboardPorts(home)];
  return { home, processes: supervisor ? [supervisor, ...workers] : [], ports };
}

/** One file per open dashboard, named after its port. */
export const dashboardFolder = (home: string): string => join(home, "server", "dashboards");

function dashboardPorts(home: string): number[] {
  try {
    return readdirSync(dashboardFolder(home)).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return []; // none was ever opened
  }
}

/** Which process listens on a port of loopback; undefined where the system does not show it. */
export function listenerOn(port: number): { pid: number; command: string } | undefined {
  if (process.platform !== "linux") return undefined;
  const inodes = new Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listening(table, port)));
  if (!inodes.size) return undefined;
  return inProc().find(({ pid }) => descriptors(pid).some((name) => inodes.has(name)));
}

function listening(table: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  let text: string;
  try {
    text = readFileSync(table, "latin1");
  } catch {
    return []; // no such protocol here
  }
  return text.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    return local.endsWith(`:${hex}`) && state === "0A" ? [`socket:[${inode}]`] : [];
  });
}

function descriptors(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // another user's, or it ended while we looked
  }
}

function numberIn(file: string, key: string): number | undefined {
  try {
    const value = (JSON.parse(readBoundedText(file, 1 << 20)) as Record<string, unknown>)[key];
    return Number.isInteger(value) ? (value as number) : undefined;
  } catch {
    return undefined; // no server was ever started here
  }
}

type Seen = Resident & { parent: number };

function processes(): Seen[] {
  return process.platform === "linux" ? inProc() : byPs();
}

function inProc(): Seen[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const end = stat.lastIndexOf(")");
      const [, parent, group] = stat.slice(end + 2).split(" ");
      const argv = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").filter(Boolean);
      const names = [stat.slice(stat.indexOf("(") + 1, end), argv[0] ?? "", programOf(name)];
      return [seen(Number(name), Number(parent), Number(group), names, argv.join(" "))];
    } catch {
      return []; // it ended while we looked
    }
  });
}

function programOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return ""; // another user's: its command line has to do
  }
}

function byPs(): Seen[] {
  try {
    const asked = ["-A", "-o", "pid=,ppid=,pgid=,args="];
    const text = childProcess().execFileSync("ps", asked, { encoding: "utf8", timeout: 2_000 });
    return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, group, args]) =>
      seen(Number(pid), Number(parent), Number(group), [args!.split(" ")[0]!], args!),
    );
  } catch {
    return []; // no ps, or it was too slow: nothing can be seen
  }
}

function seen(pid: number, parent: number, group: number, paths: string[], command: string): Seen {
  const names = [...new Set(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)).filter(Boolean))];
  return { pid, parent, group, names, command };
}
