import { execFileSync } from "node:child_process";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens, seedRows } from "../../../../test/lifecycle/rows.js";

const idle = { active_workflow: null, phases: {} };
const late = workflowAt("06-implementation");
const branched = workflowAt("06-implementation", { git_branch: { name: "feature/REQ-0004-hooks", status: "active" } });
const bash = (command: string) => (p: FrameworkProject) => p.before("Bash", { command });
const commit = bash('git commit -m "feat: add auth"');
const rows: Row[] = [
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

seedRows(rows, 14, "AC-04", "abcde");
gateTable("lifecycle/branch-guard", rows, { seed: true });
remedyOpens("lifecycle/branch-guard", {
  setup: { state: branched },
  act: commit,
  remedy: (p) => execFileSync("git", ["switch", "-q", "-c", "feature/REQ-0004-hooks"], { cwd: p.root }),
});
