// The seed's 82 test rows, each by its own name and number, through the hook's own door with that gate alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { type FrameworkProject, type Setup, workflowAt } from "./project.js";
import { type Row, runRows } from "./rows.js";

const pending = workflowAt("01-requirements", {}, { "01-requirements": { status: "pending" } });
const toAnalyst = (p: FrameworkProject) => p.task("requirements-analyst", "Elicit the requirements");
const toDeveloper = (p: FrameworkProject) => p.task("software-developer", "Build the feature");
const idle = { active_workflow: null, phases: {} };

const phaseLoop: Row[] = [
  {
    name: "T01 blocks when the phase is pending",
    ac: "AC-01",
    setup: { state: pending },
    act: toAnalyst,
    denied: ["01-requirements", "requirements-analyst"],
  },
  {
    name: "T02 blocks when the phases section is empty",
    ac: "AC-01",
    setup: { state: workflowAt("01-requirements", {}, {}) },
    act: toAnalyst,
    denied: ["not begun"],
  },
  {
    name: "T03 allows when the phase is in progress",
    ac: "AC-01",
    setup: { state: workflowAt("01-requirements") },
    act: toAnalyst,
  },
  {
    name: "T04 allows calls that are no delegation",
    ac: "AC-01a",
    setup: { state: pending },
    act: (p) => p.task("general-purpose", "summarise the README"),
  },
  { name: "T05 allows when active_workflow is null", ac: "AC-01b", setup: { state: idle }, act: toAnalyst },
  { name: "T06 allows when state.json is missing", ac: "AC-01c", act: toAnalyst },
  {
    name: "T07 allows when state.json is malformed",
    ac: "AC-01c",
    setup: { state: "{ not json" },
    act: toAnalyst,
    fault: /not valid JSON/,
  },
  {
    name: "T08 allows when stdin is empty",
    ac: "AC-01c",
    setup: { state: pending },
    act: (p) => p.send(""),
    fault: /phase-loop-controller/,
  },
  {
    name: "T09 allows setup commands",
    ac: "AC-01a",
    setup: { state: pending },
    act: (p) => p.task("discover-orchestrator", "discover the project"),
  },
  {
    name: "T10 recognises variations of agent names",
    ac: "AC-01",
    setup: { state: pending },
    act: (p) => p.task("01_Requirements_Analyst", "go"),
    denied: ["requirements-analyst"],
  },
  {
    name: "T11 allows when there is no manifest",
    ac: "AC-01c",
    setup: { state: pending, manifest: false },
    act: toAnalyst,
    fault: /no skills manifest/,
  },
  {
    name: "T12 answers and never crashes",
    ac: "AC-01c",
    setup: { state: pending },
    act: (p) => p.send('{"tool_name":"Task","tool_input":null}'),
  },
];

const late = workflowAt("06-implementation");
const planSurfacer: Row[] = [
  {
    name: "T01 blocks an implementation delegation without tasks.md",
    ac: "AC-02",
    setup: { state: late },
    act: toDeveloper,
    denied: ["task plan", "docs/isdlc/tasks.md"],
  },
  {
    name: "T02 allows an early phase without tasks.md",
    ac: "AC-02a",
    setup: { state: workflowAt("01-requirements") },
    act: toAnalyst,
  },
  {
    name: "T03 allows all delegations when tasks.md exists",
    ac: "AC-02b",
    setup: { state: late, plan: true },
    act: toDeveloper,
  },
  { name: "T04 allows when state.json is missing", ac: "AC-02c", act: toDeveloper },
  { name: "T05 allows when active_workflow is null", ac: "AC-02c", setup: { state: idle }, act: toDeveloper },
  {
    name: "T06 allows other tools",
    ac: "AC-02c",
    setup: { state: late },
    act: (p) => p.before("Bash", { command: "ls" }),
  },
  {
    name: "T07 blocks 06-implementation without tasks.md, manifest or not",
    ac: "AC-02",
    setup: { state: late, manifest: false },
    act: (p) => p.task("general-purpose", "start coding"),
    denied: ["06-implementation"],
  },
  {
    name: "T08 allows 05-test-strategy without tasks.md",
    ac: "AC-02a",
    setup: { state: workflowAt("05-test-strategy") },
    act: (p) => p.task("test-design-engineer"),
  },
  {
    name: "T09 finds tasks.md of a monorepo's project",
    ac: "AC-02",
    setup: {
      files: {
        ".isdlc/monorepo.json": JSON.stringify({ projects: { api: { path: "services/api" } }, default_project: "api" }),
        ".isdlc/projects/api/state.json": JSON.stringify(late),
        "docs/isdlc/tasks.md": "# not this project's",
      },
    },
    act: toDeveloper,
    denied: ["docs/isdlc/projects/api/tasks.md"],
  },
  {
    name: "T10 answers and never crashes",
    ac: "AC-02c",
    setup: { state: { active_workflow: { type: "feature" } } },
    act: toDeveloper,
  },
];

