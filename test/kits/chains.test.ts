// Chains through the built program: what ship does with git, how a program keeps its limits, batches, scripts of kits.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { feature, kitProject, type Plan } from "./kit-project.js";

const start = {
  ".gitignore": "plan.json\n",
  "package.json": feature.package,
  "docs/add.md": "# Add\n",
  "docs/sub.md": "# Subtract\n",
  "src/add.mjs": feature.right,
};
const crumbs: Plan = { breadcrumbs: { steps: [{ write: "LAST_TOUCH.md", text: "done\n" }] } };

function gitProject(files: Record<string, string>) {
  const made = kitProject(files);
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: made.root, env: { ...process.env, ...made.env }, encoding: "utf8" }).trim();
  git("checkout", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  return { ...made, git };
}

test("ship commits on a branch of its own and pushes nothing unless told", () => {
  const { kit, git, root, home } = gitProject(start);
  const origin = join(home, "origin.git");
  execFileSync("git", ["init", "-q", "--bare", origin]);
  git("remote", "add", "origin", origin);
  const main = git("rev-parse", "main");
  const done = kit(["tdd", "ship", "docs/add.md"], crumbs);
  assert.equal(done.json.status, "ok", done.stderr);
  assert.equal(git("symbolic-ref", "--short", "HEAD"), "tdd/add");
  assert.equal(git("rev-parse", "main"), main, "main stays");
  assert.equal(git("log", "-1", "--format=%s"), "Add add");
  assert.doesNotMatch(git("ls-tree", "-r", "--name-only", "HEAD"), /^(?:runs|interop)\//m);
  assert.equal(git("ls-remote", "origin"), "", "nothing was pushed");
  // With everything asked for; `gh` is a stand-in that writes down how it was called.
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/gh"), `#!/bin/sh\necho "$@" > ${home}/gh.txt\necho https://example.org/pull/1\n`);
  chmodSync(join(home, "bin/gh"), 0o755);
  git("switch", "-q", "main");
  const path = { PATH: `${join(home, "bin")}:${process.env["PATH"]}` };
  const all = kit(["--pr", "--archive-spec", "tdd", "ship", "docs/sub.md"], crumbs, path);
  assert.equal(all.json.status, "ok", all.stderr);
  assert.match(git("ls-remote", "origin"), /refs\/heads\/tdd\/sub$/);
  assert.match(readFileSync(join(home, "gh.txt"), "utf8"), /pr create --fill --head tdd\/sub --base main/);
  assert.equal(existsSync(join(root, "docs/sub.md")), false);
  assert.match(git("log", "-1", "--format=%s"), /^Archive docs\/sub\.md/);
  assert.ok(all.events.some((e) => e.event === "pull_request_opened"));
});

test("ship fails when nothing can be committed or pushed, and says what to do", () => {
  const { kit, root, git } = gitProject(start);
  writeFileSync(join(root, ".git/hooks/pre-commit"), "#!/bin/sh\necho no >&2\nexit 1\n");
  chmodSync(join(root, ".git/hooks/pre-commit"), 0o755);
  const refused = kit(["tdd", "ship", "docs/add.md"], crumbs);
  assert.deepEqual([refused.status, refused.json.status], [1, "failed"]);
  assert.match(refused.json.phases[0]!.findings[0]!.what, /git commit: no/);
  writeFileSync(join(root, ".git/hooks/pre-commit"), "#!/bin/sh\n");
  git("switch", "-q", "main");
  const pushed = kit(["--push", "tdd", "ship", "docs/add.md"], crumbs);
  assert.match(pushed.json.phases[0]!.findings[0]!.what, /no remote "origin"/);
});

const sections = [
  ...["Hypothesis", "Independent Variables", "Controls", "Metrics", "Baselines", "Success Criteria"],
  ...["Minimum Viable Experiment", "Full Protocol", "Resource Budget", "Abort Criteria", "Confounds"],
];
const spec = (more = "") => `# E\n${sections.map((h) => `## ${h}\nx\n`).join("")}\nTier: Quick\n${more}`;
const metrics = (gpu = 0) =>
  JSON.stringify({
    ...{ experiment: "e", timestamp: "t", baseline: {}, treatment: {}, per_seed: [], sanity_checks: {} },
    resource_usage: { gpu_hours: gpu, wall_clock_seconds: 1, total_training_steps: 0, total_runs: 1 },
    ...{ abort_triggered: false, abort_reason: null, notes: "" },
  });
const questions = `| Priority | Question | Status | Parent | Blocker | Decision Gate | Experiments |
|---|---|---|---|---|---|---|
| P1 | Does A help | Not started | - | - | - | - |
`;
const cyclePlan = (name: string, verdict: string, gpu = 0): Plan => ({
  frame: { steps: [{ write: `experiments/${name}.md`, text: spec() }] },
  run: {
    steps: [
      { write: `results/${name}/metrics.json`, text: metrics(gpu) },
      { write: "src/a.py", text: "changed = True\n" },
      { write: "configs/new.yaml", text: "lr: 2\n" },
      { write: "data/kept.txt", text: "out\n" },
    ],
  },
  read: { steps: [{ write: `results/${name}/analysis.md`, text: `## Verdict: ${verdict}\n` }] },
  log: { steps: [{ bash: "echo done >> RESEARCH_LOG.md" }] },
  synthesize: { steps: [{ write: "SYNTHESIS.md", text: "done\n" }] },
});

test("research program: a refuted cycle takes its code back and keeps it as a patch; a confirmed one stays", () => {
  const files = { ".gitignore": "plan.json\ndata/kept.txt\n", "QUESTIONS.md": questions, "src/a.py": "x = 1\n" };
  const { kit, read, git, write } = gitProject(files);
  write("src/mine.py", "not committed = yet\n");
  const refuted = kit(["--max-cycles", "1", "research", "program"], cyclePlan("does-a-help-1", "REFUTED"));
  assert.equal(refuted.json.status, "ok", JSON.stringify(refuted.json.phases));
  assert.deepEqual(
    [read("src/a.py"), read("configs/new.yaml"), read("src/mine.py"), read("data/kept.txt")],
    ["x = 1\n", undefined, "not committed = yet\n", "out\n"],
    "as before the cycle; what was not committed stays, what git ignores too",
  );
  assert.equal(read("results/does-a-help-1/metrics.json"), metrics());
  assert.equal(git("diff", "--cached", "--name-only"), "", "the index is the user's");
  const patch = refuted.artifact("reverted-1.patch");
  assert.match(patch, /\+changed = True[^]*|[^]*\+lr: 2/);
  const state = JSON.parse(refuted.artifact("program_state.json")) as Record<string, unknown>;
  assert.deepEqual([state["reverts"], state["cycles_completed"]], [1, 1]);
  const confirmed = kit(["--max-cycles", "1", "research", "program"], cyclePlan("does-a-help-1", "CONFIRMED"));
  assert.equal(confirmed.json.status, "ok");
  assert.equal(read("src/a.py"), "changed = True\n");
  const kept = kit(["--max-cycles", "1", "--keep-code", "research", "program"], {
    ...cyclePlan("does-a-help-1", "INCONCLUSIVE"),
  });
  assert.deepEqual([kept.json.status, read("configs/new.yaml")], ["ok", "lr: 2\n"]);
});

test("research program ends at its GPU hours, and an experiment out of time leaves metrics that say so", () => {
  const { kit, read } = gitProject({ "QUESTIONS.md": questions });
  const spent = kit(["--max-gpu-hours", "5", "research", "program"], cyclePlan("does-a-help-1", "INCONCLUSIVE", 6));
  const state = JSON.parse(spent.artifact("program_state.json")) as Record<string, unknown>;
  assert.deepEqual([state["termination_reason"], state["gpu_hours_used"]], ["6 GPU hours are used", 6]);
  const slow = cyclePlan("late", "CONFIRMED");
  slow["run"] = { steps: [{ bash: "sleep 60" }] };
  slow["frame"] = { steps: [{ write: "experiments/late.md", text: spec() }] };
  const late = kit(["--time-budget", "2", "research", "cycle", "experiments/late.md"], slow);
  assert.equal(late.status, 124);
  const left = JSON.parse(read("results/late/metrics.json")!) as Record<string, unknown>;
  assert.deepEqual([left["abort_triggered"], left["abort_reason"]], [true, "out of time"]);
});

test("research batch runs every spec, each with files of its own, and fails if one did", () => {
  const { kit, read } = kitProject({ "experiments/a.md": spec(), "experiments/b.md": spec() });
  const done = kit(["research", "batch", "experiments/a.md", "experiments/b.md"], {
    run: { steps: [{ write: "results/b/metrics.json", text: metrics() }] },
  });
  assert.equal(done.json.status, "blocked", "the first has no metrics");
  const ended = done.events.filter((e) => e.event === "phase_finished").map((e) => e.status);
  assert.deepEqual(ended, ["blocked", "ok"]);
  for (const name of ["research_run", "research_run_2", "research_batch"])
    assert.ok(read(`runs/${done.json.run_id}/capsules/${name}.md`), name);
});

test("a kit's script is found by its name, by its verbs, or where the settings say", () => {
  const { root, interlock, write } = kitProject({ "experiments/a.md": spec(), "specs/a.md": "# A\n" });
  const script = (path: string, text: string) => {
    write(path, text);
    chmodSync(join(root, path), 0o755);
  };
  const said = (...args: string[]) => interlock(["kit", ...args]).stderr;
  script("kits/claude-research-kit/install.sh", "#!/bin/sh\necho install\n");
  script("kits/claude-research-kit/experiment.sh", '#!/bin/sh\necho "named $1"\n');
  assert.match(said("research", "frame", "experiments/a.md"), /named frame/);
  script("kits/lean-math/scripts/setup.sh", "#!/bin/sh\necho setup\n");
  script(
    "kits/lean-math/scripts/go.sh",
    '#!/bin/sh\ncase "$1" in\n  survey) ;;\n  formalize|prove) ;;\n  audit) ;;\nesac\necho "by verbs $1"\n',
  );
  assert.match(said("math", "survey", "specs/a.md"), /by verbs survey/);
  script("tools/own.sh", '#!/bin/sh\necho "configured $1"\n');
  mkdirSync(join(root, "../home/.config/interlock"), { recursive: true });
  writeFileSync(
    join(root, "../home/.config/interlock/interlock.yaml"),
    "version: 1\npacks:\n  kits:\n    scripts:\n      math: tools/own.sh\n",
  );
  assert.match(said("math", "survey", "specs/a.md"), /configured survey/);
  const byPhase = interlock(["kit", "--json", "--by-phase", "math", "full", "specs/a.md"]);
  const { phases } = JSON.parse(byPhase.stdout) as { phases: { phase: string }[] };
  assert.equal(phases.length, 8, "each phase is a call of the script with a record of its own");
});
