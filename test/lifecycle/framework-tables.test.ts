// A project's iteration-requirements.json and workflows.json: stricter rules hold, looser ones wait for the user,
// errors are reported.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readFrameworkTables } from "../../src/packs/lifecycle/layouts/isdlc-tables.js";
import { looseningsIn, tableProblems } from "../../src/packs/lifecycle/layouts/loosening-report.js";
import { catalogueOf, needsOf } from "../../src/packs/lifecycle/model/catalogue.js";
import type { Needs } from "../../src/packs/lifecycle/model/tables.js";
import { consentHash } from "../../src/project/consents.js";
import { atTerminal } from "../guard/terminal.js";
import { Driver, lifecycle } from "./drive.js";
import { framework } from "./project.js";

const catalogue = (requirements?: unknown, workflows?: unknown, trusted = false) => {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return catalogueOf(
    [],
    {},
    readFrameworkTables(
      {
        ...(requirements !== undefined && { requirements: { name: "r.json", text: text(requirements) } }),
        ...(workflows !== undefined && { workflows: { name: "w.json", text: text(workflows) } }),
      },
      { requirements: trusted, workflows: trusted },
    ),
  );
};
const phases = (phase_requirements: object, more: object = {}) => ({ version: "2.0.0", phase_requirements, ...more });
const shipped = (phase: string) => needsOf(catalogueOf(), undefined, phase)!;

const rows: [string, phase: string, says: object, holds: (needs: Needs) => unknown, is: unknown, loosens: boolean][] = [
  [
    "tests switched on",
    "08-code-review",
    { test_iteration: { enabled: true, max_iterations: 4, circuit_breaker_threshold: 2 } },
    (n) => n.tests,
    { max: 4, identical: 2 },
    false,
  ],
  [
    "tests switched off",
    "06-implementation",
    { test_iteration: { enabled: false } },
    (n) => n.tests,
    shipped("06-implementation").tests,
    true,
  ],
  [
    "fewer attempts",
    "06-implementation",
    { test_iteration: { enabled: true, max_iterations: 3 } },
    (n) => n.tests!.max,
    3,
    false,
  ],
  [
    "more attempts",
    "06-implementation",
    { test_iteration: { enabled: true, max_iterations: 50 } },
    (n) => n.tests!.max,
    10,
    true,
  ],
  [
    "one more article",
    "10-cicd",
    { constitutional_validation: { enabled: true, articles: ["II", "IX", "XI"] } },
    (n) => n.constitution?.articles,
    ["II", "IX", "XI"],
    false,
  ],
  [
    "an article less",
    "10-cicd",
    { constitutional_validation: { enabled: true, articles: ["II"] } },
    (n) => n.constitution?.articles,
    ["II", "IX"],
    true,
  ],
  [
    "no constitution",
    "10-cicd",
    { constitutional_validation: { enabled: false } },
    (n) => n.constitution?.articles,
    ["II", "IX"],
    true,
  ],
  [
    "questions where none were",
    "04-design",
    { interactive_elicitation: { enabled: true, min_menu_interactions: 2, required_final_selection: ["save"] } },
    (n) => n.elicitation,
    { min: 2, final: ["save"] },
    false,
  ],
  [
    "fewer ways to end the questions",
    "01-requirements",
    { interactive_elicitation: { enabled: true, required_final_selection: ["save"] } },
    (n) => n.elicitation!.final,
    ["save"],
    false,
  ],
  [
    "more ways to end the questions",
    "01-requirements",
    { interactive_elicitation: { enabled: true, required_final_selection: ["save", "continue", "exit"] } },
    (n) => n.elicitation!.final,
    ["save", "continue"],
    true,
  ],
  [
    "nobody needs to have worked",
    "06-implementation",
    { agent_delegation_validation: { enabled: false } },
    (n) => n.delegation,
    true,
    true,
  ],
  ["what the table leaves out", "06-implementation", {}, (n) => n, shipped("06-implementation"), false],
  [
    "an old key",
    "05-implementation",
    { test_iteration: { enabled: true, max_iterations: 2 } },
    (n) => n.tests!.max,
    2,
    false,
  ],
  [
    "a phase of the project's own",
    "20-migration",
    { test_iteration: { enabled: true } },
    (n) => n.tests,
    { max: 10, identical: 3 },
    false,
  ],
];
for (const [name, phase, says, holds, is, loosens] of rows)
  test(`${name}: ${loosens ? "waits for the user" : "holds"}`, () => {
    const made = catalogue(phases({ [phase]: says }));
    assert.deepEqual(tableProblems(made), []);
    assert.deepEqual(holds(needsOf(made, undefined, phase)!), is);
    assert.equal(looseningsIn(made).length > 0, loosens, JSON.stringify(looseningsIn(made)));
    const trusted = catalogue(phases({ [phase]: says }), undefined, true);
    assert.equal(looseningsIn(trusted).length, 0);
    if (loosens) assert.notDeepEqual(holds(needsOf(trusted, undefined, phase) ?? {}) ?? null, is);
  });

