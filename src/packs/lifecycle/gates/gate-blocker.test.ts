import assert from "node:assert/strict";
import { checkConstitution, phases, tested } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens } from "../../../../test/lifecycle/rows.js";
import type { JsonObject } from "../../../model/json.js";

const compliant = { completed: true, status: "compliant", iterations_used: 1, articles_checked: ["I"] };
const orchestrate = (prompt: string) => (p: FrameworkProject) => p.task("sdlc-orchestrator", prompt, "orchestrate");
const skill =
  (name: string, args = "") =>
  (p: FrameworkProject) =>
    p.before("Skill", { skill: name, args });
const worker = (prompt: string) => (p: FrameworkProject) => p.task("general-purpose", prompt);
const designed = (
  record: JsonObject,
  log: JsonObject[] = [{ agent: "system-designer", agent_phase: "04-design" }],
) => ({
  ...workflowAt("04-design", {}, phases("04-design", record)),
  skill_usage_log: log,
});
const checked = (c: JsonObject) => ({ state: designed({ constitutional_validation: c }) });
const single = (phase: string) => ({
  state: {
    active_workflow: { type: "x", current_phase: phase, phases: [phase], current_phase_index: 0 },
    phases: { [phase]: { status: "in_progress" } },
  },
});
const rows: Row[] = [
  { name: "everything done", setup: checked(compliant), act: orchestrate("advance to the next phase") },
  {
    name: "constitution not started",
    setup: { state: designed({}) },
    act: orchestrate("advance"),
    denied: ["GATE-04", "was not checked"],
  },
  {
    name: "constitution incomplete",
    setup: checked({ completed: false, status: "iterating", iterations_used: 1, articles_checked: ["I"] }),
    act: orchestrate("proceed"),
    denied: ["IV, V, VII, IX are not checked"],
  },
  {
    name: "constitution not compliant",
    setup: checked({
      completed: true,
      status: "iterating",
      iterations_used: 1,
      articles_checked: ["I", "IV", "V", "VII", "IX"],
    }),
    act: orchestrate("gate"),
    denied: ["not compliant"],
  },
  {
    name: "constitution escalated, not approved",
    setup: checked({ completed: false, status: "escalated", iterations_used: 5 }),
    act: orchestrate("gate"),
    denied: ["nobody approved"],
  },
  {
    name: "constitution escalated and approved",
    setup: checked({ completed: false, status: "escalated", iterations_used: 5, escalation_approved: true }),
    act: orchestrate("gate"),
  },
  {
    name: "a fake completion is none",
    setup: checked({ completed: true, status: "compliant", iterations_used: 0 }),
    act: orchestrate("advance"),
    denied: ["was not checked"],
  },
  {
    name: "the agent never worked",
    setup: { state: designed({ constitutional_validation: compliant }, []) },
    act: orchestrate("advance"),
    denied: ["system-designer has not worked in 04-design"],
  },
  {
    name: "no manifest, and no other roles than ready-made ones",
    setup: { state: designed({ constitutional_validation: compliant }, []), manifest: false },
    act: orchestrate("advance"),
  },
  {
    name: "tests not started",
    setup: { state: tested({}), plan: true },
    act: orchestrate("advance"),
    denied: ["no test run was seen"],
  },
  {
    name: "elicitation not started",
    setup: { state: workflowAt("01-requirements") },
    act: orchestrate("advance"),
    denied: ["GATE-01"],
  },
  {
    name: "elicitation ended by exit",
    setup: {
      state: {
        ...workflowAt(
          "01-requirements",
          {},
          phases("01-requirements", {
            constitutional_validation: compliant,
            iteration_requirements: {
              interactive_elicitation: { completed: true, menu_interactions: 3, final_selection: "exit" },
            },
          }),
        ),
        skill_usage_log: [{ agent: "requirements-analyst", agent_phase: "01-requirements" }],
      },
    },
    act: orchestrate("advance"),
    denied: ['"exit"'],
  },
  {
    name: "index and phase contradict",
    setup: { state: workflowAt("04-design", { current_phase_index: 1 }) },
    act: orchestrate("advance"),
    denied: ["contradicts itself"],
  },
  {
    name: "an unknown phase is a fault of configuration",
    setup: single("99-magic"),
    act: orchestrate("advance"),
    denied: ["99-magic", "configuration"],
  },
  {
    name: "an old phase key is the same phase",
    setup: single("05-implementation"),
    act: orchestrate("advance"),
    denied: ["GATE-06"],
  },
  { name: "by skill", setup: { state: designed({}) }, act: skill("isdlc:sdlc", "advance"), denied: ["GATE-04"] },
  {
    name: "by slash command",
    setup: { state: designed({}) },
    act: (p) => p.before("SlashCommand", { command: "/sdlc gate-check" }),
    denied: ["GATE-04"],
  },
  { name: "another skill", setup: { state: designed({}) }, act: skill("pdf", "advance") },
  {
    name: "a worker that speaks of gates",
    setup: { state: designed({}) },
    act: worker("advance the cursor through the gate list"),
  },
  {
    name: "an orchestrator that does something else",
    setup: { state: designed({}) },
    act: orchestrate("summarise the delegates' findings and navigate"),
  },
  { name: "no workflow", setup: { state: { active_workflow: null } }, act: orchestrate("advance") },
  {
    name: "a refusal is written in the file",
    setup: { state: designed({}) },
    act: orchestrate("advance"),
    denied: ["GATE-04"],
    file: (p) =>
      assert.deepEqual(p.state().phases["04-design"].gate_validation.blocking_requirements, [
        "constitutional_validation",
      ]),
  },
  {
    name: "after architecture the cloud is asked for",
    setup: {
      state: {
        ...workflowAt("03-architecture", {}, phases("03-architecture", { constitutional_validation: compliant })),
        skill_usage_log: [{ agent: "solution-architect", agent_phase: "03-architecture" }],
      },
    },
    act: orchestrate("advance"),
    file: (p) => assert.equal(p.state().pending_triggers[0].trigger, "cloud_configuration"),
  },
];

gateTable("lifecycle/gate-blocker", rows);
remedyOpens("lifecycle/gate-blocker", {
  setup: { state: designed({}) },
  act: orchestrate("advance"),
  remedy: (p) => checkConstitution(p, "04-design"),
});
