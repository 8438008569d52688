// Counts each test run of a phase that needs tests, and tells the agent the next step.
import { after, failed, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { note } from "../../../model/verdict.js";
import { testLimits } from "../model/phase-evidence.js";
import { objectAt } from "../model/state-file.js";
import { limitsIn } from "../model/workflow-state.js";
import { phaseRecord, recordEscalation, writeTests } from "../model/write-back.js";
import { phaseContextOf, writeDown } from "./gate-context.js";

export const testWatcher = gate<{ seen: string }>({
  id: "lifecycle/test-watcher",
  title: "Test runs of a phase are counted",
  about:
    "After a test command in a phase that needs tests, records the attempt, result and failure in the " +
    "state file. Repeated identical failures (ignoring times, paths and numbers) or too many attempts " +
    "escalate. A run whose result is unknown counts as neither pass nor failure.",
  remedy: "Fix the failure and run the same command again.",
  window: "The phase.",
  reset: "A passing run before an escalation; after it a person's `interlock lifecycle approve`, `redo` or `cancel`.",
  on: [...after("shell"), ...failed("shell")],
  onError: "pass",
  env: ["ISDLC_PROJECT"],
  state: { scope: "project", initial: { seen: "" } },
  judge(context) {
    const { facts, now, state } = context;
    const run = facts.run;
    if (run?.level !== "test") return;
    const phaseContext = phaseContextOf(context);
    const needs = phaseContext?.needs?.tests;
    if (!phaseContext?.workflow || !needs || !phaseContext.observed.enforced) return;
    const { observed, file: onDisk } = phaseContext;
    const limits = testLimits(needs, observed, onDisk && limitsIn(onDisk));
    const { phase } = phaseContext.workflow;
    const { tests } = phaseContext.at;
    const atdd = phaseContext.needs?.atdd?.noSkips && (phaseContext.needs.atdd.always || phaseContext.workflow.atdd);
    if (run.ok === undefined)
      return note(
        `lifecycle/test-watcher: this run of ${phase} proves nothing: ${run.why ?? "its result is not known"}.`,
      );
    const mark = tests && `${phase} ${tests.iteration} ${tests.at}`;
    if (!tests || !mark || mark === state.value.seen) return;
    state.update(() => ({ seen: mark }));
    writeDown(context, phaseContext, (file) => {
      writeTests(file, phase, tests, limits);
      if (atdd) objectAt(phaseRecord(file, phase), "atdd_validation")["orphan_skips_detected"] = tests.skipped ?? 0;
      if (tests.escalated)
        recordEscalation(file, { type: "test_iteration", hook: "test-watcher", phase, detail: tests.escalated }, now);
    });
    if (tests.completed && tests.escalated && !tests.approved)
      return note(
        `lifecycle/test-watcher: the tests of ${phase} pass now, and testing stays escalated (${tests.escalated}) ` +
          "until a person decides: tell the user what you changed; in their own terminal they run interlock " +
          'lifecycle approve --reason "...".',
        "both",
      );
    if (tests.completed) return passed(phase, tests.iteration, atdd ? (tests.skipped ?? 0) : 0);
    if (tests.escalated)
      return note(
        `lifecycle/test-watcher: testing of ${phase} is escalated (${tests.escalated}; attempt ` +
          `${tests.iteration}, ${tests.identical} equal failures). Stop trying the same thing: tell the ` +
          "user what fails and ask how to go on.",
        "both",
      );
    return note(
      `lifecycle/test-watcher: the tests of ${phase} fail (attempt ${tests.iteration} of ${limits.max}, ` +
        `${Math.max(0, limits.max - tests.iteration)} ` +
        `left${tests.identical > 1 ? `, the same failure ${tests.identical} times` : ""}). Fix the cause ` +
        `and run the same command again: ${inert(tests.command ?? "", 100)}`,
    );
  },
});

const passed = (phase: string, attempts: number, skipped: number) =>
  note(
    `lifecycle/test-watcher: the tests of ${phase} pass after ${attempts} ${attempts === 1 ? "run" : "runs"}.` +
      (skipped ? ` ATDD: ${skipped} tests are still skipped; they must run before the gate.` : "") +
      " interlock lifecycle next says what its gate still needs.",
  );
