import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolCall } from "../model/event.js";
import { agentNamed, manifestText, rolesOfManifest, shippedRoles } from "./agent-roles.js";
import { delegationOf, isSetupCommand } from "./delegation.js";
import { canonicalPhase, gateName, samePhase } from "./phase-names.js";

const task = (type: string | undefined, prompt = "", description?: string): ToolCall => ({
  name: "Task",
  kind: "agent",
  input: {},
  agent: { type, prompt, description },
});

type Row = [why: string, type: string | undefined, prompt: string, phase: string | undefined, agent?: string];
const rows: Row[] = [
  ["a known type is a delegation", "software-developer", "build it", "06-implementation", "software-developer"],
  ["underscores and case do not matter", "Requirements_Analyst", "go", "01-requirements", "requirements-analyst"],
  ["a short role", "developer", "go", "06-implementation", "software-developer"],
  ["a number before the name", "05-software-developer", "go", "06-implementation", "software-developer"],
  [
    "the old name of environment-builder",
    "10-dev-environment-engineer",
    "go",
    "11-local-testing",
    "environment-builder",
  ],
  ["a plugin's prefix", "isdlc:qa-engineer", "go", "08-code-review", "qa-engineer"],
  ["the orchestrator is of all phases", "sdlc-orchestrator", "delegate to qa-engineer", undefined, "sdlc-orchestrator"],
  ["discovery is setup", "discover-orchestrator", "06-implementation", undefined, "discover-orchestrator"],
  ["d0 is discovery", "d0", "analyse", undefined, "discover-orchestrator"],
  [
    "a name in the text",
    "general-purpose",
    "You are the requirements-analyst. Elicit.",
    "01-requirements",
    "requirements-analyst",
  ],
  ["no type, a name in the text", undefined, "Act as solution-architect", "03-architecture", "solution-architect"],
  [
    "the first name in the text counts",
    undefined,
    "ask qa-engineer, then software-developer",
    "08-code-review",
    "qa-engineer",
  ],
  ["a mention is no delegation", "general-purpose", "Read the notes the qa-engineer left", undefined],
  ["a list of names is no delegation", undefined, "Compare solution-architect, system-designer and qa", undefined],
  ["somebody's things are no delegation", undefined, "use the software-developer's notes", undefined],
  ["what somebody did is no delegation", undefined, "Summarise what software-developer did", undefined],
  [
    "work given by name",
    undefined,
    "Delegate this phase to software-developer",
    "06-implementation",
    "software-developer",
  ],
  ["use the agent", "general-purpose", "Use the **qa-engineer** agent to review", "08-code-review", "qa-engineer"],
  ["a name at the beginning of a line", undefined, "Plan:\nqa-engineer: review it", "08-code-review", "qa-engineer"],
  [
    "a mention, then work given",
    undefined,
    "After what qa-engineer said, act as software-developer",
    "06-implementation",
    "software-developer",
  ],
  ["agents we have are a list", undefined, "We have software-developer and qa-engineer agents; list them", undefined],
  ["files that use a name", undefined, "Which files use qa-engineer?", undefined],
  ["places that call a name", undefined, "Find the places that call release-manager.", undefined],
  [
    "agents described line by line",
    undefined,
    "Write a section about our agents:\n- software-developer: writes the code\n- qa-engineer: reviews it",
    undefined,
  ],
  ["a role that is forbidden", undefined, "Do not act as software-developer; only list the files.", undefined],
  ["a call that is forbidden", undefined, "Don't call the qa-engineer, just read the notes.", undefined],
  ["how somebody is used", undefined, "Document how to use the qa-engineer agent.", undefined],
  ["front matter to look at", undefined, "name: software-developer\nIs this front matter valid?", undefined],
  ["what was asked yesterday", undefined, "The user asked qa-engineer to review. Summarise the result.", undefined],
  ["a name in quotes to search for", undefined, 'Grep for "software-developer" in the agents.', undefined],
  ["as somebody", undefined, "As the software-developer, implement T1.", "06-implementation", "software-developer"],
  ["a role assumed", undefined, "Assume the role of qa-engineer and review", "08-code-review", "qa-engineer"],
  ["a role taken on", undefined, "Take on the role of the software-developer: build it", "06-implementation"],
  ["pretending", undefined, "Pretend to be the release-manager and ship it", "13-production", "release-manager"],
  ["an order in the middle", undefined, "Read the diff. Then have the qa-engineer review it.", "08-code-review"],
  ["an order after please", undefined, "Please run the qa-engineer agent on this branch.", "08-code-review"],
  ["a name inside a longer word is no name", undefined, "rename qa-engineer-notes", undefined],
  ["a name in a path is no name", undefined, "edit agents/qa-engineer.md", undefined],
  ["a looker is asked about a name, not to be it", "Explore", "the qa-engineer said hi", undefined],
  ["a phase key", "general-purpose", "Execute 06-implementation for the feature", "06-implementation"],
  ["an old phase key", undefined, "run phase 05-implementation", "06-implementation"],
  ["a phase by number, asked for", undefined, "Execute phase 04 now", "04-design"],
  ["a phase asked about", undefined, "Does 06-implementation need a plan? Answer shortly.", undefined],
  ["a phase read about", undefined, "Summarise what 06-implementation will have to know.", undefined],
  ["a phase, after reading", undefined, "Read the design. Then do 06-implementation.", "06-implementation"],
  ["a note's file is no phase", undefined, "edit docs/06-notes.md", undefined],
  ["a phase's folder is no phase", undefined, "read docs/06-implementation/notes.md", undefined],
  ["a phase's file is no phase", undefined, "open 06-implementation.md", undefined],
  ["a number and a word are no phase", undefined, "take a 10-percent sample", undefined],
  ["a date is no phase", undefined, "see 2026-02-08 and 08-feb", undefined],
  [
    "definition is not init",
    "software-developer",
    "write the definition, then initialize it",
    "06-implementation",
    "software-developer",
  ],
  [
    "status inside a sentence is not a command",
    undefined,
    "In 06-implementation update the status field",
    "06-implementation",
  ],
  [
    "an endpoint named /status is not a command",
    undefined,
    "Run 06-implementation: add GET /status",
    "06-implementation",
  ],
  ["discovery asked for", "general-purpose", "discover the project, then 01-requirements", undefined],
  ["a setup slash command", undefined, "/sdlc init before 01-requirements", undefined],
  ["plain work", "general-purpose", "fix the typo in README", undefined],
];

