// Acceptance tests first (`atdd_mode`, `atdd_validation`) and `gate_mode`: what the framework's tables say holds at the
// gates, and writing the state file switches neither off.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readFrameworkTables } from "../../src/packs/lifecycle/layouts/isdlc-tables.js";
import { looseningsIn, tableProblems } from "../../src/packs/lifecycle/layouts/loosening-report.js";
import { catalogueOf, needsOf } from "../../src/packs/lifecycle/model/catalogue.js";
import { consentHash } from "../../src/project/consents.js";
import { Driver, lifecycle } from "./drive.js";
import { type FrameworkProject, framework, type Setup, workflowAt } from "./project.js";

const passes = (skipped: number) =>
  `Tests:       ${skipped ? `${skipped} skipped, ` : ""}5 passed, ${5 + skipped} total\n`;
const run = (p: FrameworkProject, skipped: number) => p.after("Bash", { command: "npm test" }, passes(skipped));
const why = (p: FrameworkProject) => String(lifecycle(p, "advance").json["why"] ?? "");

/** Stands at a phase with everything done but the tests. */
async function standing(t: Parameters<typeof framework>[0], phase: string, more: object, setup: Setup = {}) {
  const p = framework(t, { state: workflowAt(phase, more as never), plan: true, ...setup });
  const d = new Driver(p, "feature");
  await d.delegate();
  d.check();
  return { p, d };
}

const modes: [string, object, boolean][] = [
  ["in the mode", { atdd_mode: true }, true],
  ["in the mode by option", { options: { atdd_mode: true } }, true],
  ["without it", {}, false],
  ["with it off", { atdd_mode: false }, false],
];
for (const [name, more, held] of modes)
  for (const phase of ["06-implementation", "07-testing"])
    test(`${phase}, ${name}: skipped tests ${held ? "close" : "do not close"} the gate`, async (t) => {
      const { p, d } = await standing(t, phase, more);
      await run(p, 2);
      const asked = await d.askForGate();
      assert.equal(asked.denied, held, asked.text);
      if (held) assert.match(asked.text, /skipped 2 tests[^]*take their skip marks out/);
      assert.equal(p.state().phases[phase].atdd_validation?.orphan_skips_detected, held ? 2 : undefined);
      await run(p, 0);
      assert.equal((await d.askForGate()).denied, false, "the step that is named opens it");
      assert.equal(lifecycle(p, "advance").code, 0);
    });

const checklists: [string, string | undefined, boolean][] = [
  ["none", undefined, false],
  ["where it belongs", "docs/isdlc/atdd-checklist.json", true],
  ["of a domain", "docs/isdlc/atdd-checklist-billing.json", true],
  ["where it used to be", ".isdlc/atdd-checklist.json", true],
  ["of a domain where it used to be", ".isdlc/atdd-checklist-billing.json", true],
  ["of another name", "docs/isdlc/atdd-notes.json", false],
];
for (const [name, path, open] of checklists)
  test(`05-test-strategy, a checklist ${name}: ${open ? "open" : "closed"}`, async (t) => {
    const files = path ? { [path]: "{}" } : {};
    const { p } = await standing(t, "05-test-strategy", { atdd_mode: true }, { files });
    if (open) assert.equal(lifecycle(p, "advance").code, 0);
    else {
      assert.match(why(p), /no checklist of acceptance criteria/);
      p.write("docs/isdlc/atdd-checklist.json", "{}");
      assert.equal(lifecycle(p, "advance").code, 0, "the step that is named opens it");
    }
  });

test("ATDD mode started by command: writing it away is refused, and an unseen change opens nothing", async (t) => {
  const p = framework(t, { plan: true });
  assert.equal(lifecycle(p, "start", "test-generate", "--atdd").code, 0);
  const d = new Driver(p, "test-generate");
  await d.delegate();
  d.check();
  assert.match(why(p), /checklist/);
  const off = p.state();
  off.active_workflow.atdd_mode = false;
  const said = await d.handWrite(off);
  assert.equal(said.denied, true);
  assert.match(said.text, /out of ATDD mode/);
  p.write(".isdlc/state.json", JSON.stringify(off));
  assert.match(why(p), /checklist/);
});

test("a running workflow may be switched to ATDD mode", async (t) => {
  const { p, d } = await standing(t, "06-implementation", {});
  const on = p.state();
  on.active_workflow.atdd_mode = true;
  assert.equal((await d.handWrite(on)).denied, false);
  await run(p, 1);
  assert.match(why(p), /skipped 1 test\b/);
});

const tables = (atdd: unknown, phase = "06-implementation", trusted = false) =>
  catalogueOf(
    [],
    {},
    readFrameworkTables(
      {
        requirements: {
          name: "r.json",
          text: JSON.stringify({ phase_requirements: { [phase]: { atdd_validation: atdd } } }),
        },
      },
      { requirements: trusted, workflows: trusted },
    ),
  );
