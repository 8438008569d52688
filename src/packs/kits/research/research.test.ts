// The rules of kits/research, phase by phase, and the contracts of its documents.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  edit,
  kitOptions,
  type PhaseRow,
  phaseRows,
  phaseStage,
  startPhase,
  write,
} from "../../../../test/kits/phase-stage.js";
import { phaseFindings } from "../phase-snapshot.js";
import {
  analysisFindings,
  handoffFindings,
  metricsFindings,
  nextQuestion,
  questionsIn,
  specFindings,
  verdictIn,
} from "./research-documents.js";

const metrics = JSON.stringify({
  experiment: "exp-002",
  timestamp: "2026-02-13T09:15:00Z",
  baseline: {},
  treatment: { accuracy: 0.9 },
  per_seed: [],
  sanity_checks: {},
  resource_usage: { gpu_hours: 0, wall_clock_seconds: 1, total_training_steps: 1, total_runs: 1 },
  abort_triggered: false,
  abort_reason: null,
  notes: "",
});
const spec = `# Experiment
## Hypothesis
More data raises accuracy by 2 points.
## Independent Variables
## Controls
## Metrics
Primary
- accuracy
## Baselines
## Success Criteria
## Minimum Viable Experiment
## Full Protocol
## Resource Budget
Tier: Quick
## Abort Criteria
## Confounds
`;
const files = {
  "experiments/exp-001.md": spec,
  "experiments/exp-002.md": spec,
  "results/exp-001/metrics.json": metrics,
  "results/exp-002/config.json": "{}",
  "src/a.py": "x = 1\n",
  "train.py": "x = 1\n",
  "QUESTIONS.md": "# Questions\n",
  "RESEARCH_LOG.md": "# Log\n",
  "configs/base.yaml": "lr: 1\n",
};
const record = { subject: "experiments/exp-002.md", results: "results/exp-002" };

phaseRows({ kit: "research", phase: "survey", files, record }, [
  { name: "notes", ...write("notes/survey.md") },
  { name: "questions", ...edit("QUESTIONS.md", "Questions", "Open questions") },
  { name: "reading results", bash: "jq . results/exp-001/metrics.json 2>/dev/null" },
  { name: "source", ...write("src/a.py"), refused: /changes no code/ },
  { name: "a spec", ...write("experiments/exp-003.md"), refused: /exp-003/ },
  { name: "training", bash: "python train.py", refused: /run phase only/ },
]);

phaseRows({ kit: "research", phase: "frame", files, record }, [
  { name: "the spec", ...write("experiments/exp-003.md", spec) },
  { name: "defect 1.2: the designer writes source", ...write("src/a.py"), refused: /frame designs/ },
  { name: "source through the shell", bash: "echo x > configs/base.yaml", refused: /configs\/base\.yaml/ },
  { name: "results", ...write("results/exp-002/metrics.json", metrics), refused: /metrics\.json/ },
]);

phaseRows({ kit: "research", phase: "run", files, record }, [
  { name: "source", ...write("src/a.py") },
  { name: "configs", ...edit("configs/base.yaml", "1", "2") },
  { name: "its own results", ...write("results/exp-002/metrics.json", metrics) },
  { name: "its own results through the shell", bash: "echo x > results/exp-002/train.log" },
  { name: "training", bash: "python train.py > results/exp-002/train.log 2>&1" },
  { name: "defect 1.2: pip install numpy", bash: "pip install numpy" },
  { name: "the frozen spec", ...edit("experiments/exp-002.md", "2 points", "0 points"), refused: /frozen/ },
  { name: "the frozen spec through the shell", bash: "sed -i s/2/0/ experiments/exp-002.md", refused: /frozen/ },
  { name: "a new spec", ...write("experiments/exp-003.md"), refused: /frozen/ },
  {
    name: "defect 1.2: earlier results",
    ...write("results/exp-001/metrics.json", metrics),
    refused: /earlier results/,
  },
  { name: "earlier results through the shell", bash: "rm -r results/exp-001", refused: /earlier results/ },
  { name: "the log", ...edit("RESEARCH_LOG.md", "Log", "Log 2"), refused: /RESEARCH_LOG/ },
  { name: "the log through the shell", bash: "echo done >> RESEARCH_LOG.md", refused: /RESEARCH_LOG/ },
  { name: "metrics without their fields", ...write("results/exp-002/metrics.json", '{"a":1}'), refused: /is missing/ },
]);