const wrong = { state: workflowAt("03-architecture") };
const phaseSequence: Row[] = [
  {
    name: "T01 blocks a delegation to the wrong phase",
    ac: "AC-03",
    setup: wrong,
    act: toDeveloper,
    denied: ["06-implementation"],
  },
  { name: "T02 allows the current phase", ac: "AC-03a", setup: wrong, act: (p) => p.task("solution-architect") },
  {
    name: "T03 allows calls that are no delegation",
    ac: "AC-03b",
    setup: wrong,
    act: (p) => p.task("Explore", "the qa-engineer said hi"),
  },
  { name: "T04 allows without an active workflow", ac: "AC-03c", setup: { state: idle }, act: toDeveloper },
  { name: "T05 allows when state.json is missing", ac: "AC-03d", act: toDeveloper },
  {
    name: "T06 allows when state.json is malformed",
    ac: "AC-03d",
    setup: { state: '{"phases": [' },
    act: toDeveloper,
    fault: /not valid JSON/,
  },
  {
    name: "T07 allows setup commands",
    ac: "AC-03b",
    setup: wrong,
    act: (p) => p.task("general-purpose", "/sdlc init, then 06-implementation"),
  },
  {
    name: "T08 takes the agent from subagent_type",
    ac: "AC-03",
    setup: wrong,
    act: (p) => p.task("qa", "review"),
    denied: ["qa-engineer", "08-code-review"],
  },
  {
    name: "T09 takes the phase from the prompt",
    ac: "AC-03",
    setup: wrong,
    act: (p) => p.task("general-purpose", "Execute 06-implementation"),
    denied: ["06-implementation"],
  },
  {
    name: "T10 allows when the manifest is missing",
    ac: "AC-03d",
    setup: { ...wrong, manifest: false },
    act: toDeveloper,
    fault: /no skills manifest/,
  },
  {
    name: "T11 names the current and the target phase",
    ac: "AC-03",
    setup: wrong,
    act: toDeveloper,
    denied: ["03-architecture", "06-implementation"],
  },
  {
    name: "T12 answers and never crashes",
    ac: "AC-03d",
    setup: wrong,
    act: (p) => p.send("not json"),
    fault: /phase-sequence-guard/,
  },
];

const branched = workflowAt("06-implementation", { git_branch: { name: "feature/REQ-0004-hooks", status: "active" } });
const bash = (command: string) => (p: FrameworkProject) => p.before("Bash", { command });
const commit = bash('git commit -m "feat: add auth"');
const branchGuard: Row[] = [
  {
    name: "T01 blocks a commit on main",
    ac: "AC-04",
    setup: { state: branched },
    act: commit,
    denied: ["commit on main"],
  },
  {
    name: "T02 blocks a commit on master",
    ac: "AC-04",
    setup: { state: branched, branch: "master" },
    act: commit,
    denied: ["commit on master"],
  },
  {
    name: "T03 allows a commit on the feature branch",
    ac: "AC-04a",
    setup: { state: branched, branch: "feature/REQ-0004-hooks" },
    act: commit,
  },
  { name: "T04 allows without an active workflow", ac: "AC-04b", setup: { state: idle }, act: commit },
  { name: "T05 allows without git_branch", ac: "AC-04c", setup: { state: late }, act: commit },
  {
    name: "T06 allows when git_branch is not active",
    ac: "AC-04c",
    setup: { state: workflowAt("06-implementation", { git_branch: { name: "feature/x", status: "merged" } }) },
    act: commit,
  },
  { name: "T07 allows other commands", ac: "AC-04d", setup: { state: branched }, act: bash("npm run build") },
  { name: "T08 allows git push", ac: "AC-04d", setup: { state: branched }, act: bash("git push origin feature/x") },
  { name: "T09 allows when state.json is missing", ac: "AC-04e", act: commit },
  {
    name: "T10 allows when the branch can't be known",
    ac: "AC-04e",
    setup: { state: branched, branch: false },
    act: commit,
    fault: /branch is not known/,
  },
  {
    name: "T11 sees git commit --amend",
    ac: "AC-04",
    setup: { state: branched },
    act: bash("git commit --amend --no-edit"),
    denied: ["main"],
  },
  {
    name: "T12 sees a commit in a chain",
    ac: "AC-04",
    setup: { state: branched },
    act: bash("npm run lint && git add -A; git commit -m x"),
    denied: ["main"],
  },
  {
    name: "T13 names the workflow's branch",
    ac: "AC-04",
    setup: { state: branched },
    act: commit,
    denied: ["feature/REQ-0004-hooks"],
  },
  { name: "T14 answers and never crashes", ac: "AC-04e", setup: { state: branched }, act: (p) => p.before("Bash", {}) },
];

