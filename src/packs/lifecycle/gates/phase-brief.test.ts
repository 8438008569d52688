import { inDesign, inTests } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, several } from "../../../../test/lifecycle/rows.js";

const worker = (prompt: string) => (p: FrameworkProject) => p.task("general-purpose", prompt);
const session = (p: FrameworkProject) => p.hook("SessionStart", { source: "startup" });
const designer = (p: FrameworkProject) => p.task("system-designer");
const rows: Row[] = [
  {
    name: "told with the first delegation",
    setup: inDesign,
    act: designer,
    told: ["phase 04-design (5 of 11)", "GATE-04 needs", "--articles I,IV,V,VII,IX"],
  },
  { name: "told once per phase and session", setup: inDesign, act: several(designer, designer) },
  {
    name: "told again in another session",
    setup: inDesign,
    act: several(designer, (p) => Object.assign(p, { session: "s2" }), designer),
    told: ["GATE-04 needs"],
  },
  { name: "told at the start of a session", setup: inDesign, act: session, told: ["Workflow feature"] },
  {
    name: "tests are announced",
    setup: { ...inTests, plan: true },
    act: (p) => p.task("software-developer"),
    told: ["no test run was seen", "software-developer has not worked"],
  },
  {
    name: "the branch is announced",
    setup: { state: workflowAt("04-design", { git_branch: { name: "feature/x", status: "active" } }) },
    act: designer,
    told: ["Commits belong on feature/x"],
  },
  { name: "another phase's agent is told nothing", setup: inDesign, act: (p) => p.task("qa-engineer") },
  { name: "plain work is told nothing", setup: inDesign, act: worker("look around") },
  { name: "no workflow", setup: { state: { active_workflow: null } }, act: session },
  { name: "no state", act: session },
];

gateTable("lifecycle/phase-brief", rows);