for (const [why, type, prompt, phase, agent] of rows) {
  test(`delegation: ${why}`, () => {
    const found = delegationOf(task(type, prompt), shippedRoles);
    assert.equal(found.isDelegation, phase !== undefined);
    assert.equal(found.targetPhase, phase);
    if (agent) assert.equal(found.agentName, agent);
  });
}

test("delegation: only agent calls", () => {
  const shell: ToolCall = { name: "Bash", kind: "shell", input: {}, command: "echo 06-implementation" };
  assert.equal(delegationOf(shell, shippedRoles).isDelegation, false);
  assert.equal(delegationOf(undefined, shippedRoles).isDelegation, false);
});

test("delegation: without a manifest no name counts, a phase key does", () => {
  assert.equal(delegationOf(task("software-developer", "go"), undefined).isDelegation, false);
  assert.equal(delegationOf(task(undefined, "You are qa-engineer"), undefined).isDelegation, false);
  assert.equal(delegationOf(task(undefined, "run 06-implementation"), undefined).targetPhase, "06-implementation");
});

test("delegation: phases and agents of the user's own workflows", () => {
  const roles = new Map([...shippedRoles, ["writer", ["outline", "draft"]] as const]);
  const own = new Set(["outline", "draft"]);
  assert.deepEqual(delegationOf(task("writer", "go"), roles, own).phases, ["outline", "draft"]);
  assert.equal(delegationOf(task(undefined, "work on the outline now"), roles, own).targetPhase, "outline");
  assert.equal(delegationOf(task(undefined, "outlines are nice"), roles, own).isDelegation, false);
});

test("setup is recognised as a command", () => {
  for (const yes of [
    "discover",
    "Run discover for the repo",
    "/discover",
    "/isdlc:init",
    "please setup",
    "configure cloud",
    "status",
    "check status",
    "new project setup",
    "install the framework",
    "run the constitution",
  ])
    assert.ok(isSetupCommand(yes), yes);
  for (const not of [
    "definition of done",
    "initialize the store",
    "update the status field",
    "the setup failed, fix it",
    "reinstall",
    "status field is wrong",
    "rediscover the bug",
    "GET /status is slow",
    "configured wrongly",
    "",
  ])
    assert.ok(!isSetupCommand(not), not);
});

test("phases: canonical keys, old keys, unknown keys", () => {
  assert.equal(canonicalPhase("06-implementation"), "06-implementation");
  assert.equal(canonicalPhase("05-implementation"), "06-implementation");
  assert.equal(canonicalPhase("R1-behavior-extraction"), "r1-behavior-extraction");
  assert.equal(canonicalPhase("06-notes"), undefined);
  assert.equal(canonicalPhase("__proto__"), undefined);
  assert.equal(canonicalPhase("outline", new Set(["outline"])), "outline");
  assert.ok(samePhase("13-test-deploy", "12-test-deploy"));
  assert.ok(!samePhase("06-implementation", "06-notes"));
  assert.equal(gateName("06-implementation"), "GATE-06");
});

test("a stale manifest can't move a known agent; it can add one", () => {
  const stale = JSON.stringify({
    ownership: { "software-developer": { phase: "05-implementation" }, scribe: { phase: "04-test-strategy" } },
  });
  const roles = rolesOfManifest(stale);
  assert.deepEqual(roles.get("software-developer"), ["06-implementation"]);
  assert.deepEqual(roles.get("scribe"), ["05-test-strategy"]);
  assert.throws(() => rolesOfManifest("[]"), /ownership/);
  assert.deepEqual([...rolesOfManifest(manifestText()).keys()], [...shippedRoles.keys()]);
  assert.equal(agentNamed("constructor"), "constructor");
});
