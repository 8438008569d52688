import assert from "node:assert/strict";
import { inDesign, inTests } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, several } from "../../../../test/lifecycle/rows.js";
import type { JsonObject } from "../../../model/json.js";

const idle = { state: { active_workflow: null } };
const run = (command: string, output: string) => (p: FrameworkProject) => p.after("Bash", { command }, output);
const failing = "Exit code 1\nError: expected 1 to be 2\nTests:       1 failed, 4 passed, 5 total";
const fail =
  (command = "npm test", error = failing) =>
  (p: FrameworkProject) =>
    p.failed("Bash", { command }, error);
const with_ = (error: string) => fail("npm test", `Exit code 1\nError: ${error}`);
const good = "Tests:       5 passed, 5 total";
const counted = (p: FrameworkProject) => p.state().phases["06-implementation"].iteration_requirements?.test_iteration;
const rows: Row[] = [
  {
    name: "a passing run completes",
    setup: inTests,
    act: run("npm test", good),
    told: ["pass after 1 run"],
    file: (p) =>
      assert.deepEqual([counted(p).completed, counted(p).status, counted(p).current_iteration], [true, "success", 1]),
  },
  {
    name: "a failing run counts",
    setup: inTests,
    act: fail(),
    told: ["attempt 1 of 10", "npm test"],
    file: (p) =>
      assert.deepEqual(
        [counted(p).completed, counted(p).last_test_result, counted(p).failures_count],
        [false, "failed", 1],
      ),
  },
  { name: "the failing event of the platform is heard", setup: inTests, act: fail("pytest -q"), told: ["attempt 1"] },
  {
    name: "a summary with failures fails whatever the exit code",
    setup: inTests,
    act: run("npx jest || true", "Tests:       2 failed, 3 passed, 5 total"),
    told: ["attempt 1"],
  },
  {
    name: "an inconclusive run counts as neither",
    setup: inTests,
    act: run("npm test | grep -v x", "nothing"),
    told: ["proves nothing"],
    file: (p) => assert.equal(counted(p), undefined),
  },
  {
    name: "three equal failures escalate",
    setup: inTests,
    act: several(fail(), fail(), fail()),
    told: ["escalated (circuit_breaker"],
    file: (p) => assert.deepEqual([counted(p).status, counted(p).escalation_reason], ["escalated", "circuit_breaker"]),
  },
  {
    name: "failures that differ only in line and time are equal",
    setup: inTests,
    act: several(
      fail("npm test", "Exit code 1\n12:00:01 a.ts:3:1 Error: boom"),
      fail("npm test", "Exit code 1\n12:00:09 a.ts:7:2 Error: boom"),
    ),
    told: ["the same failure 2 times"],
  },
  {
    name: "different failures do not escalate",
    setup: inTests,
    act: several(with_("alpha"), with_("beta"), with_("gamma")),
    told: ["attempt 3 of 10"],
  },
  {
    name: "the configured limit holds",
    setup: {
      state: { ...workflowAt("06-implementation"), iteration_config: { configured_at: "2026-01-01", testing_max: 2 } },
    },
    act: several(with_("alpha"), with_("beta")),
    told: ["max_iterations"],
  },
  {
    name: "a limit that nobody configured is ignored",
    setup: { state: { ...workflowAt("06-implementation"), iteration_config: { testing_max: 1 } } },
    act: fail(),
    told: ["attempt 1 of 10"],
  },
  {
    name: "history is kept",
    setup: inTests,
    act: several(fail(), run("npm test", good)),
    told: ["after 2 runs"],
    file: (p) =>
      assert.deepEqual(
        counted(p).history.map((h: JsonObject) => h["result"]),
        ["FAILED", "PASSED"],
      ),
  },
  {
    name: "ATDD: skipped tests are told",
    setup: { state: workflowAt("06-implementation", { atdd_mode: true }) },
    act: run("npm test", "Tests:       2 skipped, 3 passed, 5 total"),
    told: ["2 tests are still skipped"],
  },
  { name: "no test command", setup: inTests, act: run("npm run build", good) },
  { name: "words of a test in an echo", setup: inTests, act: run('echo "npm test"', good) },
  { name: "a phase without tests", setup: inDesign, act: run("npm test", good) },
  { name: "no workflow", setup: idle, act: run("npm test", good) },
];

gateTable("lifecycle/test-watcher", rows);
