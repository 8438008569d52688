// Interlock beside the iSDLC framework: its hooks are noticed and can be replaced, nothing is written twice, and
// what is written is what the framework's own schemas allow.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { isReplacedHook } from "../../src/hosts/claude-code/adopt/framework-hooks.js";
import type { JsonObject } from "../../src/model/json.js";
import { program } from "../server/server.js";
import { done, menuText } from "./calls.js";
import { type FrameworkProject, framework, workflowAt } from "./project.js";

const hook = (name: string) => ({ type: "command", command: `node $CLAUDE_PROJECT_DIR/.claude/hooks/${name}.cjs` });
const settings = JSON.stringify({
  hooks: {
    PreToolUse: [{ matcher: "Task", hooks: [hook("gate-blocker"), hook("house-style")] }],
    PostToolUse: [
      { matcher: "Task", hooks: [hook("log-skill-usage")] },
      { matcher: "Bash", hooks: [hook("test-watcher")] },
    ],
  },
});
const beside = { ".claude/settings.json": settings, ".claude/hooks/log-skill-usage.cjs": "" };

function init(p: FrameworkProject, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "init", "--door", "command", ...args], {
    cwd: p.root,
    env: p.env,
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

test("init says that the framework's hooks are there; --adopt takes their place, uninstall puts them back", (t) => {
  const p = framework(t, { state: {}, files: beside });
  const plain = init(p, "--dry-run");
  assert.match(plain.text, /3 hook\(s\) of the iSDLC framework are installed here/);
  const taken = init(p, "--adopt", "--yes");
  assert.match(taken.text, /take the place of 3 hook\(s\) of the lifecycle framework/);
  assert.match(taken.text, /run 1 existing hook\(s\) under Interlock/, "what is not the framework's still runs");
  const now = p.read(".claude/settings.json");
  for (const name of ["gate-blocker", "log-skill-usage", "test-watcher", "house-style"])
    assert.ok(!now.includes(`${name}.cjs`), name);
  spawnSync(process.execPath, [program, "uninstall", "--yes"], { cwd: p.root, env: p.env });
  assert.equal(p.read(".claude/settings.json"), settings);
});

test("only hooks whose checks the pack makes are replaced", () => {
  assert.ok(isReplacedHook("node .claude/hooks/branch-guard.cjs"));
  assert.ok(!isReplacedHook("node .claude/hooks/dispatchers/pre-task-dispatcher.cjs"), "it does more");
  assert.ok(!isReplacedHook("node tools/branch-guard.cjs"));
  assert.ok(!isReplacedHook("node .claude/hooks/my-branch-guard.cjs"));
  assert.ok(!isReplacedHook(undefined));
});

test("where the framework's hooks run, Interlock writes no entry of theirs, and still counts", async (t) => {
  const p = framework(t, { state: workflowAt("06-implementation"), plan: true, files: beside });
  const before = p.read(".isdlc/state.json");
  await done("software-developer")(p);
  await p.after("Bash", { command: "npm test" }, "Tests:       5 passed, 5 total\n");
  await p.task("sdlc-orchestrator", "advance to the next phase");
  assert.equal(p.read(".isdlc/state.json"), before);
  assert.match((await p.task("sdlc-orchestrator", "advance to the next phase")).text, /constitution/);
  const alone = framework(t, { state: workflowAt("06-implementation"), plan: true });
  await done("software-developer")(alone);
  assert.equal(alone.state().skill_usage_log.length, 1);
});

/** The framework's own schemas, as its validator reads them: type, required, enum, minimum. */
type Rule = { type: string; values?: readonly string[]; min?: number; required?: true };
const schemas: Record<string, Record<string, Rule>> = {
  test_iteration: {
    completed: { type: "boolean", required: true },
    status: { type: "string", values: ["success", "escalated"] },
    current_iteration: { type: "number", required: true, min: 0 },
    max_iterations: { type: "number", min: 1 },
    last_test_result: { type: "string", values: ["passed", "failed"] },
    last_test_command: { type: "string" },
    last_test_at: { type: "string" },
    started_at: { type: "string", required: true },
  },
  history: {
    iteration: { type: "number", required: true },
    timestamp: { type: "string", required: true },
    command: { type: "string", required: true },
    result: { type: "string", required: true, values: ["PASSED", "FAILED"] },
    failures: { type: "number", required: true },
    error: { type: "string" },
  },
  interactive_elicitation: {
    completed: { type: "boolean", required: true },
    menu_interactions: { type: "number", required: true, min: 0 },
    final_selection: { type: "string", values: ["save", "continue", "exit"] },
    started_at: { type: "string", required: true },
    last_menu_at: { type: "string" },
  },
  selection: { selection: { type: "string", required: true }, timestamp: { type: "string", required: true } },
  skill_usage_entry: {
    timestamp: { type: "string", required: true },
    agent: { type: "string", required: true },
    agent_phase: { type: "string" },
    current_phase: { type: "string" },
    description: { type: "string" },
    status: { type: "string", required: true, values: ["executed", "observed", "warned", "audited"] },
    reason: { type: "string" },
    enforcement_mode: { type: "string" },
  },
};

function valid(schema: keyof typeof schemas, value: JsonObject): void {
  for (const [name, { type, values, min, required }] of Object.entries(schemas[schema]!)) {
    const field = value[name];
    if (field === undefined && !required) continue;
    assert.equal(typeof field, type, `${schema}.${name} is ${JSON.stringify(field)}`);
    if (values) assert.ok(values.includes(String(field)), `${schema}.${name} is ${JSON.stringify(field)}`);
    if (min !== undefined) assert.ok(Number(field) >= min, `${schema}.${name} is ${field}`);
  }
}

test("what is written fits the framework's schemas: runs, an escalation, menus and answers", async (t) => {
  const p = framework(t, { state: workflowAt("06-implementation"), plan: true });
  const tests = () => p.state().phases["06-implementation"].iteration_requirements.test_iteration;
  const failing = "Exit code 1\nFAIL a.test.ts\n  Error: expected 1 to be 2\nTests:       1 failed, 5 total\n";
  await p.after("Bash", { command: "npm test" }, "Tests:       5 passed, 5 total\n");
  valid("test_iteration", tests());
  for (let i = 0; i < 3; i++) await p.failed("Bash", { command: "npm test" }, failing);
  valid("test_iteration", tests());
  assert.deepEqual([tests().status, tests().escalation_reason], ["escalated", "circuit_breaker"]);
  for (const entry of tests().history) valid("history", entry);
  assert.deepEqual(
    tests().history.map((h: JsonObject) => h["result"]),
    ["PASSED", "FAILED", "FAILED", "FAILED"],
  );
  await done("software-developer")(p);
  valid("skill_usage_entry", p.state().skill_usage_log[0]);

  const q = framework(t, { state: workflowAt("01-requirements") });
  const answers = () => q.state().phases["01-requirements"].iteration_requirements.interactive_elicitation;
  await done("requirements-analyst", `${menuText}\nStep 1 is complete. Step 3 is done.`)(q);
  valid("interactive_elicitation", answers());
  assert.deepEqual(answers().steps_completed, ["project_discovery", "core_features"]);
  await q.recorded("Save chosen");
  valid("interactive_elicitation", answers());
  for (const entry of answers().selections) valid("selection", entry);
});

test("a state the framework wrote is understood: selections with times, FAILED in capitals", async (t) => {
  const p = framework(t, {
    state: workflowAt(
      "01-requirements",
      {},
      {
        "01-requirements": {
          status: "in_progress",
          iteration_requirements: {
            interactive_elicitation: {
              completed: true,
              menu_interactions: 3,
              selections: [{ selection: "save", timestamp: "2026-02-08T20:00:00Z" }],
              final_selection: "save",
              steps_completed: ["project_discovery"],
            },
            test_iteration: { completed: false, current_iteration: 1, last_test_result: "FAILED" },
          },
        },
      },
    ),
  });
  await p.task("Explore");
  const [standing] = Object.values((p.store.read().state as JsonObject)["lifecycle/standing"] as JsonObject) as never[];
  const seen = JSON.stringify(standing);
  assert.match(seen, /"selections":\["save"\]/);
  assert.match(seen, /"last":"failed"/);
});
