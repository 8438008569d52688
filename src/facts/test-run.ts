// A run of tests or checks as evidence: which runner, on whose exit code, with which counts.
// Invariant: the runner is known from the analysed command, never from words in the output; a hidden exit code proves nothing good.
import type { Event } from "../model/event.js";
import { type Hiding, hiding } from "./exit-code.js";
import { wasStopped } from "./interrupted.js";
import { type Counts, countsIn } from "./test-reporters.js";
import { type ProgramCall, runnerOf } from "./test-runners.js";

export interface TestRun {
  runner: string;
  /** Tests prove behaviour; a check (types, lint, build) proves less. */
  level: "test" | "check";
  command: string;
  exitCode?: number;
  counts?: Counts;
  /** true and false are proved; undefined: the run says nothing, and `why` says why. */
  ok?: boolean;
  why?: string;
}

/** The run of a shell call that is over, from its analysed programs and its outcome. */
export function testRunOf(event: Event, programs: readonly ProgramCall[]): TestRun | undefined {
  const { tool, outcome } = event;
  if (!tool?.command || !outcome || outcome.interrupted) return undefined;
  const found = programs.flatMap((p) => {
    const r = runnerOf(p);
    return r ? [{ ...r, program: p.program }] : [];
  });
  if (!found.length) return undefined;
  const best =
    found.find((r) => r.level === "test" && r.runner !== "script") ??
    found.find((r) => r.level === "test") ??
    found[0]!;
  const counts =
    best.level === "test" ? countsIn(outcome.text, best.runner === "script" ? undefined : best.runner) : undefined;
  const run: TestRun = {
    runner: best.runner,
    level: best.level,
    command: tool.command,
    ...(outcome.exitCode !== undefined && { exitCode: outcome.exitCode }),
    ...(counts && { counts }),
  };
  return {
    ...run,
    ...judged(
      run,
      tool.background === true,
      hiding(
        tool.command,
        found.map((r) => r.program),
      ),
      outcome.ok,
      outcome.text,
    ),
    ...(wasStopped(outcome) && !counts?.failed && { ok: undefined, why: "it was stopped before it ended" }),
  };
}

/** What a build tool says of itself last, where a pipe hides its exit code. */
const buildFailed = /^(?:\[\w+\] )?BUILD FAIL(?:ED|URE)\b/m;

function judged(
  run: TestRun,
  background: boolean,
  hidden: Hiding,
  ok: boolean,
  text: string,
): Pick<TestRun, "ok" | "why"> {
  if (background) return { why: "it still runs in the background; its result is not known" };
  if ((run.counts?.failed ?? 0) > 0) return { ok: false };
  if ((run.runner === "maven" || run.runner === "gradle") && buildFailed.test(text)) return { ok: false };
  if (hidden !== "pipe" && (!ok || (run.exitCode ?? 0) !== 0)) return { ok: false };
  if (hidden === "masked") return { why: "the exit code of the run is hidden by what follows it; run it on its own" };
  if (run.counts && run.counts.passed === 0) return { why: "no test was run" };
  if (hidden === "pipe" && !run.counts)
    return { why: "the exit code is hidden by the pipe and the summary is cut off; run it on its own" };
  if (!ok) return { ok: false };
  return { ok: true };
}
