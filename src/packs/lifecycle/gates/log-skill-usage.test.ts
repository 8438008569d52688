import assert from "node:assert/strict";
import { done, inDesign } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row } from "../../../../test/lifecycle/rows.js";

const last = (p: FrameworkProject) => p.state().skill_usage_log.at(-1);
const reason = (expected: string) => (p: FrameworkProject) => assert.equal(last(p).reason, expected);
const rows: Row[] = [
  {
    name: "the phase's agent is authorised",
    setup: inDesign,
    act: done("system-designer"),
    file: reason("authorized-phase-match"),
  },
  {
    name: "the orchestrator is authorised",
    setup: inDesign,
    act: done("sdlc-orchestrator"),
    file: reason("authorized-orchestrator"),
  },
  {
    name: "another phase's agent is a crossing",
    setup: inDesign,
    act: done("qa-engineer"),
    file: (p) =>
      assert.deepEqual(
        [last(p).reason, last(p).agent_phase, last(p).current_phase],
        ["cross-phase-usage", "08-code-review", "04-design"],
      ),
  },
  { name: "an unknown agent is allowed", setup: inDesign, act: done("helper"), file: reason("allowed") },
  {
    name: "names are normalised",
    setup: inDesign,
    act: done("Designer"),
    file: (p) => assert.equal(last(p).agent, "system-designer"),
  },
  {
    name: "the description is kept",
    setup: inDesign,
    act: done("system-designer"),
    file: (p) => assert.equal(last(p).description, "the work"),
  },
  {
    name: "no description",
    setup: inDesign,
    act: (p) => p.after("Task", { subagent_type: "qa-engineer", prompt: "x" }),
    file: (p) => assert.equal(last(p).description, "N/A"),
  },
  {
    name: "the mode is kept",
    setup: { state: { ...workflowAt("04-design"), skill_enforcement: { mode: "warn" } } },
    act: done("qa-engineer"),
    file: (p) => assert.deepEqual([last(p).status, last(p).enforcement_mode], ["warned", "warn"]),
  },
  {
    name: "switched off",
    setup: { state: { ...workflowAt("04-design"), skill_enforcement: { enabled: false } } },
    act: done("qa-engineer"),
    file: (p) => assert.equal(p.state().skill_usage_log, undefined),
  },
  {
    name: "the agent tool by its newer name",
    setup: inDesign,
    act: (p) => p.after("Agent", { subagent_type: "qa-engineer", prompt: "x" }),
    file: (p) => assert.equal(last(p).agent, "qa-engineer"),
  },
  {
    name: "unknown fields stay",
    setup: { state: { ...workflowAt("04-design"), mine: { a: [1, null] } } },
    act: done("qa-engineer"),
    file: (p) => assert.deepEqual(p.state().mine, { a: [1, null] }),
  },
  {
    name: "the version counts up",
    setup: { state: { ...workflowAt("04-design"), state_version: 7 } },
    act: done("qa-engineer"),
    file: (p) => assert.equal(p.state().state_version, 8),
  },
  {
    name: "no state file is made",
    act: done("qa-engineer"),
    file: (p) => assert.equal(p.has(".isdlc/state.json"), false),
  },
  {
    name: "a broken file stays as it is",
    setup: { state: "{oops" },
    act: done("qa-engineer"),
    fault: /not valid JSON/,
    file: (p) => assert.equal(p.read(".isdlc/state.json"), "{oops"),
  },
];

gateTable("lifecycle/log-skill-usage", rows);
