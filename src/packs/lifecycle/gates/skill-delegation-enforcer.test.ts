import assert from "node:assert/strict";
import { inDesign } from "../../../../test/lifecycle/calls.js";
import type { FrameworkProject } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row } from "../../../../test/lifecycle/rows.js";

const invoked =
  (name: string, args = "") =>
  (p: FrameworkProject) =>
    p.after("Skill", { skill: name, args }, "Launching skill");
const marker = (p: FrameworkProject) => p.state().pending_delegation;
const rows: Row[] = [
  {
    name: "sdlc demands its orchestrator",
    setup: inDesign,
    act: invoked("sdlc", "feature add login"),
    told: ["sdlc-orchestrator"],
    file: (p) => assert.equal(marker(p).required_agent, "sdlc-orchestrator"),
  },
  {
    name: "discover demands its orchestrator",
    setup: inDesign,
    act: invoked("discover"),
    told: ["discover-orchestrator"],
    file: (p) => assert.equal(marker(p).skill, "discover"),
  },
  { name: "a leading slash", setup: inDesign, act: invoked("/sdlc"), told: ["sdlc-orchestrator"] },
  { name: "the newer name", setup: inDesign, act: invoked("isdlc", "fix"), told: ["sdlc-orchestrator"] },
  { name: "a plugin's prefix", setup: inDesign, act: invoked("tools:discover"), told: ["discover-orchestrator"] },
  {
    name: "the marker carries the session",
    setup: inDesign,
    act: invoked("sdlc"),
    told: ["sdlc"],
    file: (p) => assert.equal(marker(p).session, "s1"),
  },
  {
    name: "the marker carries the words",
    setup: inDesign,
    act: invoked("sdlc", "feature x"),
    told: ["sdlc"],
    file: (p) => assert.equal(marker(p).args, "feature x"),
  },
  {
    name: "status is answered at once",
    setup: inDesign,
    act: invoked("sdlc", "status"),
    file: (p) => assert.equal(marker(p), undefined),
  },
  { name: "help is answered at once", setup: inDesign, act: invoked("discover", "help") },
  { name: "another skill", setup: inDesign, act: invoked("pdf") },
  { name: "a skill with a similar name", setup: inDesign, act: invoked("discovery-notes") },
];

gateTable("lifecycle/skill-delegation-enforcer", rows);
