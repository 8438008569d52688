// Orphaned agent and MCP processes, from /proc or else from `ps`.
// Invariant: reads only; a process is identified by id and start time together.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Orphan {
  pid: number;
  /** Start time in the system's own count; with the id it names one process for good. */
  start: number;
  minutes: number;
  command: string;
}

interface Process extends Orphan {
  parent: number;
  uid: number;
}

/** Command lines of coding agents and of MCP servers. */
const agentCommands = [
  /(?:^|[/\s])(?:claude|codex|gemini|opencode|aider)(?:$|\s)/i,
  /@anthropic-ai\/claude-code/i,
  /(?:^|[/\s@_-])mcp(?:[-_]\w+|\b)/i,
  /-mcp(?:$|[\s@])/i,
];
const ours = /(?:^|[/\s])interlock(?:\.cjs)?(?:$|\s)/;

/** The program and its script; further arguments may name anything. */
const started = (command: string): string => command.split(" ").slice(0, 4).join(" ");

/** Own processes that look like an agent or an MCP server and whose parent ended: adopted by init. */
export function orphans(list: readonly Process[] = processes()): Orphan[] {
  const uid = process.getuid?.() ?? -1;
  return list
    .filter(
      (p) =>
        p.parent === 1 &&
        p.uid === uid &&
        p.pid !== process.pid &&
        agentCommands.some((pattern) => pattern.test(started(p.command))) &&
        !ours.test(p.command),
    )
    .map(({ pid, start, minutes, command }) => ({ pid, start, minutes, command }));
}

export const startTimeOf = (pid: number): number | undefined => processes().find((p) => p.pid === pid)?.start;

function processes(): Process[] {
  return process.platform === "linux" ? fromProc() : fromPs();
}

function fromProc(): Process[] {
  const uptime = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").join(" ").trim();
      const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1] ?? -1);
      const start = Number(fields[19]);
      return command
        ? [
            {
              pid: Number(name),
              parent: Number(fields[1]),
              uid,
              start,
              minutes: Math.max(0, Math.round((uptime - start / 100) / 60)),
              command,
            },
          ]
        : [];
    } catch {
      // The process ended while we looked.
      return [];
    }
  });
}

function fromPs(): Process[] {
  const text = execFileSync("ps", ["-axo", "pid=,ppid=,uid=,lstart=,command="], {
    encoding: "utf8",
    env: { LC_ALL: "C", PATH: process.env["PATH"] },
  });
  return text.split("\n").flatMap((line) => {
    const m = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\w+ \w+ +\d+ [\d:]+ \d+)\s+(.*)$/.exec(line);
    if (!m) return [];
    const start = Math.round(Date.parse(m[4]!) / 1000);
    return [
      {
        pid: Number(m[1]),
        parent: Number(m[2]),
        uid: Number(m[3]),
        start,
        minutes: Math.round((Date.now() / 1000 - start) / 60),
        command: m[5]!,
      },
    ];
  });
}
