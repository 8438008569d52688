// Workflows the user writes, and the ready-made ones for Spec Kit and BMAD: the same data, the same gates.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "../../src/config/compile.js";
import { shippedRoles } from "../../src/facts/agent-roles.js";
import { phaseKeys } from "../../src/facts/phase-names.js";
import { agentsOf, catalogueOf, needsOf, phaseDefOf } from "../../src/packs/lifecycle/model/catalogue.js";
import { shippedPhases, shippedWorkflows } from "../../src/packs/lifecycle/model/tables.js";
import { Driver, lifecycle } from "./drive.js";
import { framework } from "./project.js";

const own = `
packs:
  lifecycle:
    workflows:
      - id: docs
        title: Documentation
        phases:
          - id: outline
            agents: [outliner]
            needs: { artifacts: [docs/outline.md], delegation: true }
          - id: draft
            agents: [writer]
            needs: { tests: { max: 3 }, constitution: { articles: [I, VIII] } }
          - 08-code-review
`;

test("a user's workflow is enforced like the shipped ones", async (t) => {
  const p = framework(t, { yaml: own });
  assert.equal(lifecycle(p, "start", "docs").code, 0);
  const phase = () => new Driver(p, "docs").phase;
  assert.equal(phase(), "outline");
  assert.equal((await p.task("writer", "write")).gate, "lifecycle/phase-sequence-guard");
  assert.equal((await p.task("software-developer", "write")).gate, "lifecycle/phase-sequence-guard");
  assert.match(
    String(lifecycle(p, "advance").json["why"]),
    /outliner has not worked.*docs\/outline\.md does not exist/,
  );
  assert.equal((await p.task("outliner", "outline it")).denied, false);
  await p.after("Task", { subagent_type: "outliner", prompt: "outline it" });
  assert.match(String(lifecycle(p, "advance").json["why"]), /docs\/outline\.md does not exist/);
  p.write("docs/outline.md", "# Outline\n");
  assert.equal(lifecycle(p, "advance").code, 0);
  assert.equal(phase(), "draft");
  assert.equal((await p.task("writer", "draft it")).denied, false, "no plan is asked for where none is needed");
  await p.failed("Bash", { command: "npm test" }, "Exit code 1\nError: dead link");
  assert.equal((await p.task("sdlc-orchestrator", "advance")).gate, "lifecycle/iteration-corridor");
  await p.after("Bash", { command: "npm test" }, "Tests:       1 passed, 1 total");
  assert.equal(lifecycle(p, "validate", "--articles", "I,VIII").code, 0);
  assert.equal(lifecycle(p, "advance").code, 0);
  assert.equal(phase(), "08-code-review");
});

test("if a faulty file should have defined the workflow, the fault is reported", (t) => {
  const p = framework(t, { yaml: "packs: { lifecycle: { workflows: [ { id: w, phases: [outline] } ] } }" });
  const { code, err } = lifecycle(p, "start", "w");
  assert.equal(code, 2);
  assert.match(err, /fault: .*"outline" is not defined/);
});

test("an error in a user's workflow is reported with the nearest known name", async () => {
  const said = async (text: string) =>
    (await compile({ name: "user", text: undefined }, { name: "interlock.yaml", text }, true)).problems.join("\n");
  const workflow = (phases: string, id = "w") =>
    `packs: { lifecycle: { workflows: [ { id: ${id}, phases: ${phases} } ] } }`;
  assert.equal(await said(workflow("[06-implementation]")), "");
  assert.equal(await said(workflow("[05-implementation]")), "", "an old key is known");
  assert.match(await said(workflow("[06-implementaton]")), /not defined; did you mean "06-implementation"/);
  assert.match(await said(workflow("[06-implementation]", "feature")), /"feature" is there already/);
  assert.match(await said(workflow("[06-implementation, 08-code-review, 05-implementation]")), /is listed twice/);
  assert.match(await said(workflow("[{ id: 06-implementation }]")), /defined already/);
  assert.match(await said(workflow("[{ id: a, needs: { tets: {} } }]")), /tets|phases/);
  assert.match(await said(workflow("[]")), /phases/);
  assert.match(await said(workflow("[{ id: a, needs: { artifacts: [../x] } }]")), /phases/);
});

