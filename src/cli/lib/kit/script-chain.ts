// A chain done by a kit's own script: one process, its phases set by its own variables, one log.
// Invariant: the script runs unchanged; Interlock adds the run, the log, the capsule and the manifest.
import { join } from "node:path";
import { runAgent } from "../../../runs/agent-runner.js";
import type { KitContext, PhaseResult } from "./kit-context.js";
import { writeHandover } from "./run-phase.js";

export async function runKitScript(context: KitContext): Promise<PhaseResult> {
  const { run, kit, verb, args, project, options } = context;
  const startedAt = new Date();
  const log = run.pointer("logs", `${kit}_${verb}.log`);
  const command = context.runtime.command(verb, args);
  run.append({ event: "phase_started", kit, phase: verb, pointers: { log } });
  const exit = await runAgent({
    command,
    prompt: "",
    cwd: project,
    env: { ...process.env, RUN_ID: run.id, RUN_ROOT: run.relativeRoot, CLAUDECODE: undefined },
    log: join(project, log),
    timeoutMs: options.timeoutMinutes * 60_000,
    progress: (line) => context.tell(`[${kit} ${verb}] ${line}`),
    signal: context.signal,
  });
  const exitCode = exit.exitCode ?? (exit.notStarted ? 127 : 124);
  const status = exitCode === 0 ? "ok" : "failed";
  run.append({ event: "phase_finished", kit, phase: verb, exit_code: exitCode, status, pointers: { log } });
  const { capsule, manifest } = await writeHandover(context, verb, {
    startedAt,
    log,
    logs: [log],
    exitCode,
    timedOut: exit.timedOut,
    findings: [],
    refused: [],
    args,
    command,
  });
  return { phase: verb, exitCode, status, log, capsule, manifest, findings: [] };
}
