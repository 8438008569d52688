// The seed's three flows through request and pump, with the built program: one kit asks another for work, gets pointers
// back, and from the asking run's id alone the whole story is told. No transcript text crosses.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { agentScript, feature, kitProject, type Plan, program } from "./kit-project.js";

const secret = "words-of-the-transcript";

/** A project whose PATH has `interlock` and a `lake` that builds nothing, and whose kits all use the scripted agent. */
function flowProject(files: Record<string, string>) {
  const made = kitProject(files);
  const bin = join(made.home, "bin");
  mkdirSync(bin, { recursive: true });
  const tool = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  tool("interlock", `exec "${process.execPath}" "${program}" "$@"`);
  tool("lake", 'echo "lake $*" >> "$HOME/lake.log"; echo "Build completed successfully."');
  const more = {
    INTERLOCK_KIT_RUNTIME: `"${process.execPath}" "${agentScript}"`,
    PATH: `${bin}${delimiter}${made.env["PATH"]}`,
  };
  return { ...made, play: (args: string[], plan: Plan) => made.kit(args, plan, more) };
}

const ask = (id: string, action: string, ...options: string[]) => [
  { bash: `echo ${secret}; interlock request ${action} --id ${id} ${options.join(" ")}` },
  { bash: `interlock pump --request ${id}` },
];

interface Response {
  status: string;
  child_run_id: string;
  capsule_path: string;
  manifest_path: string;
  deliverables: string[];
  missing_deliverables?: string[];
}

interface Node {
  run_id: string;
  action: string;
  status: string;
  handoffs: { request_id: string; status: string; child?: Node }[];
}

type Flow = ReturnType<typeof flowProject>;

function told({ interlock, read, root }: Flow, parent: string, id: string) {
  const response = JSON.parse(read(`interop/responses/${id}.json`) ?? "{}") as Response;
  const tree = (JSON.parse(interlock(["run", "tree", parent, "--json"]).stdout) as { runs: [Node] }).runs[0];
  const handoff = tree.handoffs.find((h) => h.request_id === id);
  assert.equal(handoff?.child?.run_id, response.child_run_id, "the tree leads to the child");
  for (const what of ["capsule", "manifest"] as const) {
    const checked = interlock(["validate", what, response[`${what}_path`]]);
    assert.equal(checked.status, 0, checked.stderr);
  }
  const story = interlock(["run", "replay", parent]).stdout;
  assert.match(story, new RegExp(`request_completed[^]*${id}`));
  // Everything that crosses from one run to the other.
  const crossing = [
    ...["interop/responses", "interop/done"].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => readFileSync(join(root, folder, name), "utf8")),
    ),
    ...readdirSync(join(root, "runs", response.child_run_id, "artifacts"))
      .filter((name) => /prompt|request/.test(name))
      .map((name) => readFileSync(join(root, "runs", response.child_run_id, "artifacts", name), "utf8")),
  ];
  for (const text of crossing) assert.ok(!text.includes(secret), text);
  return { response, child: handoff!.child! };
}

const metrics = JSON.stringify({
  ...{ experiment: "e", timestamp: "t", baseline: {}, treatment: {}, per_seed: [], sanity_checks: {} },
  resource_usage: { gpu_hours: 0, wall_clock_seconds: 1, total_training_steps: 0, total_runs: 1 },
  ...{ abort_triggered: false, abort_reason: null, notes: "" },
});
const statement = "theorem a : 1 = 1 := by\n  sorry\n";

