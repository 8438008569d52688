import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens, seedRows } from "../../../../test/lifecycle/rows.js";

const toAnalyst = (p: FrameworkProject) => p.task("requirements-analyst", "Elicit the requirements");
const toDeveloper = (p: FrameworkProject) => p.task("software-developer", "Build the feature");
const idle = { active_workflow: null, phases: {} };
const late = workflowAt("06-implementation");
const rows: Row[] = [
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

seedRows(rows, 10, "AC-02", "abc");
gateTable("lifecycle/plan-surfacer", rows, { seed: true });
remedyOpens("lifecycle/plan-surfacer", {
  setup: { state: late },
  act: toDeveloper,
  remedy: (p) => p.write("docs/isdlc/tasks.md", "# Plan\n"),
});
