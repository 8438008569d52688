// A run of tests or checks as evidence: the runner, whether its exit code is known, and its counts.
// Invariant: the runner comes from the analysed command, never from the output; a hidden exit code proves no success.
import type { Event } from "../model/event.js";
import { type Hiding, hiding, showsOwnSummary } from "./exit-code.js";
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
  /** undefined: the run proves nothing, and `why` tells the reason. */
  ok?: boolean;
  why?: string;
}

/** The test run of a finished shell call, from its programs and its outcome. */
export function testRunOf(event: Event, programs: readonly ProgramCall[], root?: string): TestRun | undefined {
  const { tool, outcome } = event;
  if (!tool?.command || !outcome || outcome.interrupted) return undefined;
  const found = programs.flatMap((p) => {
    const r = runnerOf(p, root);
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
  const names = found.map((r) => r.program);
  const hidden = hiding(tool.command, names);
  return {
    ...run,
    ...judged(
      run,
      tool.background === true,
      hidden === "masked" && counts && printsItself(tool.command, names, counts) ? "pipe" : hidden,
      outcome.ok,
      outcome.text,
    ),
    ...(wasStopped(outcome) && !counts?.failed && { ok: undefined, why: "it was stopped before it ended" }),
  };
}

/** The summary is the runner's own: what hides its exit code neither prints counts nor drops failures. */
function printsItself(command: string, programs: readonly string[], { passed }: Counts): boolean {
  const shown = passed > 0 ? showsOwnSummary(command, programs) : undefined;
  return shown !== undefined && countsIn(shown.echoed) === undefined;
}

/** Last words of runners that print no counts. */
const allPassed =
  /^\W{0,6}(?:all (?:\d+ )?(?:tests|specs|checks|suites) (?:have )?pass(?:ed)?\b|PASS\s*$|BUILD SUCCESS)/imu;
const saysAllPassed = (text: string): boolean =>
  allPassed.test(text) && !/^\W{0,6}(?:FAIL|not ok|error\b|\d+ (?:failed|failing))/imu.test(text);

/** Checks that print nothing when all is well, and what others print then. */
const silent = new Set(["tsc", "vue-tsc", "go build", "go vet", "shellcheck"]);
const noFindings =
  /^(?:\[[\w:]+\] )?(?:0 issues\.|All checks passed!|Success: no issues found|No (?:issues|errors) found)/m;
const saysClean = (runner: string, text: string): boolean =>
  (text.trim() === "" && silent.has(runner)) ||
  ((noFindings.test(text) || /^Checked \d+ files? in .*No fixes applied/m.test(text)) &&
    !/\b(?:[1-9]\d* (?:errors?|issues|problems)|error:|FAIL)/.test(text));

/** What a build tool prints last, for when a pipe hides its exit code. */
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
  if (hidden === "pipe" && run.level === "check" && saysClean(run.runner, text)) return { ok: true };
  if (hidden === "pipe" && !run.counts && !saysAllPassed(text))
    return { why: "the exit code is hidden by the pipe and the summary is cut off; run it on its own" };
  if (!ok) return { ok: false };
  return { ok: true };
}
