import type { FrameworkProject } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, seedRows } from "../../../../test/lifecycle/rows.js";
import type { JsonObject } from "../../../model/json.js";

const withPhase = (phase: JsonObject): JsonObject => ({ phases: { "01-requirements": phase } });
const wrote =
  (path = ".isdlc/state.json") =>
  (p: FrameworkProject) =>
    p.after("Write", { file_path: `${p.root}/${path}`, content: "{}" }, "File written successfully");
const iteration = (part: JsonObject) => withPhase({ iteration_requirements: part });
const rows: Row[] = [
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

seedRows(rows, 14, "AC-05", "abcde");
gateTable("lifecycle/state-write-validator", rows, { seed: true });
