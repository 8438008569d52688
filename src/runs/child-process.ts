// Runs a request's child as `interlock kit ...` in its own process group.
// Invariant: output goes to a file of the child run, never into memory or a response; a timeout or the end of this
// process ends the whole group.
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { kitAction } from "./actions.js";
import { guardGroup } from "./guardian.js";
import type { ChildExit, ChildJob, RunChild } from "./pump.js";

const graceMs = 5_000;

/** `program`: the command in front of `kit`, such as [node, interlock.cjs]. */
export function kitProcess(program: readonly string[]): RunChild {
  return (job) => runProcess([...program, "kit", ...kitArguments(job)], job);
}

/** Options before the kit: what follows is positional. */
export function kitArguments({ request, childRunId }: ChildJob): string[] {
  const { kit, verb } = kitAction(request.action)!;
  const { run_id, request_id, args } = request;
  return ["--json", "--run-id", childRunId, "--parent-run-id", run_id, "--request", request_id, kit, verb, ...args];
}

export function runProcess(command: readonly string[], job: ChildJob): Promise<ChildExit> {
  const logs = join(job.project, "runs", job.childRunId, "logs");
  mkdirSync(logs, { recursive: true });
  const log = openSync(join(logs, "pump.log"), "a");
  return new Promise((resolve) => {
    const child = spawn(command[0]!, command.slice(1), {
      cwd: job.project,
      env: job.env,
      stdio: ["ignore", log, log],
      detached: process.platform !== "win32",
    });
    closeSync(log);
    const guardian = guardGroup(child.pid);
    if (child.pid !== undefined) job.started?.(child.pid);
    let timedOut = false;
    let force: NodeJS.Timeout | undefined;
    const end = () => {
      signalGroup(child.pid, "SIGTERM");
      force = setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMs);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, job.timeoutMs);
    job.signal.addEventListener("abort", end, { once: true });
    const finish = (exit: ChildExit) => {
      clearTimeout(timer);
      clearTimeout(force);
      guardian.release();
      job.signal.removeEventListener("abort", end);
      // What the child left running in its group ends with it.
      if (timedOut || job.signal.aborted) signalGroup(child.pid, "SIGKILL");
      resolve(exit);
    };
    child.once("error", (error) =>
      finish({ exitCode: null, notStarted: (error as NodeJS.ErrnoException).code ?? "error" }),
    );
    child.once("exit", (exitCode) => finish({ exitCode, ...(timedOut && { timedOut }) }));
    if (job.signal.aborted) end();
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // it has ended already
  }
}