const analysis = "# Analysis of experiments/exp-002.md\n\naccuracy rose.\n\n## Verdict: CONFIRMED\n";
const read: PhaseRow[] = [
  { name: "defect 1.2: analysis.md that mentions a spec", ...write("results/exp-002/analysis.md", analysis) },
  { name: "the log", ...edit("RESEARCH_LOG.md", "Log", "Log 2") },
  { name: "defect 1.2: jq with 2>/dev/null", bash: "jq . results/exp-001/metrics.json 2>/dev/null" },
  {
    name: "python that only reads",
    bash: `python3 -c "import json; print(json.load(open('results/exp-001/metrics.json')))"`,
  },
  { name: "defect 1.2: source", ...write("src/a.py"), refused: /changes no code/ },
  { name: "source through the shell", bash: "echo x > src/a.py", refused: /src\/a\.py/ },
  { name: "metrics", ...write("results/exp-002/metrics.json", metrics), refused: /metrics\.json/ },
  { name: "metrics through the shell", bash: "cp /tmp/m.json results/exp-001/metrics.json", refused: /metrics/ },
  { name: "the spec", ...edit("experiments/exp-002.md", "2 points", "0 points"), refused: /exp-002\.md/ },
  { name: "training", bash: "python train.py", refused: /run phase only/ },
  { name: "defect 1.2: uv run python3 train.py", bash: "uv run python3 train.py", refused: /run phase only/ },
  { name: "evaluating", bash: "./eval.sh --quick", refused: /run phase only/ },
  { name: "a module", bash: "python -m train", refused: /run phase only/ },
  {
    name: "an analysis that leaves a metric out",
    ...write("results/exp-001/analysis.md", "## Verdict: CONFIRMED\nIt got better.\n"),
    refused: /"accuracy" is not addressed/,
  },
  {
    name: "an analysis that names a metric in other words",
    ...write("results/exp-001/analysis.md", "The Accuracy rose.\n## Verdict: CONFIRMED\n"),
  },
  { name: "a wrong verdict", ...write("results/exp-002/analysis.md", "## Verdict: MAYBE\n"), refused: /verdict/ },
];
phaseRows({ kit: "research", phase: "read", files, record }, read);
phaseRows(
  { kit: "research", phase: "read", files, by: "variable" },
  read.map((r) => ({ ...r, name: `EXP_PHASE alone: ${r.name}` })),
);

phaseRows({ kit: "research", phase: "log", files, record }, [
  { name: "the log", bash: "echo '- exp-002: CONFIRMED' >> RESEARCH_LOG.md" },
  { name: "committing", bash: "git add -A && git commit -m 'Log exp-002'" },
  { name: "a branch", bash: "git checkout -b exp/002" },
  { name: "source", ...write("src/a.py"), refused: /log writes/ },
  { name: "a spec", ...edit("experiments/exp-002.md", "2", "3"), refused: /log writes/ },
]);

phaseRows({ kit: "research", phase: "synthesize", files, record }, [
  { name: "SYNTHESIS.md", ...write("SYNTHESIS.md") },
  { name: "a query", bash: "grep -c CONFIRMED RESEARCH_LOG.md 2>&1" },
  {
    name: "defect 1.2: source that mentions SYNTHESIS.md",
    ...write("src/a.py", "# SYNTHESIS.md"),
    refused: /SYNTHESIS\.md only/,
  },
  { name: "the log", ...edit("RESEARCH_LOG.md", "Log", "x"), refused: /SYNTHESIS\.md only/ },
  { name: "a shell write", bash: "tee notes.md < QUESTIONS.md", refused: /notes\.md/ },
  { name: "evaluating", bash: "python eval.py", refused: /run phase only/ },
]);

