import type { FrameworkProject } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, seedRows } from "../../../../test/lifecycle/rows.js";
import type { JsonObject } from "../../../model/json.js";

const discovered =
  (result: string | JsonObject = "Discovery complete.", type = "discover-orchestrator") =>
  (p: FrameworkProject) =>
    p.after("Task", { subagent_type: type, prompt: "discover", description: "discover" }, result);
const threeOptions =
  "How shall we start?\n[1] New Project - from scratch\n[2] Existing Project - analyse it\n[3] Chat / " +
  "Explore - just talk\n";
const fourOptions =
  "How shall we start?\n1. New Project\n2. Existing Project\n3. Scoped Analysis of a part\n4. Auto-detect " +
  "what this is\n";
const rows: Row[] = [
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

seedRows(rows, 10, "AC-07", "abc");
gateTable("lifecycle/discover-menu-guard", rows, { seed: true });
