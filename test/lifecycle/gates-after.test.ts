// The older checks that watch what happened, and the one that holds the end of a turn: at least ten rows each, some of which must pass.
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/model/json.js";
import { done, inDesign, inTests, menuText } from "./calls.js";
import { type FrameworkProject, workflowAt } from "./project.js";
import { enough, type Row, runRows, several } from "./rows.js";

const idle = { state: { active_workflow: null } };
const last = (p: FrameworkProject) => p.state().skill_usage_log.at(-1);
const reason = (expected: string) => (p: FrameworkProject) => assert.equal(last(p).reason, expected);
const logUsage: Row[] = [
  {
    name: "the phase's agent is authorised",
    setup: inDesign,
    act: done("system-designer"),
    file: reason("authorized-phase-match"),
  },
  {
    name: "the orchestrator is authorised",
    setup: inDesign,
    act: done("sdlc-orchestrator"),
    file: reason("authorized-orchestrator"),
  },
  {
    name: "another phase's agent is a crossing",
    setup: inDesign,
    act: done("qa-engineer"),
    file: (p) =>
      assert.deepEqual(
        [last(p).reason, last(p).agent_phase, last(p).current_phase],
        ["cross-phase-usage", "08-code-review", "04-design"],
      ),
  },
  { name: "an unknown agent is allowed", setup: inDesign, act: done("helper"), file: reason("allowed") },
  {
    name: "names are normalised",
    setup: inDesign,
    act: done("Designer"),
    file: (p) => assert.equal(last(p).agent, "system-designer"),
  },
  {
    name: "the description is kept",
    setup: inDesign,
    act: done("system-designer"),
    file: (p) => assert.equal(last(p).description, "the work"),
  },
  {
    name: "no description",
    setup: inDesign,
    act: (p) => p.after("Task", { subagent_type: "qa-engineer", prompt: "x" }),
    file: (p) => assert.equal(last(p).description, "N/A"),
  },
  {
    name: "the mode is kept",
    setup: { state: { ...workflowAt("04-design"), skill_enforcement: { mode: "warn" } } },
    act: done("qa-engineer"),
    file: (p) => assert.deepEqual([last(p).status, last(p).enforcement_mode], ["warned", "warn"]),
  },
  {
    name: "switched off",
    setup: { state: { ...workflowAt("04-design"), skill_enforcement: { enabled: false } } },
    act: done("qa-engineer"),
    file: (p) => assert.equal(p.state().skill_usage_log, undefined),
  },
  {
    name: "the agent tool by its newer name",
    setup: inDesign,
    act: (p) => p.after("Agent", { subagent_type: "qa-engineer", prompt: "x" }),
    file: (p) => assert.equal(last(p).agent, "qa-engineer"),
  },
  {
    name: "unknown fields stay",
    setup: { state: { ...workflowAt("04-design"), mine: { a: [1, null] } } },
    act: done("qa-engineer"),
    file: (p) => assert.deepEqual(p.state().mine, { a: [1, null] }),
  },
  {
    name: "the version counts up",
    setup: { state: { ...workflowAt("04-design"), state_version: 7 } },
    act: done("qa-engineer"),
    file: (p) => assert.equal(p.state().state_version, 8),
  },
  {
    name: "no state file is made",
    act: done("qa-engineer"),
    file: (p) => assert.equal(p.has(".isdlc/state.json"), false),
  },
  {
    name: "a broken file stays as it is",
    setup: { state: "{oops" },
    act: done("qa-engineer"),
    fault: /not valid JSON/,
    file: (p) => assert.equal(p.read(".isdlc/state.json"), "{oops"),
  },
];

const asked = { state: workflowAt("01-requirements") };
const answers = (p: FrameworkProject) =>
  p.state().phases["01-requirements"].iteration_requirements?.interactive_elicitation;
