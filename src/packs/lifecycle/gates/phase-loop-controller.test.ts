import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens, seedRows } from "../../../../test/lifecycle/rows.js";

const pending = workflowAt("01-requirements", {}, { "01-requirements": { status: "pending" } });
const toAnalyst = (p: FrameworkProject) => p.task("requirements-analyst", "Elicit the requirements");
const idle = { active_workflow: null, phases: {} };
const rows: Row[] = [
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

seedRows(rows, 12, "AC-01", "abc");
gateTable("lifecycle/phase-loop-controller", rows, { seed: true });
remedyOpens("lifecycle/phase-loop-controller", {
  setup: { state: pending },
  act: toAnalyst,
  remedy: (p) => p.after("TaskUpdate", { taskId: "1", status: "in_progress" }),
});