test("the user's own file adjusts what shipped phases need; a project's may not", async (t) => {
  const text =
    "packs: { lifecycle: { adjust: { 05-implementation: { tests: { max: 2 } }, 00-quick-scan: { " +
    "delegation: false } } } }";
  const { config, problems } = await compile({ name: "user", text }, { name: "p", text: undefined });
  assert.deepEqual(problems, []);
  assert.deepEqual(config.packs["lifecycle"]?.options["adjust"], {
    "06-implementation": { tests: { max: 2, identical: 3 } },
    "00-quick-scan": { delegation: false },
  });
  const wrong = await compile(
    { name: "user", text: text.replace("00-quick-scan", "00-quickscan") },
    { name: "p", text: undefined },
  );
  assert.match(wrong.problems.join(), /"00-quickscan" is not defined; did you mean "00-quick-scan"/);
  const p = framework(t, { yaml: text });
  lifecycle(p, "start", "feature");
  assert.equal(lifecycle(p, "advance").code, 1, "a project's file does not loosen");
  const q = framework(t);
  q.write("../interlock/interlock.yaml", text);
  lifecycle(q, "start", "feature");
  assert.equal(lifecycle(q, "advance").code, 0, "the user's own does");
});

test("Spec Kit: recognised by its layout, and its artifacts open its gates", async (t) => {
  const p = framework(t, { manifest: false, files: { ".specify/memory/constitution.md": "# C\n" } });
  const { json } = lifecycle(p, "status");
  assert.deepEqual(json["layouts"], ["spec-kit"]);
  assert.equal(lifecycle(p, "start").code, 0, "the layout says which workflow");
  assert.equal(p.state().active_workflow.type, "spec-kit");
  for (const [phase, file] of [
    ["speckit-specify", "spec.md"],
    ["speckit-plan", "plan.md"],
    ["speckit-tasks", "tasks.md"],
  ] as const) {
    assert.equal(p.state().active_workflow.current_phase, phase);
    const { json } = lifecycle(p, "advance");
    assert.match(String(json["next"]), new RegExp(`specs/your-feature/${file}`));
    p.write(`specs/001-albums/${file}`, "# x\n");
    assert.equal(lifecycle(p, "advance").code, 0);
  }
  assert.match(String(lifecycle(p, "advance").json["why"]), /no test run/);
  await p.after("Bash", { command: "npm test" }, "Tests:       1 passed, 1 total");
  assert.equal(lifecycle(p, "advance").code, 0);
  assert.equal(p.state().active_workflow, null);
});

test("BMAD: recognised by its layout; its agents work in their own phases", async (t) => {
  const p = framework(t, {
    manifest: false,
    files: { ".bmad-core/core-config.yaml": "x: 1\n", "docs/brief.md": "# b\n" },
  });
  assert.equal(lifecycle(p, "start").code, 0);
  assert.equal(lifecycle(p, "advance").code, 0, "the brief is there");
  assert.equal(p.state().active_workflow.current_phase, "bmad-prd");
  assert.equal((await p.task("bmad-architect", "design")).gate, "lifecycle/phase-sequence-guard");
  assert.equal((await p.task("bmad-pm", "write the PRD")).denied, false);
  p.write("docs/prd/epic-1.md", "# e\n");
  assert.equal(lifecycle(p, "advance").code, 0, "a sharded PRD counts");
});

test("the shipped tables are complete", () => {
  const catalogue = catalogueOf();
  for (const key of phaseKeys)
    assert.ok(
      shippedPhases.some((p) => p.id === key),
      key,
    );
  for (const { id, phases, overrides } of shippedWorkflows) {
    for (const p of phases)
      assert.ok(phaseDefOf(catalogue, typeof p === "string" ? p : p.id), `${id}: ${JSON.stringify(p)}`);
    for (const key of Object.keys(overrides ?? {})) assert.ok(phaseDefOf(catalogue, key), `${id}: ${key}`);
  }
  for (const { id, needs } of shippedPhases)
    if (needs.delegation)
      assert.ok(agentsOf(catalogue, shippedRoles, id).length, `${id} needs an agent and none owns it`);
  assert.equal(needsOf(catalogue, "feature", "99-magic"), undefined);
  assert.deepEqual(needsOf(catalogue, "fix", "01-requirements")?.elicitation?.final, ["save", "continue", "exit"]);
});
