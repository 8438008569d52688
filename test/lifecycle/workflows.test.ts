// Whole workflows through the hooks: every premature step is refused with the right next step, every legitimate one
// passes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { Driver, lifecycle, menuText } from "./drive.js";
import { type FrameworkProject, framework, type Said } from "./project.js";

const passes = (said: Said, what: string) => assert.equal(said.denied, false, `${what}: ${said.text}`);
function refused(said: Said, gate: string, ...parts: RegExp[]): void {
  assert.equal(said.denied, true, `${gate} should refuse: ${JSON.stringify(said.raw)}`);
  assert.equal(said.gate, gate, said.text);
  for (const part of parts) assert.match(said.text, part);
  assert.match(said.text, /\nnext: .|\nDo this first, not the same call again: ./);
  assert.ok(said.text.split("\n").length <= 5, said.text);
}

const git = (p: FrameworkProject, ...args: string[]) =>
  execFileSync("git", ["-C", p.root, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { stdio: "ignore" });

/** One phase: what is too early is refused, then the phase's needs are met. */
async function phase(d: Driver): Promise<void> {
  const { p, phase, needs } = d;
  let told = "";
  const later = d.workflow["phases"] as string[];
  const ahead = later[later.indexOf(phase) + 1];
  if (needs.plan && !p.has(d.planFile)) {
    const early = await d.delegate();
    refused(early, "lifecycle/plan-surfacer", /tasks\.md/);
    told = early.context;
    d.plan();
  }
  refused(await d.askForGate(), "lifecycle/gate-blocker", /GATE-\d\d is closed/);
  assert.equal(lifecycle(p, "advance").code, 1, `advance of ${phase} is too early`);
  refused(await d.advanceByHandOrEnd(), "lifecycle/state-write-validator", /unmet requirements|ended workflow/);
  if (ahead)
    refused(await p.task("general-purpose", `Execute ${ahead}`), "lifecycle/phase-sequence-guard", new RegExp(phase));
  const said = await d.delegate(needs.elicitation ? menuText : "done");
  passes(said, `delegation of ${phase}`);
  assert.match(
    told + said.context,
    new RegExp(`phase ${phase}`),
    "the phase's needs are told with its first delegation",
  );
  if (needs.elicitation) {
    refused(await d.askForGate(), "lifecycle/gate-blocker", /not finished/);
    await d.delegate(`${menuText}\nUser selected: save`);
    refused(await d.askForGate(), "lifecycle/gate-blocker", /not finished/);
    await p.recorded("Save chosen");
  }
  if (needs.tests) {
    assert.match((await d.tests(false)).context, /attempt 1 of/);
    refused(await d.askForGate(), "lifecycle/iteration-corridor", /TEST corridor/, /run the same tests again/);
    passes(await d.delegate(), "work inside the corridor");
    assert.match((await d.tests(true)).context, /pass after 2 runs/);
    refused(await d.askForGate(), "lifecycle/iteration-corridor", /CONST corridor/, /--articles/);
  }
  if (needs.constitution) {
    refused(
      await p.task("general-purpose", "The phase is complete, mark it."),
      "lifecycle/constitution-validator",
      /articles/,
    );
    assert.equal(d.check().code, 0);
  }
  passes(await d.askForGate(), `gate of ${phase}`);
}

async function drive(p: FrameworkProject, type: string): Promise<void> {
  assert.equal(lifecycle(p, "start", type, "--branch", "--name", "work").code, 0);
  const d = new Driver(p, type);
  const phases = d.workflow["phases"] as string[];
  p.write("a.txt", "x");
  git(p, "add", "a.txt");
  git(p, "commit", "-qm", "first");
  git(p, "branch", "-f", "main");
  for (const [i, expected] of phases.entries()) {
    assert.equal(d.phase, expected);
    await phase(d);
    if (i === 1) {
      git(p, "switch", "-q", "main");
      refused(
        await p.before("Bash", { command: "git commit -am wip" }),
        "lifecycle/branch-guard",
        new RegExp(`git switch ${type}/work`),
      );
      git(p, "switch", "-q", `${type}/work`);
      passes(await p.before("Bash", { command: "git commit -am wip" }), "the remedy: commit on the branch");
    }
    if (i % 2 === 1 && i + 1 < phases.length) passes(await d.advanceByHand(), `hand-written advance from ${expected}`);
    else assert.equal(lifecycle(p, "advance").code, 0, `advance from ${expected}`);
  }
  const done = p.state();
  assert.equal(done.active_workflow, null);
  assert.equal(done.workflow_history.at(-1).status, "completed");
  passes(await p.task("software-developer", "anything"), "nothing is held after the workflow");
}

test("a complete feature workflow", async (t) => drive(framework(t), "feature"));
test("a complete fix workflow", async (t) => drive(framework(t), "fix"));

test("a monorepo: two projects are independent", async (t) => {
  const p = framework(t, {
    files: {
      ".isdlc/monorepo.json": JSON.stringify({
        projects: { api: { path: "services/api" }, web: { path: "apps/web" } },
      }),
      "services/api/x.txt": "",
      "apps/web/x.txt": "",
    },
  });
  const at = (folder: string) => {
    p.cwd = `${p.root}/${folder}`;
  };
  at("services/api");
  assert.equal(lifecycle(p, "start", "fix").code, 0);
  at("apps/web");
  assert.equal(lifecycle(p, "start", "feature").code, 0);
  const api = new Driver(p, "fix", ".isdlc/projects/api/state.json", "docs/isdlc/projects/api/tasks.md");
  const web = new Driver(p, "feature", ".isdlc/projects/web/state.json", "docs/isdlc/projects/web/tasks.md");
  refused(await p.task("requirements-analyst"), "lifecycle/phase-sequence-guard", /00-quick-scan/);
  at("services/api");
  passes(await p.task("requirements-analyst"), "the same agent in the other project");
  refused(await p.task("quick-scan-agent"), "lifecycle/phase-sequence-guard", /01-requirements/);
  await api.satisfy();
  assert.equal(lifecycle(p, "advance").code, 0);
  assert.equal(api.phase, "02-tracing");
  assert.equal(web.phase, "00-quick-scan", "the other project did not move");
  at("apps/web");
  await web.satisfy();
  assert.equal(lifecycle(p, "advance").code, 0);
  assert.equal(web.phase, "01-requirements");
  assert.ok(
    web.p.state(web.file).skill_usage_log.every((e: { agent: string }) => e.agent === "quick-scan-agent"),
    "logs do not mix",
  );
  p.env["ISDLC_PROJECT"] = "api";
  refused(await p.task("requirements-analyst"), "lifecycle/phase-sequence-guard", /02-tracing/);
});

test("cancelling a workflow needs a reason and opens everything", async (t) => {
  const p = framework(t);
  assert.equal(lifecycle(p, "start", "feature", "--branch", "--name", "x").code, 0);
  const d = new Driver(p, "feature");
  refused(await p.task("software-developer"), "lifecycle/phase-sequence-guard", /00-quick-scan/);
  assert.equal(lifecycle(p, "cancel").code, 2, "no reason");
  const gone = p.state();
  gone.active_workflow = null;
  refused(await d.handWrite(gone), "lifecycle/state-write-validator", /ended workflow/, /cancel --reason/);
  p.write(".isdlc/state.json", JSON.stringify(gone));
  refused(await p.task("software-developer"), "lifecycle/phase-sequence-guard", /00-quick-scan/);
  assert.equal(lifecycle(p, "start", "fix").code, 1, "one workflow at a time");
  assert.equal(lifecycle(p, "cancel", "--reason", "the feature is not wanted").code, 0);
  const state = p.state();
  assert.equal(state.active_workflow, null);
  assert.equal(state.workflow_history.at(-1).cancellation_reason, "the feature is not wanted");
  passes(await p.task("software-developer"), "nothing is held after the cancel");
  passes(await p.before("Bash", { command: "git commit --allow-empty -m x" }), "commits go anywhere again");
  const record = [...p.store.records()].findLast((r) => r.type === "lifecycle");
  assert.equal(record?.body["reason"], "the feature is not wanted");
  assert.equal(lifecycle(p, "start", "fix").code, 0);
});

test("redo goes back with a reason, and what was proved must be proved again", async (t) => {
  const p = framework(t);
  lifecycle(p, "start", "fix");
  const d = new Driver(p, "fix");
  await d.satisfy();
  assert.equal(lifecycle(p, "advance").code, 0);
  const back = p.state();
  back.active_workflow.current_phase = "01-requirements";
  back.active_workflow.current_phase_index = 0;
  refused(await d.handWrite(back), "lifecycle/state-write-validator", /regressed phase/, /redo --to 01-requirements/);
  assert.equal(lifecycle(p, "redo", "--to", "05-test-strategy", "--reason", "x").code, 1, "redo does not go forward");
  assert.equal(lifecycle(p, "redo", "--to", "01-requirements", "--reason", "the scope changed").code, 0);
  assert.equal(d.phase, "01-requirements");
  assert.equal(lifecycle(p, "advance").code, 1, "the old answers do not count");
  await d.satisfy();
  assert.equal(lifecycle(p, "advance").code, 0);
});

test("work trees of one repository are independent", async (t) => {
  const p = framework(t);
  lifecycle(p, "start", "fix");
  git(p, "add", "-A");
  git(p, "commit", "-qm", "x");
  git(p, "worktree", "add", "-q", `${p.root}/../other`, "-b", "other");
  const { root } = p;
  const other = `${root.slice(0, root.lastIndexOf("/"))}/other`;
  const inOther = () => {
    p.cwd = p.env["CLAUDE_PROJECT_DIR"] = other;
  };
  await new Driver(p, "fix").satisfy();
  assert.equal(lifecycle(p, "advance").code, 0);
  refused(await p.task("requirements-analyst"), "lifecycle/phase-sequence-guard", /02-tracing/);
  inOther();
  passes(await p.task("requirements-analyst"), "the other work tree is still at the beginning");
  refused(await p.task("tracing-orchestrator"), "lifecycle/phase-sequence-guard", /01-requirements/);
  assert.equal(lifecycle(p, "advance").code, 1, "what was proved here is not proved there");
  assert.equal(lifecycle(p, "cancel", "--reason", "not here").code, 0);
  passes(await p.task("tracing-orchestrator"), "cancelled in the other work tree");
  p.cwd = p.env["CLAUDE_PROJECT_DIR"] = root;
  refused(await p.task("requirements-analyst"), "lifecycle/phase-sequence-guard", /02-tracing/);
});