test("every metric is addressed by name", () => {
  const figures = JSON.stringify({ treatment: { val_loss: 1, acc: 2, note: "x" }, baseline: { "F1-score": 0.5 } });
  const text = "## Verdict: REFUTED\n";
  assert.equal(analysisFindings(text, figures).length, 3);
  assert.deepEqual(analysisFindings(`${text}The val loss, acc (2 points) and f1_score fell.`, figures), []);
  assert.match(analysisFindings(`${text}val_losses, accuracy, F1-score`, figures).join(), /val_loss.*acc/);
  assert.deepEqual(analysisFindings(text, "no JSON"), []);
  const odd = JSON.stringify({ treatment: { "acc@[.5:.95]": 1 } });
  assert.deepEqual(analysisFindings(`${text}acc@[.5:.95] = 1`, odd), []);
});

test("kits/research: what a reading must leave behind", (t) => {
  const made = phaseStage(t, { kit: "research", phase: "read", files, record });
  writeFileSync(join(made.root, "results/exp-002/metrics.json"), metrics);
  const own = startPhase(made, { kit: "research", phase: "read", record });
  const found = () => phaseFindings(made.root, own, kitOptions).map((f) => f.what);
  assert.match(found().join(), /analysis\.md: it is missing/);
  made.write("results/exp-002/analysis.md", "## Verdict: CONFIRMED\n");
  assert.deepEqual(found(), ['results/exp-002/analysis.md: the metric "accuracy" is not addressed']);
  made.write("results/exp-002/analysis.md", "accuracy: 0.9\n\n## Verdict: CONFIRMED\n");
  assert.deepEqual(found(), []);
});

test("document contracts", () => {
  assert.deepEqual(specFindings(spec), []);
  assert.match(specFindings("# x\n").join(), /Hypothesis.*Tier/s);
  assert.match(specFindings(spec.replace("- accuracy", "- a\n- b\n- c")).join(), /3 primary metrics/);
  assert.deepEqual(metricsFindings(metrics), []);
  assert.match(metricsFindings("nope").join(), /not JSON/);
  assert.equal(verdictIn("## Verdict: REFUTED because"), "REFUTED");
  assert.equal(verdictIn("Verdict: REFUTED"), undefined);
  assert.deepEqual(
    handoffFindings("# Handoff: GPU\n\n## Date\n## Reason\n## What Is Needed\n## After Resolution\n"),
    [],
  );
  assert.equal(handoffFindings("# x\n").length, 5);
  const table = `| Priority | Question | Status | Parent | Blocker | Decision Gate | Experiments |
|---|---|---|---|---|---|---|
| P1 | Does A help? | Answered | - | - | - | exp-001 |
| P2 | Does B help? | Not started | - | - | | |
| P2 | Does C help? | In progress | - | - | ship or not | |
| P0 | Does D help? | Blocked | - | GPU | - | |
`;
  assert.equal(questionsIn(table).length, 4);
  assert.equal(nextQuestion(questionsIn(table), new Set())?.question, "Does C help?");
  assert.equal(nextQuestion(questionsIn(table), new Set(["Does C help?"]))?.question, "Does B help?");
});

test("kits/research: what a run must leave behind", (t) => {
  const made = phaseStage(t, { kit: "research", phase: "run", files, record });
  const own = startPhase(made, { kit: "research", phase: "run", record });
  assert.match(
    phaseFindings(made.root, own, kitOptions)
      .map((f) => f.what)
      .join(),
    /exp-002\/metrics\.json: it is missing/,
  );
  mkdirSync(join(made.root, "results/exp-002"), { recursive: true });
  writeFileSync(join(made.root, "results/exp-002/metrics.json"), metrics);
  assert.deepEqual(phaseFindings(made.root, own, kitOptions), []);
  appendFileSync(join(made.root, "experiments/exp-002.md"), "\nnow easier\n");
  assert.match(phaseFindings(made.root, own, kitOptions)[0]!.what, /exp-002\.md was changed/);
});

test("kits/research: with EXP_PHASE alone the folder that EXP_RESULTS_DIR names is the run's own", async (t) => {
  const made = phaseStage(t, { kit: "research", phase: "run", files, by: "variable" });
  made.env = { EXP_PHASE: "run", EXP_RESULTS_DIR: "./results/exp-002/" };
  const call = (path: string) => made.call("Write", { file_path: join(made.root, path), content: "x" });
  assert.equal((await call("results/exp-002/notes.txt")).outcome, "pass");
  assert.equal((await call("results/exp-001/notes.txt")).outcome, "deny");
});
