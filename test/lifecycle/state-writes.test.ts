// The state file and the gates that rely on it: what is written, begun or deleted, and what Interlock goes by.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { manifestText } from "../../src/facts/agent-roles.js";
import type { JsonObject } from "../../src/model/json.js";
import { type FrameworkProject, framework, workflowAt } from "./project.js";
import { several } from "./rows.js";

const file = (p: FrameworkProject) => join(p.root, ".isdlc/state.json");
const edit = (from: string, to: string) => (p: FrameworkProject) =>
  p.before("Edit", { file_path: file(p), old_string: from, new_string: to });

test("a legitimate hand-written move counts, once the file says so", async (t) => {
  const p = framework(t, { state: workflowAt("04-design", {}, { "04-design": { status: "pending" } }) });
  assert.equal((await p.task("system-designer")).gate, "lifecycle/phase-loop-controller");
  await several(edit('"pending"', '"in_progress"'), edit('"pending"', '"in_progress"'))(p);
  assert.equal((await p.task("system-designer")).denied, true, "the write was not made yet");
  p.write(".isdlc/state.json", p.read(".isdlc/state.json").replace('"pending"', '"in_progress"'));
  assert.equal((await p.task("system-designer")).denied, false, "now it was");
});

test("TaskUpdate begins the phase, in the observed state and in the file", async (t) => {
  const p = framework(t, { state: workflowAt("04-design", {}, { "04-design": { status: "pending" } }) });
  assert.equal((await p.task("system-designer")).denied, true);
  await p.after("TaskUpdate", { taskId: "1", status: "in_progress" });
  assert.equal(p.state().phases["04-design"].status, "in_progress");
  assert.equal((await p.task("system-designer")).denied, false);
});

test("a sub-agent of the same phase passes; one of another phase does not", async (t) => {
  const p = framework(t, { state: workflowAt("02-tracing", {}, { "02-tracing": { status: "pending" } }) });
  assert.equal((await p.task("symptom-analyzer")).denied, true, "from the main agent");
  p.agent = { id: "a1", type: "tracing-orchestrator" };
  assert.equal((await p.task("symptom-analyzer")).denied, false, "from inside the phase");
  assert.equal((await p.task("software-developer")).gate, "lifecycle/phase-loop-controller");
});

test("deleting the state file, or the whole folder, opens nothing", async (t) => {
  const p = framework(t, { state: workflowAt("03-architecture") });
  const phase = async () => (await p.task("software-developer")).gate;
  await p.hook("SessionStart", { source: "startup" });
  assert.equal(await phase(), "lifecycle/phase-sequence-guard");
  const { rmSync } = await import("node:fs");
  rmSync(file(p));
  assert.equal(await phase(), "lifecycle/phase-sequence-guard", "without the file");
  rmSync(join(p.root, ".isdlc"), { recursive: true });
  assert.equal(await phase(), "lifecycle/phase-sequence-guard", "without the folder");
});

test("a framework below the repository's root is found", async (t) => {
  const p = framework(t, {
    manifest: false,
    files: { "app/.isdlc/state.json": JSON.stringify(workflowAt("03-architecture")) },
  });
  const { rmSync } = await import("node:fs");
  rmSync(join(p.root, ".isdlc"), { recursive: true });
  p.write("app/.isdlc/config/skills-manifest.json", manifestText());
  p.cwd = p.env["CLAUDE_PROJECT_DIR"] = join(p.root, "app");
  assert.equal((await p.task("software-developer")).gate, "lifecycle/phase-sequence-guard");
});

test("without the framework nothing is judged", async (t) => {
  const p = framework(t, { manifest: false });
  const { rmSync } = await import("node:fs");
  rmSync(join(p.root, ".isdlc"), { recursive: true });
  const { handleCall } = await import("../../src/hook/pipeline.js");
  const asked = {
    bytes: Buffer.from(
      JSON.stringify(
        p.payload("PreToolUse", { tool_name: "Task", tool_input: { subagent_type: "software-developer" } }),
      ),
    ),
    env: p.env,
    home: p.home,
  };
  const { verdict } = await handleCall(asked);
  assert.deepEqual(verdict?.opinions, []);
  const state = p.store.read().state as JsonObject;
  assert.equal(
    Object.keys(state).some((k) => k.startsWith("lifecycle")),
    false,
  );
});
