// Many processes write one state file at once: nothing is lost or torn, and unknown fields are kept.
// (The framework's own hooks kept 15 of 30 entries here, its later dispatchers 7.)
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { type FrameworkProject, framework, workflowAt } from "./project.js";

const script = join(process.cwd(), "dist/interlock.cjs");

function process_(p: FrameworkProject, args: string[], input = ""): Promise<{ code: number | null; out: string }> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: p.root,
      env: { ...p.env, INTERLOCK_HOME: p.home },
    });
    let out = "";
    child.stdout.on("data", (d) => (out += d));
    child.on("error", failed);
    child.on("close", (code) => done({ code, out }));
    child.stdin.on("error", () => undefined); // a child that ended early closes the pipe; its exit code is checked
    child.stdin.end(input);
  });
}
const hook = (p: FrameworkProject, event: string, more: JsonObject) =>
  process_(p, ["hook", "claude-code"], JSON.stringify(p.payload(event, more)));

test("30 concurrent writers lose no entry", async (t) => {
  const p = framework(t, {
    state: { ...workflowAt("06-implementation"), mine: { keep: [1, 2, 3] }, state_version: 1 },
    plan: true,
  });
  const writers = Array.from({ length: 30 }, (_, i) =>
    hook(p, "PostToolUse", {
      tool_name: "Task",
      tool_input: { subagent_type: "software-developer", prompt: "x", description: `entry ${i}` },
      tool_response: "done",
    }),
  );
  const others = [
    hook(p, "PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      error: "Exit code 1\nError: one",
    }),
    hook(p, "PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      error: "Exit code 1\nError: two",
    }),
    process_(p, ["lifecycle", "validate", "--articles", "I,II", "--json"]),
  ];
  for (const { code, out } of await Promise.all([...writers, ...others])) {
    assert.equal(code, 0);
    assert.ok(!out.includes("Interlock could not"), out);
  }
  const state = p.state();
  const logged = state.skill_usage_log.map((e: { description: string }) => e.description).sort();
  assert.deepEqual(logged, Array.from({ length: 30 }, (_, i) => `entry ${i}`).sort());
  assert.equal(state.phases["06-implementation"].iteration_requirements.test_iteration.current_iteration, 2);
  assert.equal(state.phases["06-implementation"].iteration_requirements.test_iteration.history.length, 2);
  assert.equal(state.phases["06-implementation"].constitutional_validation.iterations_used, 1);
  assert.deepEqual(state.mine, { keep: [1, 2, 3] });
  assert.equal(state.state_version, 1 + 30 + 2 + 1, "one write per event");
  assert.equal([...p.store.records()].filter((r) => (r.body["amended"] as string[] | undefined)?.length).length, 32);
});