test("a workflow override changes a phase's needs part by part, in that workflow only", () => {
  const made = catalogue(
    phases(
      { "07-testing": { test_iteration: { enabled: true, max_iterations: 8 } } },
      {
        workflow_overrides: {
          _comment: "x",
          "test-generate": { "06-testing": { test_iteration: { max_iterations: 5 } } },
        },
      },
    ),
  );
  assert.equal(needsOf(made, "test-generate", "07-testing")!.tests!.max, 5, "an old key in the override is known");
  assert.equal(needsOf(made, "feature", "07-testing")!.tests!.max, 8);
  assert.deepEqual(tableProblems(made), []);
});

const broken: [string, unknown, RegExp][] = [
  ["no JSON", "{ not json", /r\.json: it is not JSON/],
  ["a list", [], /r\.json: it is not an object/],
  ["phases that are a list", { phase_requirements: [] }, /phase_requirements is not an object/],
  ["a phase that is a word", phases({ "06-implementation": "yes" }), /06-implementation is not a phase/],
  [
    "a need that is a word",
    phases({ "06-implementation": { test_iteration: "off" } }),
    /06-implementation\.test_iteration is not an object/,
  ],
  [
    "attempts that are no number",
    phases({ "06-implementation": { test_iteration: { enabled: true, max_iterations: "0" } } }),
    /max_iterations is not a number/,
  ],
  [
    "attempts without end",
    phases({ "06-implementation": { test_iteration: { enabled: true, max_iterations: 1e9 } } }),
    /max_iterations is not a number/,
  ],
  [
    "a switch that is a word",
    phases({ "06-implementation": { test_iteration: { enabled: "false" } } }),
    /enabled is neither true nor false/,
  ],
  [
    "articles that are a word",
    phases({ "06-implementation": { constitutional_validation: { enabled: true, articles: "I" } } }),
    /articles is not a list/,
  ],
  ["a key of the language", '{"phase_requirements":{"__proto__":{"test_iteration":{"enabled":false}}}}', /^$/],
];
for (const [name, says, told] of broken)
  test(`broken: ${name} is reported and opens nothing`, () => {
    const made = catalogue(says);
    assert.match(tableProblems(made).join("\n"), told);
    assert.deepEqual(needsOf(made, "feature", "06-implementation"), shipped("06-implementation"));
  });