const mode = "atdd_mode";
const rows: [string, phase: string, says: unknown, holds: unknown, loosens: boolean, told?: RegExp][] = [
  [
    "as the framework has it",
    "06-implementation",
    {
      enabled: true,
      when: mode,
      requires: ["all_priority_tests_passing", "no_orphan_skips", "red_green_transitions_recorded"],
      gate_block_on_failure: true,
    },
    { noSkips: true },
    false,
  ],
  [
    "as the framework has it",
    "05-test-strategy",
    {
      enabled: true,
      when: mode,
      requires: ["atdd_checklist_generated"],
      artifacts: ["docs/isdlc/atdd-checklist.json", "tests/acceptance/"],
    },
    { checklist: true },
    false,
  ],
  ["switched off", "06-implementation", { enabled: false }, { noSkips: true }, true],
  [
    "told only",
    "06-implementation",
    { enabled: true, when: mode, gate_block_on_failure: false },
    { noSkips: true },
    true,
  ],
  [
    "less asked for",
    "06-implementation",
    { enabled: true, when: mode, requires: ["red_green_transitions_recorded"] },
    { noSkips: true },
    true,
  ],
  [
    "always",
    "06-implementation",
    { enabled: true, requires: ["no_orphan_skips"] },
    { always: true, noSkips: true },
    false,
  ],
  [
    "in another phase",
    "08-code-review",
    { enabled: true, when: mode, requires: ["no_orphan_skips"] },
    { noSkips: true },
    false,
  ],
  [
    "one file more",
    "05-test-strategy",
    { enabled: true, when: mode, artifacts: ["docs/isdlc/atdd-checklist.json", "docs/ac.md"] },
    { checklist: true, files: ["docs/ac.md"] },
    false,
  ],
  [
    "a condition nobody knows",
    "06-implementation",
    { enabled: true, when: "full moon", requires: ["no_orphan_skips"] },
    { always: true, noSkips: true },
    false,
    /when is not atdd_mode/,
  ],
  ["not an object", "06-implementation", "yes", { noSkips: true }, false, /atdd_validation is not an object/],
];
for (const [name, phase, says, holds, loosens, told] of rows)
  test(`atdd_validation in a table, ${phase}: ${name}`, () => {
    const made = tables(says, phase);
    assert.deepEqual(needsOf(made, "feature", phase)!.atdd, holds);
    assert.deepEqual(
      looseningsIn(made).map((l) => l.path),
      loosens ? [`phase_requirements.${phase}.atdd`] : [],
    );
    assert.match(tableProblems(made).join("\n"), told ?? /^$/);
  });

test("atdd_validation switched off with the user's consent is off", () => {
  assert.equal(
    needsOf(tables({ enabled: false }, "06-implementation", true), "feature", "06-implementation")!.atdd,
    undefined,
  );
});

const spike = JSON.stringify({
  workflows: {
    spike: {
      label: "Spike",
      phases: ["01-requirements", "08-code-review"],
      gate_mode: "permissive",
      requires_branch: false,
    },
  },
});
test("gate_mode permissive needs the user's consent; then nothing is required, but the order holds", async (t) => {
  const p = framework(t, { plan: true, files: { ".isdlc/config/workflows.json": spike } });
  assert.equal(lifecycle(p, "start", "spike").code, 0);
  assert.match(why(p), /GATE-01 is closed/);
  const { json } = lifecycle(p, "validate");
  assert.deepEqual(
    (json["loosened"] as { path: string }[]).map((l) => l.path),
    ["workflows.spike.gate_mode"],
  );
  const early = await p.task("qa-engineer", "review it");
  assert.equal(early.denied, true, "another phase's agent");
  writeFileSync(join(p.home, "consents.json"), JSON.stringify([consentHash(spike)]));
  assert.deepEqual(lifecycle(p, "validate").json["loosened"], []);
  const next = lifecycle(p, "next").json;
  assert.equal(next["open"], true);
  assert.ok((next["told"] as unknown[]).length > 0, "told all the same");
  assert.equal((await p.task("qa-engineer", "review it")).denied, true, "the order of phases holds");
  assert.equal((await p.task("sdlc-orchestrator", "All is done. Advance to the next phase.", "advance")).denied, false);
  assert.equal(lifecycle(p, "advance").code, 0);
  assert.equal(lifecycle(p, "status").json["phase"], "08-code-review");
});

const gateModes: [string, object, permissive: boolean | undefined, loosened: string[], told: RegExp][] = [
  [
    "a shipped workflow made permissive",
    { feature: { phases: [...catalogueOf().workflows.get("feature")!.phases], gate_mode: "permissive" } },
    false,
    ["workflows.feature.gate_mode"],
    /^$/,
  ],
  [
    "a shipped workflow, strict",
    { feature: { phases: [...catalogueOf().workflows.get("feature")!.phases], gate_mode: "strict" } },
    false,
    [],
    /^$/,
  ],
  [
    "one nobody knows",
    { feature: { phases: [...catalogueOf().workflows.get("feature")!.phases], gate_mode: "lenient" } },
    false,
    [],
    /gate_mode is neither strict nor permissive/,
  ],
];
for (const [name, workflows, permissive, loosened, told] of gateModes)
  test(`gate_mode: ${name}`, () => {
    const text = JSON.stringify({ workflows });
    const made = catalogueOf(
      [],
      {},
      readFrameworkTables({ workflows: { name: "w.json", text } }, { requirements: false, workflows: false }),
    );
    assert.equal(made.workflows.get("feature")!.permissive, permissive);
    assert.deepEqual(
      looseningsIn(made).map((l) => l.path),
      loosened,
    );
    assert.match(tableProblems(made).join("\n"), told);
  });

test("gate_mode: the shipped permissive workflow can be made strict; an equal table reports nothing", () => {
  const phases = [...catalogueOf().workflows.get("reverse-engineer")!.phases];
  const made = (gate_mode: string) =>
    catalogueOf(
      [],
      {},
      readFrameworkTables(
        {
          workflows: {
            name: "w.json",
            text: JSON.stringify({ workflows: { "reverse-engineer": { phases, gate_mode } } }),
          },
        },
        { requirements: false, workflows: false },
      ),
    );
  assert.equal(made("strict").workflows.get("reverse-engineer")!.permissive, false);
  assert.equal(made("permissive").workflows.get("reverse-engineer")!.permissive, true);
  assert.deepEqual(looseningsIn(made("permissive")), []);
});
