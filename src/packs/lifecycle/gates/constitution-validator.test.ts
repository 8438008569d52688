import assert from "node:assert/strict";
import { checkConstitution, inDesign, phases } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens } from "../../../../test/lifecycle/rows.js";

const compliant = { completed: true, status: "compliant", iterations_used: 1, articles_checked: ["I"] };
const worker = (prompt: string) => (p: FrameworkProject) => p.task("general-purpose", prompt);
const rows: Row[] = [
  {
    name: "phase complete",
    setup: inDesign,
    act: worker("Phase complete, write the summary"),
    denied: ["04-design", "articles I, IV, V, VII, IX"],
  },
  { name: "ready for gate", setup: inDesign, act: worker("we are ready for gate review"), denied: ["declaring"] },
  { name: "mark as complete", setup: inDesign, act: worker("mark as complete"), denied: ["declaring"] },
  { name: "submit for review", setup: inDesign, act: worker("Submit for review now"), denied: ["declaring"] },
  { name: "finalise artifacts", setup: inDesign, act: worker("finalise artifacts"), denied: ["declaring"] },
  { name: "requirements complete", setup: inDesign, act: worker("Requirements complete."), denied: ["declaring"] },
  { name: "a word inside another", setup: inDesign, act: worker("the phased completion of the list") },
  { name: "plain work", setup: inDesign, act: worker("draw the sequence diagram") },
  {
    name: "the phase's own agent",
    setup: inDesign,
    act: (p) => p.task("system-designer", "work until the phase is complete"),
  },
  {
    name: "already compliant",
    setup: { state: workflowAt("04-design", {}, phases("04-design", { constitutional_validation: compliant })) },
    act: worker("phase complete"),
  },
  { name: "a phase without articles", setup: { state: workflowAt("00-quick-scan") }, act: worker("phase complete") },
  { name: "no workflow", setup: { state: { active_workflow: null } }, act: worker("phase complete") },
  {
    name: "tracking is started in the file",
    setup: inDesign,
    act: worker("phase complete"),
    denied: ["declaring"],
    file: (p) => assert.equal(p.state().phases["04-design"].constitutional_validation.status, "pending"),
  },
];

gateTable("lifecycle/constitution-validator", rows);
remedyOpens("lifecycle/constitution-validator", {
  setup: inDesign,
  act: worker("phase complete"),
  remedy: (p) => checkConstitution(p, "04-design"),
});
