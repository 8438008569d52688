import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens, seedRows } from "../../../../test/lifecycle/rows.js";

const toDeveloper = (p: FrameworkProject) => p.task("software-developer", "Build the feature");
const idle = { active_workflow: null, phases: {} };
const wrong = { state: workflowAt("03-architecture") };
const rows: Row[] = [
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

seedRows(rows, 12, "AC-03", "abcd");
gateTable("lifecycle/phase-sequence-guard", rows, { seed: true });
remedyOpens("lifecycle/phase-sequence-guard", {
  setup: wrong,
  act: toDeveloper,
  remedy: () => undefined,
  again: (p) => p.task("solution-architect", "Design the architecture"),
});