const analyst = (text: string) => done("requirements-analyst", text);
const shown = (p: FrameworkProject) => assert.equal(answers(p).menu_interactions, 1);
const menus: Row[] = [
  { name: "a menu is counted", setup: asked, act: analyst(menuText), file: shown },
  { name: "two marks make a menu", setup: asked, act: analyst("[S] Save\nEnter selection"), file: shown },
  {
    name: "one mark does not",
    setup: asked,
    act: analyst("Your choice: of words matters"),
    file: (p) => assert.equal(answers(p), undefined),
  },
  {
    name: "save completes",
    setup: asked,
    act: analyst(`${menuText}\nUser selected: [S] Save`),
    told: ["finished (save)"],
    file: (p) => assert.deepEqual([answers(p).completed, answers(p).final_selection], [true, "save"]),
  },
  {
    name: "exit completes",
    setup: asked,
    act: analyst(`${menuText}\nUser selected: exit`),
    told: ["finished (exit)"],
    file: (p) => assert.equal(answers(p).final_selection, "exit"),
  },
  {
    name: "continue goes on",
    setup: asked,
    act: analyst(`${menuText}\nThe user chose C.`),
    file: (p) => assert.deepEqual([answers(p).completed, answers(p).final_selection], [false, "continue"]),
  },
  {
    name: "a selection without a menu completes nothing",
    setup: asked,
    act: analyst("User selected: save"),
    file: (p) => assert.equal(answers(p)?.completed ?? false, false),
  },
  {
    name: "select a file is no selection",
    setup: asked,
    act: analyst(`${menuText}\nPlease select a file. I selected a good one.`),
    file: (p) => assert.deepEqual(answers(p).selections, []),
  },
  {
    name: "steps are tracked",
    setup: asked,
    act: analyst(`${menuText}\nStep 2 is complete`),
    file: (p) => assert.deepEqual(answers(p).steps_completed, ["step-2"]),
  },
  {
    name: "questions put to the user count",
    setup: asked,
    act: (p) => p.after("AskUserQuestion", { questions: [] }, `${menuText}\nUser selected: save`),
    told: ["finished"],
    file: (p) => assert.equal(answers(p).completed, true),
  },
  {
    name: "a sub-agent's last words count",
    setup: asked,
    act: (p) =>
      p.hook("SubagentStop", { agent_id: "a1", agent_type: "requirements-analyst", last_assistant_message: menuText }),
    file: shown,
  },
  {
    name: "another phase asks nothing",
    setup: inDesign,
    act: done("system-designer", menuText),
    file: (p) => assert.deepEqual(p.state(), workflowAt("04-design")),
  },
  { name: "no workflow", setup: idle, act: analyst(menuText) },
];

const invoked =
  (name: string, args = "") =>
  (p: FrameworkProject) =>
    p.after("Skill", { skill: name, args }, "Launching skill");
const marker = (p: FrameworkProject) => p.state().pending_delegation;
const enforcer: Row[] = [
  {
    name: "sdlc demands its orchestrator",
    setup: inDesign,
    act: invoked("sdlc", "feature add login"),
    told: ["sdlc-orchestrator"],
    file: (p) => assert.equal(marker(p).required_agent, "sdlc-orchestrator"),
  },
  {
    name: "discover demands its orchestrator",
    setup: inDesign,
    act: invoked("discover"),
    told: ["discover-orchestrator"],
    file: (p) => assert.equal(marker(p).skill, "discover"),
  },
  { name: "a leading slash", setup: inDesign, act: invoked("/sdlc"), told: ["sdlc-orchestrator"] },
  { name: "the newer name", setup: inDesign, act: invoked("isdlc", "fix"), told: ["sdlc-orchestrator"] },
  { name: "a plugin's prefix", setup: inDesign, act: invoked("tools:discover"), told: ["discover-orchestrator"] },
  {
    name: "the marker carries the session",
    setup: inDesign,
    act: invoked("sdlc"),
    told: ["sdlc"],
    file: (p) => assert.equal(marker(p).session, "s1"),
  },
  {
    name: "the marker carries the words",
    setup: inDesign,
    act: invoked("sdlc", "feature x"),
    told: ["sdlc"],
    file: (p) => assert.equal(marker(p).args, "feature x"),
  },
  {
    name: "status is answered at once",
    setup: inDesign,
    act: invoked("sdlc", "status"),
    file: (p) => assert.equal(marker(p), undefined),
  },
  { name: "help is answered at once", setup: inDesign, act: invoked("discover", "help") },
  { name: "another skill", setup: inDesign, act: invoked("pdf") },
  { name: "a skill with a similar name", setup: inDesign, act: invoked("discovery-notes") },
];

