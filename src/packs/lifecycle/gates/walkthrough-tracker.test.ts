import type { FrameworkProject, Setup } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, seedRows } from "../../../../test/lifecycle/rows.js";
import type { JsonObject } from "../../../model/json.js";

const discovered =
  (result: string | JsonObject = "Discovery complete.", type = "discover-orchestrator") =>
  (p: FrameworkProject) =>
    p.after("Task", { subagent_type: type, prompt: "discover", description: "discover" }, result);
const walk = (done: JsonObject | undefined): Setup => ({ state: done ? { discovery_context: done } : { phases: {} } });
const rows: Row[] = [
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

seedRows(rows, 10, "AC-06", "abc");
gateTable("lifecycle/walkthrough-tracker", rows, { seed: true });
