// interlock ci with the built program, on real repositories and clones as a runner has them.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CiProject, program, rulesIn, stateOf } from "./ci-project.js";

const intents = (scope: string) =>
  `active_intents:\n  - id: INT-1\n    name: Auth\n    status: IN_PROGRESS\n    owned_scope: [${scope}]\n`;
const intentsFile = ".orchestration/active_intents.yaml";

test("an agent's lines outside its intent's scope fail; without notes that is not checkable", async () => {
  const project = new CiProject({ [intentsFile]: intents("src/auth/**") });
  const { root } = project.work;
  await project.agentCommit("INT-1", "src/auth/a.ts", "feat: in scope\n\nIntent: INT-1\n");
  const fine = project.json(root);
  assert.equal(fine.status, 0);
  assert.equal(fine.commits, 1);
  assert.equal(fine.range.source, "not on origin/HEAD");
  assert.equal(stateOf(fine, "intents"), "passed");
  assert.deepEqual(rulesIn(fine), []);
  assert.equal(stateOf(fine, "sred"), "not-used");
  const outside = await project.agentCommit("INT-1", "src/billing/b.ts", "feat: elsewhere\n\nIntent: INT-1\n");
  const wrong = project.json(root);
  assert.equal(wrong.status, 1);
  assert.deepEqual(rulesIn(wrong), ["intents/out-of-scope"]);
  const [finding] = wrong.checks.find(({ name }) => name === "intents")!.findings;
  assert.equal(finding?.commit, outside);
  assert.equal(finding?.file, "src/billing/b.ts");

  project.work.git("push", "-q", "origin", "HEAD:refs/heads/work");
  const clone = project.clone("--branch", "work");
  const blind = project.json(clone, [], { INTERLOCK_HOME: join(project.work.folder, "nowhere") });
  assert.equal(blind.status, 0);
  assert.equal(stateOf(blind, "coverage"), "not-checkable");
  assert.deepEqual(rulesIn(blind), ["intents/maybe-out-of-scope"], "a warning: nobody knows who wrote it");
  const required = project.run(clone, ["--require", "coverage,intents"], { INTERLOCK_HOME: join(clone, "none") });
  assert.equal(required.status, 1);
  assert.match(required.stdout, /coverage +FAILED/);
  // The remedy the output names.
  project.work.git("push", "-q", "origin", "refs/notes/interlock");
  assert.match(required.stdout, /git fetch origin refs\/notes\/interlock:refs\/notes\/interlock/);
  spawnSync("git", ["fetch", "-q", "origin", "refs/notes/interlock:refs/notes/interlock"], { cwd: clone });
  const seen = project.json(clone, [], { INTERLOCK_HOME: join(clone, "none") });
  assert.deepEqual(rulesIn(seen), ["intents/out-of-scope"]);
  assert.equal(stateOf(seen, "coverage"), "partly", "the agent's calls stay uncheckable");
  // Widening the scope is the other remedy.
  project.write(intentsFile, intents("src/**"));
  project.commit("chore: widen");
  assert.deepEqual(rulesIn(project.json(root)), []);
});

test("unknown intents, a broken file and a missing note are told", async () => {
  const project = new CiProject({ [intentsFile]: intents("src/**") });
  const { root } = project.work;
  project.write("src/a.ts", "1\n");
  project.commit("feat: a\n\nIntent: INT-9\n");
  const unknown = project.json(root);
  assert.equal(unknown.status, 1);
  assert.deepEqual(rulesIn(unknown), ["intents/unknown"]);
  project.write(intentsFile, "active_intents:\n  - id: [\n");
  project.commit("chore: break it");
  const broken = project.json(root);
  assert.deepEqual(rulesIn(broken), ["intents/file"]);
  project.write(intentsFile, intents("src/**"));
  project.commit("chore: repair");
  await project.agentCommit("INT-1", "src/b.ts", "feat: b\n\nIntent: INT-1\n");
  project.write("src/c.ts", "1\n");
  const bare = project.commit("feat: c\n\nIntent: INT-1\n");
  const report = project.json(root, ["--range", "HEAD~2..HEAD"]);
  assert.equal(report.status, 0, "a missing trace is a warning");
  const [missing] = report.checks.find(({ name }) => name === "coverage")!.findings;
  assert.deepEqual([missing?.rule, missing?.level, missing?.commit], ["coverage/no-trace", "warning", bare]);
  assert.match(report.checks.find(({ name }) => name === "coverage")!.summary, /^1 of 2 commits/);
});

