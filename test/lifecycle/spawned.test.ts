// A sample of the rows through the built program: one process per event, with the seed's payloads.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { type FrameworkProject, framework, type Setup, workflowAt } from "./project.js";

const script = join(process.cwd(), "dist/interlock.cjs");

function hook(p: FrameworkProject, input: string, ...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "hook", "claude-code", ...options], {
    cwd: p.root,
    env: { ...p.env, INTERLOCK_HOME: p.home },
    input,
    encoding: "utf8",
  });
  return {
    status,
    stderr,
    answer: JSON.parse(stdout) as { hookSpecificOutput?: JsonObject; systemMessage?: string; decision?: string },
  };
}

const task = (type: string, more: JsonObject = {}) => ({
  tool_name: "Task",
  tool_input: { subagent_type: type, prompt: "work", description: "work" },
  ...more,
});
const branched = workflowAt("06-implementation", { git_branch: { name: "feature/x", status: "active" } });
const fake = { phases: { "01-requirements": { constitutional_validation: { completed: true, iterations_used: 0 } } } };

interface Sample {
  name: string;
  setup: Setup;
  payload(p: FrameworkProject): JsonObject | string;
  only?: string;
  denied?: RegExp;
  stderr?: RegExp;
}

const samples: Sample[] = [
  {
    name: "phase-loop-controller T01",
    setup: { state: workflowAt("01-requirements", {}, { "01-requirements": { status: "pending" } }) },
    payload: () => task("requirements-analyst"),
    only: "phase-loop-controller",
    denied: /01-requirements/,
  },
  {
    name: "phase-loop-controller T03",
    setup: { state: workflowAt("01-requirements") },
    payload: () => task("requirements-analyst"),
    only: "phase-loop-controller",
  },
  {
    name: "phase-loop-controller T08",
    setup: { state: workflowAt("01-requirements") },
    payload: () => "",
    only: "phase-loop-controller",
  },
  {
    name: "plan-surfacer T07",
    setup: { state: workflowAt("06-implementation") },
    payload: () => task("software-developer"),
    only: "plan-surfacer",
    denied: /tasks\.md/,
  },
  {
    name: "phase-sequence-guard T01",
    setup: { state: workflowAt("03-architecture") },
    payload: () => task("software-developer"),
    only: "phase-sequence-guard",
    denied: /03-architecture/,
  },
  {
    name: "phase-sequence-guard T06",
    setup: { state: "{" },
    payload: () => task("software-developer"),
    only: "phase-sequence-guard",
  },
  {
    name: "branch-guard T01",
    setup: { state: branched },
    payload: () => ({ tool_name: "Bash", tool_input: { command: 'git commit -m "feat: add auth"' } }),
    only: "branch-guard",
    denied: /feature\/x/,
  },
  {
    name: "branch-guard T12",
    setup: { state: branched },
    payload: () => ({ tool_name: "Bash", tool_input: { command: "npm test && git commit -m x" } }),
    only: "branch-guard",
    denied: /main/,
  },
  {
    name: "branch-guard: a commit-tree is no commit",
    setup: { state: branched },
    payload: () => ({ tool_name: "Bash", tool_input: { command: "git commit-tree HEAD^{tree} -m x" } }),
    only: "branch-guard",
  },
  {
    name: "branch-guard: words are no commit",
    setup: { state: branched },
    payload: () => ({ tool_name: "Bash", tool_input: { command: 'echo "run git commit"' } }),
    only: "branch-guard",
  },
  {
    name: "branch-guard: git -C",
    setup: { state: branched },
    payload: (p) => ({ tool_name: "Bash", tool_input: { command: `git -C ${p.root} commit -m x` } }),
    only: "branch-guard",
    denied: /main/,
  },
  {
    name: "state-write-validator T03",
    setup: { state: fake },
    payload: (p) => ({
      tool_name: "Write",
      tool_input: { file_path: `${p.root}/.isdlc/state.json`, content: "{}" },
      tool_result: "File written successfully",
    }),
    only: "state-write-validator",
    stderr: /WARNING: Suspicious/,
  },
  {
    name: "walkthrough-tracker T02",
    setup: { state: { discovery_context: { walkthrough_completed: false } } },
    payload: () => task("discover-orchestrator", { tool_result: "Discovery complete" }),
    only: "walkthrough-tracker",
    stderr: /walkthrough/,
  },
  {
    name: "discover-menu-guard T03",
    setup: { state: {} },
    payload: () =>
      task("discover-orchestrator", {
        tool_result: "Choose:\n1. New Project\n2. Existing Project\n3. Scoped Analysis\n4. Chat",
      }),
    only: "discover-menu-guard",
    stderr: /Scoped Analysis/,
  },
  {
    name: "the whole chain",
    setup: { state: workflowAt("03-architecture") },
    payload: () => task("software-developer"),
    denied: /phase-sequence-guard/,
  },
];

for (const { name, setup, payload, only, denied, stderr } of samples) {
  test(`shipped: ${name}`, (t) => {
    const p = framework(t, setup);
    const sent = payload(p);
    const said = hook(
      p,
      typeof sent === "string" ? sent : JSON.stringify(sent),
      ...(only ? ["--only", `lifecycle/${only}`] : []),
    );
    assert.equal(said.status, 0);
    const decision = said.answer.hookSpecificOutput?.["permissionDecision"];
    assert.equal(decision, denied ? "deny" : undefined, JSON.stringify(said.answer));
    if (denied) assert.match(String(said.answer.hookSpecificOutput?.["permissionDecisionReason"]), denied);
    if (!stderr) return assert.equal(said.stderr, "");
    assert.match(said.stderr, stderr);
    assert.match(String(said.answer.hookSpecificOutput?.["additionalContext"]), stderr, "the agent is told too");
    assert.match(String(said.answer.systemMessage), stderr, "and the person");
  });
}

test("--only with an unknown gate is an error that lists the known ones", (t) => {
  const p = framework(t, { state: workflowAt("03-architecture") });
  const { answer } = hook(p, JSON.stringify(task("software-developer")), "--only", "lifecycle/branchguard");
  assert.match(JSON.stringify(answer), /no such gate; did you mean lifecycle\/branch-guard/);
});