const withPhase = (phase: JsonObject): JsonObject => ({ phases: { "01-requirements": phase } });
const wrote =
  (path = ".isdlc/state.json") =>
  (p: FrameworkProject) =>
    p.after("Write", { file_path: `${p.root}/${path}`, content: "{}" }, "File written successfully");
const iteration = (part: JsonObject) => withPhase({ iteration_requirements: part });
const stateWrite: Row[] = [
  {
    name: "T01 looks at a write of .isdlc/state.json",
    ac: "AC-05",
    setup: { state: withPhase({ constitutional_validation: { completed: true, iterations_used: 0 } }) },
    act: wrote(),
    warned: ["WARNING"],
  },
  {
    name: "T02 looks at a write of a monorepo's state",
    ac: "AC-05",
    setup: {
      files: {
        ".isdlc/projects/api/state.json": JSON.stringify(withPhase({ constitutional_validation: { completed: true } })),
      },
    },
    act: wrote(".isdlc/projects/api/state.json"),
    warned: ["WARNING"],
  },
  {
    name: "T03 warns of a fake constitutional_validation",
    ac: "AC-05a",
    setup: { state: withPhase({ constitutional_validation: { completed: true, iterations_used: 0 } }) },
    act: wrote(),
    warned: ["constitutional_validation", "iterations_used is 0", "01-requirements"],
  },
  {
    name: "T04 warns of a fake interactive_elicitation",
    ac: "AC-05b",
    setup: { state: iteration({ interactive_elicitation: { completed: true, menu_interactions: 0 } }) },
    act: wrote(),
    warned: ["interactive_elicitation", "menu_interactions"],
  },
  {
    name: "T05 warns of a fake test_iteration",
    ac: "AC-05c",
    setup: { state: iteration({ test_iteration: { completed: true, current_iteration: 0 } }) },
    act: wrote(),
    warned: ["test_iteration", "current_iteration"],
  },
  {
    name: "T06 silent on a valid constitutional_validation",
    ac: "AC-05a",
    setup: { state: withPhase({ constitutional_validation: { completed: true, iterations_used: 2 } }) },
    act: wrote(),
  },
  {
    name: "T07 silent on a valid interactive_elicitation",
    ac: "AC-05b",
    setup: { state: iteration({ interactive_elicitation: { completed: true, menu_interactions: 3 } }) },
    act: wrote(),
  },
  {
    name: "T08 silent on a valid test_iteration",
    ac: "AC-05c",
    setup: { state: iteration({ test_iteration: { completed: true, current_iteration: 1 } }) },
    act: wrote(),
  },
  {
    name: "T09 never blocks what is written",
    ac: "AC-05d",
    setup: { state: iteration({ test_iteration: { completed: true } }) },
    act: (p) => p.after("Edit", { file_path: `${p.root}/.isdlc/state.json`, old_string: "a", new_string: "b" }),
    warned: ["WARNING"],
  },
  {
    name: "T10 silent on other files",
    ac: "AC-05",
    setup: { state: withPhase({ constitutional_validation: { completed: true } }) },
    act: wrote("src/state.json"),
  },
  { name: "T11 allows when state.json can't be read", ac: "AC-05e", act: wrote() },
  {
    name: "T12 allows malformed input",
    ac: "AC-05e",
    setup: { state: "{}" },
    act: (p) => p.send("{{{", "PostToolUse"),
    fault: /state-write-validator/,
  },
  {
    name: "T13 understands Windows paths",
    ac: "AC-05",
    setup: { state: withPhase({ constitutional_validation: { completed: true } }) },
    act: (p) => p.after("Write", { file_path: ".isdlc\\state.json", content: "{}" }),
    warned: ["WARNING"],
  },
  {
    name: "T14 answers and never crashes",
    ac: "AC-05e",
    setup: { state: "[]" },
    act: wrote(),
    fault: /not a workflow state/,
  },
];

const discovered =
  (result: string | JsonObject = "Discovery complete.", type = "discover-orchestrator") =>
  (p: FrameworkProject) =>
    p.after("Task", { subagent_type: type, prompt: "discover", description: "discover" }, result);
