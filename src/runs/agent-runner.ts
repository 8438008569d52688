// Runs the agent of one phase: prompt on stdin, output to the phase's log, progress for the person on stderr.
// Invariant: all of its output is in the log; a timeout, a signal or the end of this process ends its whole group.
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { readBounded } from "../project/bounded-read.js";
import { guardGroup } from "./guardian.js";

export interface AgentJob {
  command: readonly string[];
  prompt: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the log. */
  log: string;
  timeoutMs: number;
  /** Told each line that says something to a person. */
  progress?(line: string): void;
  signal?: AbortSignal;
}

export interface AgentExit {
  exitCode: number | null;
  timedOut: boolean;
  /** Why it could not be started. */
  notStarted?: string;
}

const graceMs = 5_000;

export function runAgent(job: AgentJob): Promise<AgentExit> {
  const log = createWriteStream(job.log, { flags: "a" });
  return new Promise((resolve) => {
    const child = spawn(job.command[0]!, job.command.slice(1), {
      cwd: job.cwd,
      env: definedOnly(job.env),
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    const guardian = guardGroup(child.pid);
    let timedOut = false;
    let force: NodeJS.Timeout | undefined;
    const end = () => {
      endGroup(child.pid, "SIGTERM");
      force ??= setTimeout(() => endGroup(child.pid, "SIGKILL"), graceMs);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, job.timeoutMs);
    job.signal?.addEventListener("abort", end, { once: true });
    const finish = (exit: AgentExit) => {
      clearTimeout(timer);
      clearTimeout(force);
      guardian.release();
      job.signal?.removeEventListener("abort", end);
      log.end(() => resolve(exit));
    };
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
        log.write(`${line}\n`);
        const told = job.progress && progressLine(line);
        if (told) job.progress!(told);
      });
    child.stdin.on("error", () => undefined); // an agent need not read its prompt
    child.stdin.end(job.prompt);
    child.once("error", (error) =>
      finish({ exitCode: null, timedOut, notStarted: (error as NodeJS.ErrnoException).code ?? error.message }),
    );
    child.once("close", (exitCode) => finish({ exitCode, timedOut }));
  });
}

const definedOnly = (env: AgentJob["env"]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // it has ended already
  }
}

interface StreamMessage {
  type?: string;
  message?: { content?: unknown };
}

/** What a person is told of one line: words and tool calls of a stream, any other line as it is. */
export function progressLine(line: string): string | undefined {
  const cut = (text: string) =>
    text
      .replace(/[\u0000-\u001f\u007f]+/g, " ")
      .trim()
      .slice(0, 160);
  if (!line.startsWith("{")) return cut(line) || undefined;
  let value: StreamMessage;
  try {
    value = JSON.parse(line) as StreamMessage;
  } catch {
    return cut(line); // some other output
  }
  if (value.type !== "assistant" || !Array.isArray(value.message?.content)) return undefined;
  const parts = (value.message.content as { type?: string; text?: string; name?: string; input?: object }[]).flatMap(
    (b) => {
      if (b.type === "text" && b.text) return [cut(b.text)];
      if (b.type !== "tool_use") return [];
      const input = b.input as { command?: string; file_path?: string; pattern?: string } | undefined;
      return [cut(`${b.name} ${input?.command ?? input?.file_path ?? input?.pattern ?? ""}`)];
    },
  );
  return parts.filter(Boolean).join(" | ") || undefined;
}

const tailBytes = 8 << 20;

/** The last part of a log, from a line's beginning on. */
export function logTail(path: string): string {
  try {
    const all = readBounded(path, 512 << 20);
    if (all.length <= tailBytes) return all.toString("utf8");
    const from = all.indexOf(10, all.length - tailBytes) + 1;
    return all.subarray(from).toString("utf8");
  } catch {
    return ""; // nothing was written
  }
}
