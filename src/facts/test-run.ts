// A run of tests or checks as evidence: the runner, whether its exit code is known, and its counts.
// Invariant: the runner comes from the analysed command, never from the output; a hidden exit code proves no success.
import type { Event, Outcome } from "../model/event.js";
import { echoedExitCode, type Hiding, hiding, showsOwnSummary } from "./exit-code.js";
import { wasStopped } from "./interrupted.js";
import { lazyRegExp, setOf } from "./lazy-pattern.js";
import { type Counts, countsIn, failingSummaries } from "./test-reporters.js";
import { type ProgramCall, type Runner, runnerOf } from "./test-runners.js";

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
  /** The tests prove nothing, but a check of the same command succeeded. */
  checked?: true;
  /** A run in the background: the programs that run it. */
  programs?: string[];
}

/** What is known of a run before it ends. */
export interface StartedRun extends Pick<TestRun, "runner" | "level" | "command"> {
  /** The programs of the command that run it. */
  programs: string[];
  /** Tests: what the command checks besides. */
  checks?: StartedRun;
}

/** The test run of a finished shell call, from its programs and its outcome. */
export function testRunOf(event: Event, programs: readonly ProgramCall[], root?: string): TestRun | undefined {
  const { tool, outcome } = event;
  if (!tool?.command || !outcome || outcome.interrupted) return undefined;
  const started = startedRun(tool.command, programs, root);
  return started && finishedRun(started, outcome, tool.background === true);
}

/** The run that a command starts, if its programs run tests or checks. */
export function startedRun(command: string, programs: readonly ProgramCall[], root?: string): StartedRun | undefined {
  const found = programs.flatMap((p) => {
    const r = runnerOf(p, root);
    return r ? [{ ...r, program: p.program }] : [];
  });
  const best =
    found.find((r) => r.level === "test" && r.runner !== "script") ?? found.find((r) => r.level === "test") ?? found[0];
  if (!best) return undefined;
  const of = (level: TestRun["level"]) => found.filter((r) => r.level === level);
  const run = ({ runner, level }: Runner): StartedRun => {
    const programs = of(level).map((r) => r.program);
    return { runner, level, command, programs };
  };
  const [check] = best.level === "test" ? of("check") : [];
  return { ...run(best), ...(check && { checks: run(check) }) };
}

/** What a run shows once its outcome is known; a run in the background has shown nothing yet. */
export function finishedRun(best: StartedRun, outcome: Outcome, background = false): TestRun {
  const counts =
    best.level === "test" ? countsIn(outcome.text, best.runner === "script" ? undefined : best.runner) : undefined;
  const echoed = echoedExitCode(best.command, best.programs, outcome.text);
  const exitCode = echoed ?? outcome.exitCode;
  const run: TestRun = {
    runner: best.runner,
    level: best.level,
    command: best.command,
    ...(exitCode !== undefined && { exitCode }),
    ...(counts && { counts }),
    ...(background && { programs: best.programs }),
  };
  const hidden = echoed === undefined ? hiding(best.command, best.programs) : "no";
  const shown = counts ? printsItself(best, counts, outcome.text) : saysSoItself(best, outcome.text);
  const seen = hidden === "masked" && shown ? "pipe" : hidden;
  const found = {
    ...judged(run, best.programs, background, seen, echoed === undefined ? outcome.ok : echoed === 0, outcome.text),
    ...(wasStopped(outcome) && !counts?.failed && { ok: undefined, why: "it was stopped before it ended" }),
  };
  const checked =
    found.ok === undefined && best.checks !== undefined && finishedRun(best.checks, outcome, background).ok === true;
  return { ...run, ...found, ...(checked && { checked }) };
}

/** The summary is the runner's own: what hides its exit code neither prints counts nor drops failures. */
function printsItself({ command, programs, checks, runner }: StartedRun, { passed }: Counts, text: string): boolean {
  const shown =
    passed > 0 ? showsOwnSummary(command, programs, failingSummaries(runner, text), checks?.programs) : undefined;
  return shown !== undefined && countsIn(shown.echoed) === undefined && !(shown.others && broke().test(text));
}

/** The same without counts: a filter that shows failures or errors shows that there are none. */
function saysSoItself({ command, programs, runner, level }: StartedRun, text: string): boolean {
  const clean = level === "test" ? saysAllPassed(text) : noFindings().test(text) && saysClean(runner, text);
  const shown = clean ? showsOwnSummary(command, programs, ["error: it failed"]) : undefined;
  return shown !== undefined && !/error|issue|pass|ok|succe|expected/i.test(shown.echoed);
}