test("SR&ED trailers are checked where interlock.yaml asks for them; merges are left out", () => {
  const project = new CiProject({ "interlock.yaml": "packs:\n  sred:\n    enabled: true\n" });
  const { root, git } = { root: project.work.root, git: project.work.git.bind(project.work) };
  project.write("a.ts", "1\n");
  project.commit("feat: a\n\nSRED-Type: applied-research\nSRED-Claim: CACHE\n");
  git("switch", "-q", "-c", "side", "HEAD~1");
  project.write("b.ts", "1\n");
  project.commit("docs: b");
  git("switch", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "join the two", "side");
  const fine = project.json(root);
  assert.deepEqual([fine.status, fine.commits, stateOf(fine, "sred")], [0, 3, "passed"]);
  project.write("c.ts", "1\n");
  const bare = project.commit("feat: no trailer");
  const wrong = project.json(root);
  assert.equal(wrong.status, 1);
  assert.deepEqual(rulesIn(wrong), ["sred/trailers", "sred/trailers"]);
  assert.equal(wrong.checks.find(({ name }) => name === "sred")!.findings[0]!.commit, bare);
});

test("checkpoints: malformed, contradicting and going back are told; the record decides where it is", () => {
  const project = new CiProject();
  const { root, env } = project.work;
  const interlock = (args: string[], input = "") =>
    spawnSync(process.execPath, [program, ...args], { cwd: root, env, encoding: "utf8", input });
  const event = { session_id: "s", cwd: root, hook_event_name: "UserPromptSubmit", prompt: "go on" };
  for (let n = 0; n < 3; n++) interlock(["hook", "claude-code"], JSON.stringify(event));
  const trailer = interlock(["checkpoint"]).stdout.trim();
  assert.match(trailer, /^Interlock-Checkpoint: 3:/);
  project.commit(`feat: a\n\n${trailer}\n`);
  const fine = project.json(root);
  assert.deepEqual([fine.status, stateOf(fine, "checkpoints")], [0, "passed"]);
  assert.match(fine.checks[0]!.summary, /agrees up to 3/);
  const elsewhere = project.json(root, [], { INTERLOCK_HOME: join(project.work.folder, "other") });
  assert.equal(stateOf(elsewhere, "checkpoints"), "partly");
  assert.match(elsewhere.checks[0]!.notCheckable[0]!, /no record/);

  const [, key] = /:([0-9a-f]{8}:[0-9a-f]{8})$/.exec(trailer)!;
  project.commit("feat: b\n\nInterlock-Checkpoint: nonsense\n");
  project.commit(`feat: c\n\nInterlock-Checkpoint: 2:000000000000:${key}\n`);
  const wrong = project.json(root);
  assert.equal(wrong.status, 1);
  assert.ok(rulesIn(wrong).includes("checkpoints/malformed"));
  assert.ok(rulesIn(wrong).includes("checkpoints/record"), "the record has another second line");
  // Without the record: dates show that a later commit names an earlier record.
  const later = { GIT_AUTHOR_DATE: "2090-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2090-01-01T00:00:00Z" };
  const commitLater = (message: string) =>
    execFileSync("git", ["commit", "-q", "--allow-empty", "-m", message], { cwd: root, env: { ...env, ...later } });
  commitLater(`feat: d\n\nInterlock-Checkpoint: 1:111111111111:${key}`);
  const blind = project.json(root, ["--range", "HEAD~1..HEAD"], { INTERLOCK_HOME: join(root, "../other") });
  assert.deepEqual(rulesIn(blind), ["checkpoints/went-back"]);
  assert.equal(blind.status, 0, "dates prove little: a warning");
  const required = project.json(root, ["--range", "HEAD~1..HEAD", "--require", "checkpoints"], {
    INTERLOCK_HOME: join(root, "../other"),
  });
  assert.equal(required.status, 1);
});