const walk = (done: JsonObject | undefined): Setup => ({ state: done ? { discovery_context: done } : { phases: {} } });
const walkthrough: Row[] = [
  {
    name: "T01 sees the discover orchestrator finish",
    ac: "AC-06",
    setup: walk({ walkthrough_completed: false }),
    act: discovered(),
    warned: ["walkthrough"],
  },
  {
    name: "T02 warns when walkthrough_completed is false",
    ac: "AC-06a",
    setup: walk({ walkthrough_completed: false }),
    act: discovered("done", "d0"),
    warned: ["without the constitution walkthrough"],
  },
  {
    name: "T03 warns when walkthrough_completed is missing",
    ac: "AC-06a",
    setup: walk({ completed: true }),
    act: discovered(),
    warned: ["WARNING"],
  },
  { name: "T04 silent when it is true", ac: "AC-06b", setup: walk({ walkthrough_completed: true }), act: discovered() },
  {
    name: "T05 silent on other agents",
    ac: "AC-06",
    setup: walk({ walkthrough_completed: false }),
    act: discovered("done", "software-developer"),
  },
  {
    name: "T06 allows when state.json can't be read",
    ac: "AC-06c",
    setup: { state: "nope" },
    act: discovered(),
    fault: /not valid JSON/,
  },
  {
    name: "T07 allows malformed input",
    ac: "AC-06c",
    setup: walk({}),
    act: (p) => p.send("]", "PostToolUse"),
    fault: /walkthrough-tracker/,
  },
  {
    name: "T08 allows empty input",
    ac: "AC-06c",
    setup: walk({}),
    act: (p) => p.send("", "PostToolUse"),
    fault: /walkthrough-tracker/,
  },
  { name: "T09 silent without a discovery_context", ac: "AC-06c", setup: walk(undefined), act: discovered() },
  {
    name: "T10 silent where the task only started",
    ac: "AC-06c",
    setup: walk({ walkthrough_completed: false }),
    act: discovered(""),
  },
];

const threeOptions =
  "How shall we start?\n[1] New Project - from scratch\n[2] Existing Project - analyse it\n[3] Chat / Explore - just talk\n";
const fourOptions =
  "How shall we start?\n1. New Project\n2. Existing Project\n3. Scoped Analysis of a part\n4. Auto-detect what this is\n";
const menu: Row[] = [
  { name: "T01 looks at discover calls", ac: "AC-07", act: discovered(fourOptions), warned: ["discover-menu-guard"] },
  {
    name: "T02 warns of the old menu of four",
    ac: "AC-07a",
    act: discovered(fourOptions),
    warned: ["Chat / Explore", "Auto-detect"],
  },
  {
    name: "T03 warns of Scoped Analysis",
    ac: "AC-07a",
    act: discovered(`${threeOptions}[4] Scoped Analysis\n`),
    warned: ["Scoped Analysis"],
  },
  { name: "T04 silent on the menu of three", ac: "AC-07b", act: discovered(threeOptions) },
  {
    name: "T05 silent on other calls",
    ac: "AC-07",
    act: (p) => p.after("Task", { subagent_type: "software-developer", prompt: "build" }, fourOptions),
  },
  {
    name: "T06 allows malformed input",
    ac: "AC-07c",
    act: (p) => p.send("{", "PostToolUse"),
    fault: /discover-menu-guard/,
  },
  { name: "T07 allows empty input", ac: "AC-07c", act: (p) => p.send("", "PostToolUse"), fault: /discover-menu-guard/ },
  { name: "T08 silent on text too short for a menu", ac: "AC-07b", act: discovered("1. Scoped Analysis") },
  {
    name: "T09 looks in the result and in the request",
    ac: "AC-07",
    act: (p) =>
      p.after("Task", { subagent_type: "discover-orchestrator", prompt: `Show this menu:\n${fourOptions}` }, "shown"),
    warned: ["Scoped Analysis"],
  },
  {
    name: "T10 understands results in blocks",
    ac: "AC-07c",
    act: discovered({ content: [{ type: "text", text: threeOptions }] }),
  },
];

const suites: Record<string, Row[]> = {
  "phase-loop-controller": phaseLoop,
  "plan-surfacer": planSurfacer,
  "phase-sequence-guard": phaseSequence,
  "branch-guard": branchGuard,
  "state-write-validator": stateWrite,
  "walkthrough-tracker": walkthrough,
  "discover-menu-guard": menu,
};

test("there are as many rows as in the seed", () => {
  const counts = Object.values(suites).map((rows) => rows.length);
  assert.deepEqual(counts, [12, 10, 12, 14, 14, 10, 10]);
  for (const rows of Object.values(suites)) {
    assert.ok(
      rows.some((r) => r.denied || r.warned),
      "some must not pass",
    );
    assert.ok(
      rows.some((r) => !r.denied && !r.warned && !r.fault),
      "some must pass",
    );
  }
});

test("all 33 acceptance criteria have a row", () => {
  const listed = { "01": "abc", "02": "abc", "03": "abcd", "04": "abcde", "05": "abcde", "06": "abc", "07": "abc" };
  const wanted = Object.entries(listed).flatMap(([n, letters]) => ["", ...letters].map((l) => `AC-${n}${l}`));
  assert.equal(wanted.length, 33);
  const seen = new Set(Object.values(suites).flatMap((rows) => rows.map((r) => r.ac)));
  assert.deepEqual([...seen].sort(), wanted.sort());
});

runRows(suites);
