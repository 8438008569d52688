import assert from "node:assert/strict";
import { done, inDesign } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens, several } from "../../../../test/lifecycle/rows.js";

const invoked =
  (name: string, args = "") =>
  (p: FrameworkProject) =>
    p.after("Skill", { skill: name, args }, "Launching skill");
const demanded = invoked("sdlc");
const stop = (p: FrameworkProject) => p.stop();
const marked = (at: string) => ({
  state: {
    ...workflowAt("04-design"),
    pending_delegation: { skill: "sdlc", required_agent: "sdlc-orchestrator", invoked_at: at },
  },
});
const rows: Row[] = [
  { name: "nothing was demanded", setup: inDesign, act: stop },
  { name: "demanded and not started", setup: inDesign, act: several(demanded, stop), denied: ["sdlc-orchestrator"] },
  { name: "demanded and started", setup: inDesign, act: several(demanded, done("sdlc-orchestrator"), stop) },
  { name: "started by another name", setup: inDesign, act: several(demanded, done("orchestrator"), stop) },
  {
    name: "another agent does not count",
    setup: inDesign,
    act: several(demanded, done("qa-engineer"), stop),
    denied: ["was not started"],
  },
  {
    name: "another session is not held",
    setup: inDesign,
    act: several(demanded, (p) => Object.assign(p, { session: "s2" }), stop),
  },
  { name: "status demands nothing", setup: inDesign, act: several(invoked("sdlc", "status"), stop) },
  {
    name: "a marker of the file is taken over",
    setup: marked(new Date().toISOString()),
    act: stop,
    denied: ["sdlc-orchestrator"],
  },
  {
    name: "an old marker has expired",
    setup: marked("2026-01-01T00:00:00Z"),
    act: stop,
    file: (p) => assert.equal(p.state().pending_delegation, null),
  },
  {
    name: "deleting the marker by hand does not help",
    setup: inDesign,
    act: several(demanded, (p) => p.write(".isdlc/state.json", JSON.stringify(workflowAt("04-design"))), stop),
    denied: ["was not started"],
  },
  { name: "the refusals are bounded", setup: inDesign, act: several(demanded, stop, stop, stop, stop), warned: [] },
  { name: "no state", act: stop },
];

gateTable("lifecycle/delegation-gate", rows);
remedyOpens("lifecycle/delegation-gate", {
  setup: marked(new Date().toISOString()),
  act: stop,
  remedy: done("sdlc-orchestrator"),
});