test("flow A: research asks math for a proof", () => {
  const flow = flowProject({ "experiments/e.md": "# E\n", "specs/lemma.md": "# Lemma\n" });
  const must = '--must-read experiments/e.md --deliver "Lemma.lean"';
  const done = flow.play(["research", "run", "experiments/e.md"], {
    "research.run": {
      steps: [...ask("RQ-A", "math.full specs/lemma.md", must), { write: "results/e/metrics.json", text: metrics }],
    },
    "math.specify": { steps: [{ write: "specs/lemma.md", text: "# Lemma\n1 = 1\n" }] },
    "math.formalize": { steps: [{ write: "Lemma.lean", text: statement }] },
    "math.prove": {
      steps: [{ write: "Lemma.lean", text: statement.replace("sorry", "rfl") }, { bash: "lake build 2>&1 | tail -40" }],
    },
    "math.audit": { steps: [{ write: "CONSTRUCTION_LOG.md", text: "axiom: 0, sorry: 0\n" }] },
  });
  assert.equal(done.json.status, "ok", JSON.stringify(done.json) + done.stderr);
  const { response, child } = told(flow, done.json.run_id, "RQ-A");
  assert.deepEqual([response.status, child.action, child.status], ["ok", "math.full", "ok"]);
  assert.deepEqual(response.deliverables, ["Lemma.lean"]);
  assert.match(flow.read("Lemma.lean")!, /rfl/);
  assert.match(readFileSync(join(flow.home, "lake.log"), "utf8"), /lake build/);
});

test("flow B: math asks research for an experiment", () => {
  const flow = flowProject({ "specs/lemma.md": "# L\n", "experiments/c.md": "# C\n", "src/run.py": "x = 1\n" });
  const done = flow.play(["math", "audit", "specs/lemma.md"], {
    "math.audit": {
      steps: [
        ...ask(
          "RQ-B",
          "research.run experiments/c.md",
          '--deliver "results/c/metrics.json" --deliver "results/c/plot.png"',
        ),
        { write: "CONSTRUCTION_LOG.md", text: "the conjecture holds on samples, see results/c\n" },
      ],
    },
    "research.run": {
      steps: [
        { write: "experiments/c.md", text: "easier" },
        { write: "src/run.py", text: "x = 2\n" },
        { write: "results/c/metrics.json", text: metrics },
      ],
    },
  });
  assert.equal(done.json.status, "ok", JSON.stringify(done.json) + done.stderr);
  const { response } = told(flow, done.json.run_id, "RQ-B");
  assert.equal(response.status, "ok");
  assert.deepEqual(response.deliverables, ["results/c/metrics.json"]);
  assert.deepEqual(response.missing_deliverables, ["results/c/plot.png"]);
  assert.equal(flow.read("experiments/c.md"), "# C\n", "frozen for the child");
  assert.equal(flow.read("src/run.py"), "x = 2\n", "the child's rules allow it, so the asking run is not blamed");
});

test("flow C: tdd asks research for a survey, within a budget for reading", () => {
  const flow = flowProject({
    "package.json": feature.package,
    "src/add.mjs": feature.wrong,
    "tests/add.test.mjs": feature.test,
    "big.log": "x\n".repeat(200_000),
    "QUESTIONS.md": "# Questions\n",
  });
  const done = flow.play(["tdd", "green"], {
    "tdd.green": {
      steps: [
        ...ask("RQ-C", 'research.survey "Which way of adding is best"', '--deliver "notes/*.md" --max-files 1'),
        { write: "src/add.mjs", text: feature.right },
      ],
    },
    "research.survey": {
      steps: [
        { read: "big.log" },
        { bash: "cat big.log" },
        { read: "src/add.mjs" },
        { read: "package.json" },
        { write: "tests/add.test.mjs", text: "" },
        { write: "notes/adding.md", text: "plus\n" },
      ],
    },
  });
  assert.equal(done.json.status, "ok", JSON.stringify(done.json) + done.stderr);
  const { response, child } = told(flow, done.json.run_id, "RQ-C");
  assert.deepEqual([response.status, response.deliverables], ["ok", ["notes/adding.md"]]);
  const refused = flow.read(`runs/${child.run_id}/artifacts/survey-refused.txt`)!;
  assert.match(refused, /Read of large file big\.log/);
  assert.match(refused, /interlock query-log errors big\.log/);
  assert.match(refused, /Read budget exceeded[^]*0 of 1 files/);
  assert.match(refused, /BLOCKED kits\/(?:tdd|research)[^]*tests\/add\.test\.mjs/);
  assert.equal(flow.read("tests/add.test.mjs"), feature.test);
});
