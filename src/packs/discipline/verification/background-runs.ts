// Test runs in the background: remembered when they start, judged when their output is shown.
// Invariant: a run proves only what was edited before it started; without its exit code, its summary must be shown.
import type { Facts } from "../../../facts/index.js";
import type { StartedRun, TestRun } from "../../../facts/test-run.js";
import type { Outcome } from "../../../model/event.js";
import { isObject, type Json } from "../../../model/json.js";

export interface PendingRun extends StartedRun {
  id: string;
  at: number;
  /** What it can prove: edited and unverified when it started, and not edited since. */
  covers: string[];
}

const maxPending = 5;
const maxCommand = 2_000;

/** The list with the run that this call started, if it started one. */
export function withStarted(
  pending: readonly PendingRun[],
  { event, run }: Facts,
  covers: readonly string[],
  now: number,
): PendingRun[] | undefined {
  const id = textIn(event.outcome?.response, "backgroundTaskId");
  if (!id || !run?.programs || run.command.length > maxCommand) return undefined;
  const { runner, level, command, programs } = run;
  return [...pending, { id, at: now, runner, level, command, programs, covers: [...covers] }].slice(-maxPending);
}

/** The run whose end this event shows, by the client's own tools, by its output file, or by the client's message. */
export function endedRun(
  pending: readonly PendingRun[],
  facts: Facts,
): { pending: PendingRun; run: TestRun } | undefined {
  for (const p of pending) {
    const outcome = outcomeFor(p.id, facts);
    const run = outcome && facts.world.loaded.outcome?.finishedRun(shownBy(p, outcome), outcome);
    if (run) return { pending: p, run };
  }
  return undefined;
}

/** An output without its exit code is like one behind a pipe. */
const shownBy = (p: PendingRun, { exitCode }: Outcome): PendingRun =>
  exitCode === undefined ? { ...p, command: `${p.command} | cat` } : p;

function outcomeFor(id: string, { event }: Facts): Outcome | undefined {
  const { tool, outcome } = event;
  if (!outcome?.ok || !tool) return undefined;
  if (tool.kind === "control") {
    const named = tool.input["task_id"] ?? tool.input["bash_id"] ?? tool.input["shell_id"];
    return named === id ? reported(outcome) : undefined;
  }
  const file = `${id}.output`;
  const shows = tool.kind === "read" ? tool.path?.endsWith(`/${file}`) : tool.command?.includes(`/${file}`);
  return shows ? { ok: true, text: outcome.text } : undefined;
}

/** What TaskOutput and BashOutput say of a command that has ended. */
function reported({ response, text }: Outcome): Outcome | undefined {
  const task = isObject(response) && isObject(response["task"]) ? response["task"] : response;
  const status = textIn(task, "status") ?? /<status>(\w+)<\/status>/.exec(text)?.[1];
  const given = isObject(task) ? (task["exitCode"] ?? task["exit_code"]) : undefined;
  const code = typeof given === "number" ? given : /<exit_code>(-?\d+)<\/exit_code>/.exec(text)?.[1];
  if (status === "running" || status === "pending" || code === undefined) return undefined;
  const output = textIn(task, "output") ?? textIn(task, "stdout") ?? text;
  return { ok: Number(code) === 0, exitCode: Number(code), text: output };
}

const textIn = (value: Json | undefined, name: string): string | undefined => {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === "string" ? found : undefined;
};
