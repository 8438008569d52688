// What a person decides at their own terminal after an escalation, and cleaning up after a cancelled workflow.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { atTerminal } from "../guard/terminal.js";
import { program } from "../server/server.js";
import { lifecycle } from "./drive.js";
import { type FrameworkProject, framework, workflowAt } from "./project.js";

const failing = "Exit code 1\nFAIL a.test.ts\n  Error: expected 1 to be 2\nTests:       1 failed, 5 total\n";

const typed = (p: FrameworkProject, answer: string, ...args: string[]) =>
  atTerminal([process.execPath, program, "lifecycle", ...args], p.root, { ...p.env, INTERLOCK_HOME: p.home }, answer);

async function escalated(p: FrameworkProject): Promise<void> {
  for (let i = 0; i < 3; i++) await p.failed("Bash", { command: "npm test" }, failing);
  assert.equal(lifecycle(p, "redo", "--reason", "x").code, 1);
}

test("cancel offers to remove what start made; with work of its own the branch stays", (t) => {
  const p = framework(t, { manifest: false });
  const git = (...args: string[]) => execFileSync("git", ["-C", p.root, ...args], { encoding: "utf8" });
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
  assert.equal(lifecycle(p, "start", "feature", "Add", "a", "Login", "page!", "--branch").code, 0);
  assert.equal(git("branch", "--show-current").trim(), "feature/add-a-login-page");
  const made = lifecycle(p, "cancel", "--reason", "over").json["made"] as { what: string; by: string }[];
  assert.deepEqual(
    made.map((m) => m.what),
    ["the branch feature/add-a-login-page", ".isdlc/state.json", ".isdlc/config/skills-manifest.json"],
  );
  assert.match(made[0]!.by, /git switch main && git branch -d feature\/add-a-login-page/);
  assert.equal(lifecycle(p, "start", "fix", "--branch", "--name", "bug 7").code, 0);
  const second = lifecycle(p, "cancel", "--reason", "over", "--remove");
  assert.equal(second.code, 0);
  assert.equal(git("branch", "--show-current").trim(), "feature/add-a-login-page", "back where it came from");
  assert.doesNotMatch(git("branch"), /fix\/bug-7/);
  assert.equal(lifecycle(p, "start", "fix", "--branch", "--name", "bug 8").code, 0);
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "work");
  assert.equal(lifecycle(p, "cancel", "--reason", "over", "--remove").code, 0);
  assert.match(git("branch"), /fix\/bug-8/, "it holds a commit of its own");
});

test("a branch is named by the work, and asked for where nobody said what it is", (t) => {
  const p = framework(t);
  const none = lifecycle(p, "start", "feature", "--branch");
  assert.equal(none.code, 2);
  assert.match(none.err, /say what the work is/);
  assert.equal(p.has(".isdlc/state.json"), false);
  const { json } = lifecycle(p, "start", "upgrade", "Über 9000: Node 22 → 24, and so on", "--branch");
  assert.equal((json["workflow"] as { branch: string }).branch, "upgrade/uber-9000-node-22-24-and");
  const steps = json["steps"] as string[];
  assert.equal(steps.length, 3);
  assert.match(steps[0]!, /interlock lifecycle init/, "the agents are not there yet");
  assert.match(steps[1]!, /write the task plan/);
});

test("after an escalation a person at a terminal may redo, and the phase has its attempts again", async (t) => {
  const p = framework(t, { state: workflowAt("06-implementation"), plan: true });
  await escalated(p);
  const no = typed(p, "n", "redo", "--reason", "another way");
  assert.equal(no.status, 1, no.text);
  assert.match(no.text, /testing of 06-implementation is escalated \(circuit_breaker\)\. redo anyway\?/);
  const yes = typed(p, "y", "redo", "--reason", "another way");
  assert.equal(yes.status, 0, yes.text);
  assert.match((await p.failed("Bash", { command: "npm test" }, failing)).context, /attempt 1 of 10/);
});

test("after an escalation a person at a terminal may cancel", async (t) => {
  const p = framework(t, { state: workflowAt("06-implementation"), plan: true });
  await escalated(p);
  const { status, text } = typed(p, "y", "cancel", "--reason", "not worth it");
  assert.equal(status, 0, text);
  assert.equal(p.state().active_workflow, null);
});

test("a passing run does not lift an escalation; a person does", async (t) => {
  const p = framework(t, { state: workflowAt("06-implementation"), plan: true });
  await escalated(p);
  const passed = await p.after("Bash", { command: "npm test" }, "Tests:       5 passed, 5 total\n");
  assert.match(passed.context, /pass now, and testing stays escalated \(circuit_breaker\) until a person decides/);
  assert.equal(lifecycle(p, "redo", "--reason", "it passes").code, 1);
  assert.equal(lifecycle(p, "advance").code, 1);
  const { test_iteration: tests } = p.state().phases["06-implementation"].iteration_requirements;
  assert.deepEqual([tests.status, tests.last_test_result], ["escalated", "passed"]);
  const yes = typed(p, "y", "approve", "--reason", "I have looked at it");
  assert.equal(yes.status, 0, yes.text);
  assert.match(
    (await p.after("Bash", { command: "npm test" }, "Tests:       5 passed, 5 total\n")).context,
    /pass after 5 runs/,
  );
});