test("one record number with two hashes: an error where both name their record, a warning where they do not", () => {
  const project = new CiProject();
  const { root } = project.work;
  for (const [record, level] of [
    ["", "warning"],
    [":0badc0de", "error"],
  ]) {
    project.commit(`feat: a\n\nInterlock-Checkpoint: 7:aaaaaaaaaaaa:12345678${record}\n`);
    project.commit(`feat: b\n\nInterlock-Checkpoint: 7:bbbbbbbbbbbb:12345678${record}\n`);
    const report = project.json(root, ["--range", "HEAD~1..HEAD"]);
    const found = report.checks.flatMap(({ findings }) => findings);
    assert.deepEqual(
      found.map((one) => [one.rule, one.level]),
      [["checkpoints/contradiction", level]],
    );
  }
});

test("files of kits and interlock.yaml are checked as committed; a link leads nowhere", () => {
  const project = new CiProject();
  const { root } = project.work;
  project.write("interop/requests/r1.json", "{}\n");
  project.write("interlock.yaml", "pakcs: {}\n");
  project.write("secret.txt", "TOP SECRET\n");
  project.write("runs/x/capsules/ok.md", "x\n");
  symlinkSync("../../../secret.txt", join(root, "runs/x/capsules/link.md"));
  project.commit("feat: runs");
  writeFileSync(join(root, "interlock.yaml"), "version: 1\n");
  const report = project.json(root);
  assert.equal(report.status, 1);
  const rules = new Set(rulesIn(report));
  for (const rule of ["validators/request", "validators/config", "validators/capsule"])
    assert.ok(rules.has(rule), rule);
  assert.ok(!JSON.stringify(report).includes("TOP SECRET"));
});

test("a range that git does not know is an error with its remedy; an empty one is nothing to check", () => {
  const project = new CiProject();
  const { root } = project.work;
  assert.equal(project.run(root, ["--range", "nowhere..HEAD"]).status, 2);
  assert.match(project.run(root, ["--range", "nowhere..HEAD"]).stderr, /"nowhere" is no commit in this clone/);
  assert.equal(project.run(root, ["--range", "--output=x..HEAD"]).status, 2);
  assert.equal(project.run(root, ["--require", "intent"]).status, 2);
  assert.match(project.run(root, ["--require", "intent"]).stderr, /did you mean intents/);
  assert.equal(project.run(root, ["--json", "--sarif"]).status, 2);
  assert.equal(project.run(root, ["--write", "x.txt"]).status, 2);
  assert.equal(project.run("/", []).status, 2);
  const empty = project.run(root, ["--range", "HEAD..HEAD"]);
  assert.equal(empty.status, 0);
  assert.match(empty.stdout, /no commit in the range; nothing to check/);
});

test("a shallow clone that ends inside the range fails with the remedy", () => {
  const project = new CiProject();
  const first = project.work.git("rev-parse", "HEAD").trim();
  for (const name of ["a", "b", "c"]) {
    project.write(name, name);
    project.commit(`feat: ${name}`);
  }
  project.work.git("push", "-q", "origin", "main");
  const clone = project.clone("--depth", "2");
  const unknown = project.run(clone, ["--range", `${first}..HEAD`]);
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /shallow; fetch the whole history/);
  // A base that is fetched alone does not join the two ends.
  spawnSync("git", ["fetch", "-q", "--depth=1", "origin", first], { cwd: clone });
  const cut = project.json(clone, ["--range", `${first}..HEAD`]);
  assert.deepEqual([cut.status, cut.incomplete, cut.commits], [1, true, 2]);
  spawnSync("git", ["fetch", "-q", "--unshallow"], { cwd: clone });
  const whole = project.json(clone, ["--range", `${first}..HEAD`]);
  assert.deepEqual([whole.status, whole.incomplete, whole.commits], [0, false, 3]);
});