test("workflows: new ones are added, one that omits phases needs consent, an unknown phase is reported", () => {
  const table = {
    workflows: {
      hotfix: { label: "Hot fix", phases: ["06-implementation", "08-code-review"], requires_branch: true },
      "test-run": { phases: ["11-local-testing", "07-testing", "08-code-review"] },
      fix: { phases: ["06-implementation"] },
      odd: { phases: ["06-implementation", "77-nowhere"] },
      worse: { phases: "all" },
    },
  };
  const made = catalogue(undefined, table);
  assert.deepEqual(made.workflows.get("hotfix")!.phases, ["06-implementation", "08-code-review"]);
  assert.equal(made.workflows.get("hotfix")!.branch, true);
  assert.deepEqual(made.workflows.get("test-run")!.phases, ["11-local-testing", "07-testing", "08-code-review"]);
  assert.deepEqual(made.workflows.get("fix")!.phases, catalogueOf().workflows.get("fix")!.phases);
  assert.deepEqual(
    looseningsIn(made).map((l) => l.path),
    ["workflows.fix"],
  );
  assert.match(tableProblems(made).join("\n"), /"odd" names the phase "77-nowhere", which is not defined/);
  assert.match(tableProblems(made).join("\n"), /workflows\.worse has no list of phases/);
  assert.deepEqual(catalogue(undefined, table, true).workflows.get("fix")!.phases, ["06-implementation"]);
});

const stricter = JSON.stringify(
  phases({
    "11-local-testing": { test_iteration: { enabled: true, max_iterations: 2 } },
    "07-testing": { constitutional_validation: { enabled: false } },
  }),
);

for (const place of [".claude/hooks/config", ".isdlc/config"])
  test(`through the hooks and the command, from ${place}`, async (t) => {
    const p = framework(t, { plan: true, files: { [`${place}/iteration-requirements.json`]: stricter } });
    assert.equal(lifecycle(p, "start", "test-run").code, 0);
    const why = () => String(lifecycle(p, "advance").json["why"]);
    assert.match(why(), /no test run was seen/, "the shipped phase asks for none");
    const driver = new Driver(p, "test-run");
    assert.equal(driver.phase, "11-local-testing");
    const said = lifecycle(p, "validate").json as { loosened: { path: string }[]; ok: boolean };
    assert.equal(said.ok, true);
    assert.deepEqual(
      said.loosened.map((l) => l.path),
      ["phase_requirements.07-testing.constitution"],
    );
  });

test("a broken table is reported in the record and by validate; the shipped gates hold", async (t) => {
  const p = framework(t, { plan: true, files: { ".isdlc/config/iteration-requirements.json": "{" } });
  assert.equal(lifecycle(p, "start", "feature").code, 0);
  const said = await p.task("sdlc-orchestrator", "advance to the next phase");
  assert.equal(said.denied, true);
  assert.match(said.faults.join("\n"), /iteration-requirements\.json: it is not JSON/);
  const { json, code } = lifecycle(p, "validate");
  assert.equal(code, 1);
  assert.match(JSON.stringify(json["faults"]), /iteration-requirements\.json: it is not JSON/);
});

test("interlock trust shows what a table would loosen and records the user's consent", (t) => {
  const file = ".isdlc/config/iteration-requirements.json";
  const p = framework(t, { plan: true, files: { [file]: stricter } });
  const trust = () =>
    atTerminal([process.execPath, join(process.cwd(), "dist/interlock.cjs"), "trust", "--yes"], p.root, p.env);
  assert.match(trust().text, /iteration-requirements\.json\s+would loosen:[^]*07-testing\.constitution[^]*Trusted/);
  assert.deepEqual(lifecycle(p, "validate").json["loosened"], []);
  assert.match(trust().text, /Already trusted/);
});

test("with the user's consent, bound to the content, the project's table holds as it is", async (t) => {
  const p = framework(t, { plan: true, files: { ".isdlc/config/iteration-requirements.json": stricter } });
  assert.equal(lifecycle(p, "start", "test-run").code, 0);
  writeFileSync(join(p.home, "consents.json"), JSON.stringify([consentHash(stricter)]));
  assert.deepEqual(lifecycle(p, "validate").json["loosened"], []);
  p.write(".isdlc/config/iteration-requirements.json", `${stricter}\n`);
  assert.equal((lifecycle(p, "validate").json["loosened"] as unknown[]).length, 1, "any change asks again");
});
