// interlock kit through the built program: runs, records, environment, capsule, manifest, events, exit codes, chains.
import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readCapsule } from "../../src/runs/capsule.js";
import { feature, grantScript, kitProject, type Plan } from "./kit-project.js";

const start = { "package.json": feature.package, "docs/add.md": "# Add\n", "src/add.mjs": feature.wrong };
const redPlan = { steps: [{ write: "tests/add.test.mjs", text: feature.test }] };
const greenPlan = { steps: [{ write: "src/add.mjs", text: feature.right }] };

test("a phase leaves events, capsule, manifest and log; all of them validate", () => {
  const { root, kit, interlock } = kitProject(start);
  const done = kit(["tdd", "red", "docs/add.md"], { red: redPlan });
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.json.run_id, /^\d{8}T\d{6}Z-[0-9a-f]{8}$/);
  assert.equal(done.json.status, "ok");
  assert.deepEqual(
    done.events.map((e) => e.event),
    [
      "run_started",
      "phase_started",
      "phase_finished",
      "capsule_written",
      "artifact_indexed",
      "manifest_written",
      "run_finished",
    ],
  );
  assert.equal(done.events.at(-1)?.exit_code, 0);
  const { text, findings, madeByInterlock } = readCapsule(join(root, done.json.paths["capsule"]!));
  assert.deepEqual([findings, madeByInterlock], [[], false]);
  assert.match(text, /^Goal: red/);
  for (const what of ["capsule", "manifest"] as const) {
    const checked = interlock(["validate", what, done.json.paths[what]!]);
    assert.equal(checked.status, 0, checked.stderr);
  }
  const env = JSON.parse(done.artifact("red-env.json")) as Record<string, string>;
  assert.equal(env["RUN_ID"], done.json.run_id);
  assert.equal(env["RUN_ROOT"], `runs/${done.json.run_id}`);
  assert.equal(env["TDD_PHASE"], "red");
  const prompt = done.artifact("red-prompt.txt");
  for (const words of [
    /You may write only: .*tests/,
    /===CAPSULE===/,
    /npm test` is run .* must fail/,
    /docs\/add\.md/,
  ])
    assert.match(prompt, words);
  assert.match(done.stderr, /\[tdd red\] working/);
});

test("red must fail, green must pass, and a phase that breaks its rules is blocked by facts", () => {
  const { root, kit, write, read } = kitProject(start);
  const passing = kit(["tdd", "red", "docs/add.md"], {
    red: { steps: [{ write: "tests/a.test.mjs", text: 'import "node:test";\n' }] },
  });
  assert.deepEqual([passing.status, passing.json.status], [1, "blocked"]);
  assert.match(passing.json.phases[0]!.findings[0]!.what, /red must leave a failing test|no test was run/);
  write("tests/a.test.mjs", feature.test);
  const failing = kit(["tdd", "green"], { green: { steps: [], says: "all tests pass" } });
  assert.match(failing.json.phases[0]!.findings[0]!.what, /the tests fail/);
  const told = readCapsule(join(root, failing.json.paths["capsule"]!));
  assert.ok(told.madeByInterlock, "the agent's own words are not taken");
  assert.match(told.text, /tests: 0 passed, 1 failed/);
  const cheat: Plan = {
    green: {
      steps: [
        { write: "tests/a.test.mjs", text: "" },
        { bash: `python3 -c "open('tests/a.test.mjs','w').write('')"` },
        { bash: "sed -i s/test/test.skip/ tests/a.test.mjs" },
      ],
      sneak: { "tests/a.test.mjs": "" },
    },
  };
  const cheated = kit(["tdd", "green"], cheat);
  assert.equal(cheated.json.status, "blocked");
  assert.match(cheated.json.phases[0]!.findings.map((f) => f.rule).join(), /locked-file/);
  const refused = cheated.events.find((e) => e.event === "gate_refused");
  assert.deepEqual([refused?.gate, refused?.data?.["times"]], ["kits/tdd", 3]);
  assert.equal(cheated.events.filter((e) => e.event === "phase_blocked").length > 0, true);
  assert.equal(cheated.artifact("green-refused.txt").match(/BLOCKED kits\/tdd/g)?.length, 3);
  write("tests/a.test.mjs", feature.test);
  const done = kit(["tdd", "green"], { green: greenPlan });
  assert.equal(done.json.status, "ok", JSON.stringify(done.json));
  assert.equal(read("src/add.mjs"), feature.right);
});

test("the exit code goes through; a missing capsule is made from facts", () => {
  const { root, kit } = kitProject(start);
  const done = kit(["math", "survey", "docs/add.md"], { survey: { exit: 7, silent: true } });
  assert.equal(done.status, 7);
  assert.equal(done.events.at(-1)?.exit_code, 7);
  assert.ok(readCapsule(join(root, done.json.paths["capsule"]!)).madeByInterlock);
});

test("a runtime that can't be started, unknown words and bad paths are said plainly", () => {
  const { interlock, kit } = kitProject(start);
  const gone = kit(
    ["math", "survey", "docs/add.md"],
    {},
    { INTERLOCK_KIT_RUNTIME: "claude", INTERLOCK_KIT_CLAUDE: "/no/such/claude" },
  );
  assert.equal(gone.status, 127);
  assert.match(gone.stderr, /could not be started: ENOENT/);
  const rows: [string[], RegExp][] = [
    [["kit", "tdd", "rde", "x"], /did you mean red/],
    [["kit", "tddd"], /unknown kit/],
    [["kit", "tdd", "red"], /takes: path/],
    [["kit", "tdd", "red", "../x.md"], /holds '\.\.'/],
    [["kit", "tdd", "red", "--runtime=x"], /begins with '-'|option/],
    [["kit", "research", "survey", "--x"], /option/],
    [["kit", "tdd", "red", "docs/none.md"], /there is no such file\. Write it first/],
    [["kit", "math", "prove", "specs/none.md"], /there is no such file/],
    [["kit", "--run-id", "abc", "tdd", "green"], /"abc" is no run id/],
    [["kit", "--max-cycles", "many", "research", "program"], /--max-cycles wants a whole number/],
  ];
  for (const [args, says] of rows) {
    const { status, stderr } = interlock(args);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, says, args.join(" "));
  }
  const { total } = JSON.parse(interlock(["run", "list", "--json"]).stdout) as { total: number };
  assert.equal(total, 1, "what was mistyped left no run");
  assert.match(interlock(["kit", "research", "status"]).stdout, /No run of research yet/);
});

test("full: every phase its own session with only the capsule before it, one run, one commit", () => {
  const { kit, interlock, read } = kitProject({ ...start, ".gitignore": "runs/\nplan.json\n" });
  const done = kit(["tdd", "full", "docs/add.md"], {
    red: { ...redPlan, says: "a test for add" },
    green: { ...greenPlan, says: "add adds" },
    refactor: {},
    breadcrumbs: {
      steps: [
        { write: "LAST_TOUCH.md", text: "add works\n" },
        { write: "src/add.mjs", text: "" },
      ],
    },
  });
  assert.equal(done.json.status, "ok", done.stderr);
  assert.deepEqual(
    done.json.phases.map((p) => [p.phase, p.status]),
    [
      ["red", "ok"],
      ["green", "ok"],
      ["refactor", "ok"],
      ["breadcrumbs", "ok"],
    ],
  );
  assert.equal(read("src/add.mjs"), feature.right, "breadcrumbs writes no code");
  assert.match(done.artifact("green-prompt.txt"), /> What happened: a test for add/);
  assert.match(done.artifact("refactor-prompt.txt"), /> What happened: add adds/);
  assert.doesNotMatch(done.artifact("refactor-prompt.txt"), /a test for add/, "only the phase before");
  assert.ok(read(`runs/${done.json.run_id}/capsules/tdd_full.md`));
  assert.ok(read(`runs/${done.json.run_id}/manifests/tdd_full.json`));
  assert.ok(done.events.some((e) => e.event === "committed"));
  const shown = interlock(["run", "show", done.json.run_id]);
  assert.match(shown.stdout, /tdd\.full docs\/add\.md[^]*ok/);
});

const sections = [
  ...["Hypothesis", "Independent Variables", "Controls", "Metrics", "Baselines", "Success Criteria"],
  ...["Minimum Viable Experiment", "Full Protocol", "Resource Budget", "Abort Criteria", "Confounds"],
];
const spec = (name: string) => `# ${name}\n${sections.map((h) => `## ${h}\nx\n`).join("")}\nTier: Quick\n`;
const metrics = JSON.stringify({
  ...{ experiment: "e", timestamp: "t", baseline: {}, treatment: {}, per_seed: [], sanity_checks: {} },
  resource_usage: { gpu_hours: 0, wall_clock_seconds: 1, total_training_steps: 0, total_runs: 1 },
  ...{ abort_triggered: false, abort_reason: null, notes: "" },
});
const researchPlan = (name: string): Plan => ({
  frame: { steps: [{ write: `experiments/${name}.md`, text: spec(name) }] },
  run: { steps: [{ write: `results/${name}/metrics.json`, text: metrics }] },
  read: { steps: [{ write: `results/${name}/analysis.md`, text: "## Verdict: CONFIRMED\n" }] },
  log: { steps: [{ bash: "echo done >> RESEARCH_LOG.md" }] },
  synthesize: { steps: [{ write: "SYNTHESIS.md", text: "all done\n" }] },
});

test("research cycle, and a cycle whose agent moves the goalposts", () => {
  const { kit } = kitProject();
  const done = kit(["research", "cycle", "experiments/exp-1.md"], researchPlan("exp-1"));
  assert.equal(done.json.status, "ok", JSON.stringify(done.json.phases));
  const plan = researchPlan("exp-2");
  plan["run"]!.sneak = { "experiments/exp-2.md": spec("easier") };
  const moved = kit(["research", "cycle", "experiments/exp-2.md"], plan);
  assert.deepEqual(
    moved.json.phases.map((p) => [p.phase, p.status]),
    [
      ["frame", "ok"],
      ["run", "blocked"],
    ],
  );
  const empty = kit(["research", "run", "experiments/exp-1.md"], { run: {} });
  assert.equal(empty.json.status, "ok", "its results are there from before");
});

test("research program takes the open questions in order and ends with a synthesis", () => {
  const { kit, read } = kitProject({
    "QUESTIONS.md": `| Priority | Question | Status | Parent | Blocker | Decision Gate | Experiments |
|---|---|---|---|---|---|---|
| P1 | Does A help | Not started | - | - | - | - |
| P2 | Is B known | Answered | - | - | - | - |
`,
  });
  const done = kit(["research", "program"], researchPlan("does-a-help-1"));
  assert.equal(done.json.status, "ok", JSON.stringify(done.json.phases));
  assert.equal(read("SYNTHESIS.md"), "all done\n");
  const state = JSON.parse(done.artifact("program_state.json")) as {
    cycles_completed: number;
    termination_reason: string;
  };
  assert.deepEqual([state.cycles_completed, state.termination_reason], [1, "no open question is left"]);
});

const statement = "theorem a : 1 = 1 := by\n  sorry\n";
const mathPlan = (): Plan => ({
  formalize: { steps: [{ write: "A.lean", text: statement }] },
  prove: { steps: [{ write: "A.lean", text: statement.replace("sorry", "rfl") }] },
  audit: { steps: [{ write: "CONSTRUCTION_LOG.md", text: "axiom: 0\n" }] },
});

test("math full, with a revision that is asked for once", () => {
  const { kit, read } = kitProject({ "specs/a.md": "# A\n" });
  const done = kit(["math", "full", "specs/a.md"], mathPlan());
  assert.equal(done.json.status, "ok", JSON.stringify(done.json.phases));
  assert.deepEqual(
    done.json.phases.map((p) => p.phase),
    ["survey", "specify", "construct", "formalize", "prove", "polish", "audit", "log"],
  );
  const plan = mathPlan();
  plan["audit"] = { steps: [{ bash: "echo 'restart_from: FORMALIZE' > REVISION.md" }] };
  plan["formalize"] = {};
  const loop = kit(["math", "full", "specs/a.md"], plan);
  assert.equal(loop.json.status, "failed", "it asks for a revision every time");
  assert.equal(loop.events.filter((e) => e.event === "revision_requested").length, 4);
  assert.equal(read("REVISION.md"), undefined);
  const listed = kitProject({
    "specs/a.md": "# A\n",
    "CONSTRUCTIONS.md": "| Name | Spec | Status | Depends |\n|---|---|---|---|\n| A | specs/a.md | Not started | - |\n",
  });
  const program = listed.kit(["math", "program"], mathPlan());
  assert.equal(program.json.status, "ok", JSON.stringify(program.json.phases));
});

test("what a person allowed does not block the phase's end; what was not allowed does", () => {
  const files = { ...start, "src/add.mjs": feature.wrong, "tests/add.test.mjs": feature.test };
  const corrected = feature.test.replace("add(1, 2), 3", "add(1, 3), 4");
  const steps = [
    { write: "tests/add.test.mjs", text: corrected },
    { write: "src/add.mjs", text: feature.right },
    { bash: "true" },
  ];
  const first = kitProject(files);
  const done = first.kit(["tdd", "green"], { green: { steps, allowed: grantScript } });
  assert.deepEqual([done.json.status, done.json.phases[0]!.findings], ["ok", []], done.stderr);
  assert.equal(first.read("tests/add.test.mjs"), corrected);
  assert.match(done.artifact("green-refused.txt"), /locked in green/, "it was refused first");
  const later = kitProject(files).kit(["tdd", "green"], {
    green: { steps, allowed: grantScript, sneak: { "tests/add.test.mjs": `${corrected}\n// and more\n` } },
  });
  assert.deepEqual(
    later.json.phases[0]!.findings.map((f) => f.rule),
    ["locked-file"],
    "bound to the content that was allowed",
  );
  const weaker = kitProject({ ...files, "src/add.mjs": feature.right }).kit(["tdd", "refactor"], {
    refactor: {
      steps: [{ write: "tests/add.test.mjs", text: feature.test.replace("assert.equal(add(1, 2), 3)", "add(1, 2)") }],
      allowed: grantScript,
    },
  });
  assert.deepEqual([weaker.json.status, weaker.json.phases[0]!.findings], ["ok", []]);
});

test("a kit's own script under kits/ runs unchanged", () => {
  const { root, kit, write } = kitProject(start);
  const script = "kits/claude-tdd-kit/tdd.sh";
  write(script, '#!/bin/sh\necho "$1 $2 in $RUN_ID"\nexit 5\n');
  chmodSync(join(root, script), 0o755);
  const done = kit(["tdd", "full", "docs/add.md"], {}, { INTERLOCK_KIT_RUNTIME: "script" });
  assert.equal(done.status, 5);
  assert.match(done.stderr, /\[tdd full\] full docs\/add\.md in \d{8}T/);
});

test("a child run keeps the locks of the run that asks, and runs nest three deep at most", () => {
  const { kit, read, write, interlock } = kitProject({ ...start, "tests/add.test.mjs": feature.test });
  const nested = `"${process.execPath}" "$INTERLOCK_KIT_PROGRAM" kit --json math specify docs/add.md`;
  write(
    "child.sh",
    `cat > "$RUN_ROOT/artifacts/prompt"; [ "$MATH_PHASE" ] && echo x > tests/add.test.mjs\n${nested} || true\n`,
  );
  const done = interlock(["kit", "--json", "math", "specify", "docs/add.md"], { INTERLOCK_KIT_RUNTIME: "sh child.sh" });
  assert.ok(done.stdout);
  const tree = JSON.parse(interlock(["run", "list", "--json"]).stdout) as { total: number };
  assert.equal(tree.total, 4, "three below the first");
  const green = kit(["tdd", "green"], { green: greenPlan });
  assert.equal(green.json.status, "blocked", "the test was emptied before");
  assert.ok(read("tests/add.test.mjs"));
});

test("explain tells what a phase variable adds", () => {
  const { interlock } = kitProject({ "tests/a.test.mjs": feature.test });
  const command = ["explain", "--command", "echo x > tests/a.test.mjs"];
  assert.match(interlock(command).stdout, /answer: pass/);
  assert.match(interlock(command, { TDD_PHASE: "green" }).stdout, /BLOCKED kits\/tdd[^]*tests are locked in green/);
});