const run = (command: string, output: string) => (p: FrameworkProject) => p.after("Bash", { command }, output);
const failing = "Exit code 1\nError: expected 1 to be 2\nTests:       1 failed, 4 passed, 5 total";
const fail =
  (command = "npm test", error = failing) =>
  (p: FrameworkProject) =>
    p.failed("Bash", { command }, error);
const with_ = (error: string) => fail("npm test", `Exit code 1\nError: ${error}`);
const good = "Tests:       5 passed, 5 total";
const counted = (p: FrameworkProject) => p.state().phases["06-implementation"].iteration_requirements?.test_iteration;
const watcher: Row[] = [
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
        ["failed", "passed"],
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

const team = (review: JsonObject) => ({ state: { ...workflowAt("06-implementation"), code_review: review } });
const committed = (command: string) => run(command, "[x 1234567] m");
const reminder: Row[] = [
  {
    name: "a team without review",
    setup: team({ enabled: false, team_size: 3 }),
    act: committed("git commit -m x"),
    warned: ["3 members"],
  },
  {
    name: "enabled is not set",
    setup: team({ team_size: 2 }),
    act: committed("git commit -m x"),
    warned: ["code review"],
  },
  {
    name: "in a chain",
    setup: team({ team_size: 2 }),
    act: committed("git add . && git commit -m x"),
    warned: ["code review"],
  },
  {
    name: "by path of the repository",
    setup: team({ team_size: 2 }),
    act: committed("git -C . commit -m x"),
    warned: ["code review"],
  },
  { name: "review enabled", setup: team({ enabled: true, team_size: 3 }), act: committed("git commit -m x") },
  { name: "one person", setup: team({ enabled: false, team_size: 1 }), act: committed("git commit -m x") },
  { name: "size unknown", setup: team({ enabled: false }), act: committed("git commit -m x") },
  { name: "not a commit", setup: team({ team_size: 3 }), act: committed("git status") },
  { name: "a commit in words only", setup: team({ team_size: 3 }), act: committed('echo "git commit"') },
  { name: "no review settings", setup: inTests, act: committed("git commit -m x") },
  { name: "no state", act: committed("git commit -m x") },
];

const demanded = invoked("sdlc");
const stop = (p: FrameworkProject) => p.stop();
const marked = (at: string) => ({
  state: {
    ...workflowAt("04-design"),
    pending_delegation: { skill: "sdlc", required_agent: "sdlc-orchestrator", invoked_at: at },
  },
});
const stops: Row[] = [
  { name: "nothing was demanded", setup: inDesign, act: stop },
  { name: "demanded and not started", setup: inDesign, act: several(demanded, stop), denied: ["sdlc-orchestrator"] },
  { name: "demanded and started", setup: inDesign, act: several(demanded, done("sdlc-orchestrator"), stop) },
  { name: "started by another name", setup: inDesign, act: several(demanded, done("orchestrator"), stop) },
  {
    name: "another agent does not count",
    setup: inDesign,
    act: several(demanded, done("qa-engineer"), stop),
    denied: ["was not started"],
  },
  {
    name: "another session is not held",
    setup: inDesign,
    act: several(demanded, (p) => Object.assign(p, { session: "s2" }), stop),
  },
  { name: "status demands nothing", setup: inDesign, act: several(invoked("sdlc", "status"), stop) },
  {
    name: "a marker of the file is taken over",
    setup: marked(new Date().toISOString()),
    act: stop,
    denied: ["sdlc-orchestrator"],
  },
  {
    name: "an old marker has expired",
    setup: marked("2026-01-01T00:00:00Z"),
    act: stop,
    file: (p) => assert.equal(p.state().pending_delegation, null),
  },
  {
    name: "deleting the marker by hand does not help",
    setup: inDesign,
    act: several(demanded, (p) => p.write(".isdlc/state.json", JSON.stringify(workflowAt("04-design"))), stop),
    denied: ["was not started"],
  },
  { name: "the refusals are bounded", setup: inDesign, act: several(demanded, stop, stop, stop, stop), warned: [] },
  { name: "no state", act: stop },
];

const suites: Record<string, Row[]> = {
  "log-skill-usage": logUsage,
  "menu-tracker": menus,
  "skill-delegation-enforcer": enforcer,
  "test-watcher": watcher,
  "review-reminder": reminder,
  "delegation-gate": stops,
};

enough(suites);
runRows(suites);
