import assert from "node:assert/strict";
import { checkConstitution, phases, tested } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens } from "../../../../test/lifecycle/rows.js";

const failing = tested({
  completed: false,
  current_iteration: 2,
  last_test_result: "failed",
  last_test_command: "npm test",
});
const passing = { completed: true, current_iteration: 2, status: "success", last_test_result: "passed" };
const compliant = { completed: true, status: "compliant", iterations_used: 1, articles_checked: ["I"] };
const orchestrate = (prompt: string) => (p: FrameworkProject) => p.task("sdlc-orchestrator", prompt, "orchestrate");
const skill =
  (name: string, args = "") =>
  (p: FrameworkProject) =>
    p.before("Skill", { skill: name, args });
const worker = (prompt: string) => (p: FrameworkProject) => p.task("general-purpose", prompt);
const rows: Row[] = [
  {
    name: "tests fail: no advance",
    setup: { state: failing },
    act: orchestrate("advance to the next phase"),
    denied: ["TEST corridor", "npm test"],
  },
  {
    name: "tests fail: no hand-off",
    setup: { state: failing },
    act: worker("hand off to QA"),
    denied: ["TEST corridor"],
  },
  {
    name: "tests fail: no delegation to another phase",
    setup: { state: failing },
    act: (p) => p.task("qa-engineer", "review"),
    denied: ["TEST corridor"],
  },
  {
    name: "tests fail: no advance by skill",
    setup: { state: failing },
    act: skill("sdlc", "advance"),
    denied: ["TEST corridor"],
  },
  {
    name: "tests fail: the phase's own agent goes on",
    setup: { state: failing },
    act: (p) => p.task("software-developer", "fix the test, then proceed"),
  },
  {
    name: "tests fail: other work passes",
    setup: { state: failing },
    act: worker("investigate and navigate the code"),
  },
  { name: "tests fail: setup passes", setup: { state: failing }, act: orchestrate("/sdlc status") },
  {
    name: "tests pass, constitution not started: no advance",
    setup: { state: tested(passing) },
    act: orchestrate("proceed"),
    denied: ["CONST corridor", "--articles"],
  },
  {
    name: "constitution open in a phase without tests",
    setup: {
      state: workflowAt(
        "03-architecture",
        {},
        phases("03-architecture", {
          constitutional_validation: { completed: false, status: "iterating", iterations_used: 1 },
        }),
      ),
    },
    act: orchestrate("next phase please"),
    denied: ["CONST corridor"],
  },
  {
    name: "constitution not started in a phase without tests is no corridor",
    setup: { state: workflowAt("03-architecture") },
    act: orchestrate("next phase please"),
  },
  {
    name: "tests and constitution done",
    setup: { state: tested(passing, { constitutional_validation: compliant }) },
    act: orchestrate("advance"),
  },
  {
    name: "escalated is no corridor",
    setup: {
      state: tested({ completed: false, current_iteration: 10, status: "escalated", last_test_result: "failed" }),
    },
    act: orchestrate("advance"),
  },
  {
    name: "enforcement switched off before Interlock came",
    setup: { state: { ...failing, iteration_enforcement: { enabled: false } } },
    act: orchestrate("advance"),
  },
  {
    name: "a refusal is an escalation in the file",
    setup: { state: failing },
    act: orchestrate("advance"),
    denied: ["corridor"],
    file: (p) => assert.equal(p.state().pending_escalations[0].hook, "iteration-corridor"),
  },
];

gateTable("lifecycle/iteration-corridor", rows);
remedyOpens("lifecycle/iteration-corridor", {
  setup: { state: failing },
  act: orchestrate("advance"),
  remedy: async (p) => {
    await p.after("Bash", { command: "npm test" }, "Tests:       5 passed, 5 total");
    await checkConstitution(p, "06-implementation");
  },
});