/** Last words of runners that print no counts. */
const allPassed = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^\W{0,6}(?:all (?:\d+ )?(?:tests|specs|checks|suites) (?:have )?pass(?:ed)?\b|PASS\s*$|BUILD SUCCESS` +
        String.raw`|NX +Successfully ran targets? |congratulations :\)|nox > \* \S+: success$` +
        String.raw`|DONE \u2550|0 errors \u2714)`,
      "imu",
    ),
);
/** The same of runners nobody listed: a line that counts tests and says how they went. */
const countedPassed = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^(?=.{0,200}\b[1-9]\d*\b)` +
        String.raw`(?=.{0,200}\b(?:tests?|specs?|checks|cases|examples|scenarios|suites)\b)` +
        String.raw`.{0,200}\b(?:pass(?:ed|es)?|succeeded|successful(?:ly)?|ok|as expected)\b`,
      "im",
    ),
);
const anyFailed = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^\W{0,6}(?:FAIL|not ok|error\b|\d+ (?:failed|failing))` +
        String.raw`|\b[1-9]\d* (?:\w+ ){0,2}(?:fail|error|unexpected)|\bfail\w*: *[1-9]`,
      "imu",
    ),
);
/** "1 of 2 passed", "1/2 tests passed" */
const someOf = (text: string): boolean =>
  [...text.matchAll(/\b(\d+)(?:\/| (?:out )?of )(\d+)\b/g)].some(([, some, all]) => some !== all);
const saysAllPassed = (text: string): boolean =>
  (allPassed().test(text) || (countedPassed().test(text) && !someOf(text))) && !anyFailed().test(text);

/** Checks that print nothing when all is well, and what others print then. */
const silent = new Set(["tsc", "vue-tsc", "go build", "go vet", "shellcheck"]);
const noFindings = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^(?:\[[\w:]+\] )?(?:0 issues\.|All checks passed!|Success: no issues found` +
        String.raw`|No (?:issues|errors) found|errors +0\b|svelte-check found 0 errors)`,
      "m",
    ),
);
const saysClean = (runner: string, text: string): boolean =>
  (text.trim() === "" && silent.has(runner)) ||
  ((noFindings().test(text) || /^Checked \d+ files? in .*No fixes applied/m.test(text)) &&
    !/\b(?:[1-9]\d* (?:errors?|issues|problems)|errors +[1-9]|error:|FAIL)/.test(text));

/** What build tools print last when all went well. */
const built = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^\W{0,6}(?:(?:\S+ build: |\[[\w:]+\] |(?:ESM|CJS|DTS|IIFE) )\W{0,6})?` +
        String.raw`(?:built in [\d.]|Build success\b|Build complete!` +
        String.raw`|Build succeeded\b|BUILD SUCCE|Finished .{1,40}(?:profile|target)|[Cc]ompiled successfully` +
        String.raw`|webpack .{1,40} compiled (?:successfully|with \d+ warnings?)|created \S+ in [\d.]` +
        String.raw`|Done in [\d.]+ ?m?s|Application bundle generation complete|(?:NX +)?Successfully ran target` +
        String.raw`|build complete in [\d.]|Your web extension is ready|NbConvertApp\] Writing \d+ bytes)`,
      "m",
    ),
);
/** What compilers, bundlers and script runners print when they fail. */
const broke = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^\s*(?:\S+ build: |\[[\w:]+\] )?` +
        String.raw`(?:error\b|ERROR\b|Error:|✘|✖ [1-9]\d* problems? \([1-9]|Failed to compile|Build failed` +
        String.raw`|FAIL\b|fatal\b)|\berror(?: TS\d|\[E\d)|: error:|\bELIFECYCLE\b|\bERR_PNPM` +
        String.raw`|\b[Ee]xit(?:ed with code| status| code) [1-9]` +
        String.raw`|\*\*\* .*\bError \d|\bERROR task failed|Failed to run task|run failed: command|npm (?:ERR!|error)` +
        String.raw`|[Cc]ommand failed|\b[1-9]\d* errors?\b`,
      "m",
    ),
);
const saysBuilt = (text: string): boolean => built().test(text) && !broke().test(text);

/** Programs that say so themselves, in their last lines, when what they ran has failed. */
const tellsFailure = setOf("pnpm bun make gmake mise just task go-task turbo deno");
/** Those whose very last line tells it. */
const tellsLast = setOf("make gmake just deno");
/** Nothing but the end of the output is shown, and all of it is. */
const onlyEnd = /\|\s*(?:tail|cat|tee)\b[^|;&\n]*$/;
const tellsNoFailure = (programs: readonly string[], command: string, text: string): boolean => {
  // What a task runs itself is its own business.
  const named = programs.filter((p) => command.includes(p));
  return (
    named.length > 0 &&
    named.every((p) => tellsFailure.has(p)) &&
    text.trim() !== "" &&
    onlyEnd.test(command) &&
    !/2>\s*\/dev\/null|\|\s*(?:head|e?grep|rg|sed|awk)\b/.test(command) &&
    (!/tail\s+-(?:n\s*)?[12]\b/.test(command) || named.every((p) => tellsLast.has(p))) &&
    !broke().test(text)
  );
};

/** What a build tool prints last, for when a pipe hides its exit code. */
const buildFailed = /^(?:\[\w+\] )?BUILD FAIL(?:ED|URE)\b/m;

/** An option allows a run without tests, and nothing shows that there was one. */
const mayRunNone = (command: string, text: string): boolean =>
  /--pass-?with-?no-?tests\b/i.test(command) || (/--if-present\b/.test(command) && text.trim() === "");

function judged(
  run: TestRun,
  programs: readonly string[],
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
  if (!run.counts && ok && mayRunNone(run.command, text))
    return { why: "it passes without any test too, and its output shows none; run it without that option" };
  if (hidden === "pipe" && run.level === "check" && (saysClean(run.runner, text) || saysBuilt(text)))
    return { ok: true };
  if (hidden === "pipe" && !run.counts && !saysAllPassed(text) && !tellsNoFailure(programs, run.command, text))
    return { why: "the exit code is hidden by the pipe and the summary is cut off; run it on its own" };
  if (!ok) return { ok: false };
  return { ok: true };
}
