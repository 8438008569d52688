// `interlock lifecycle` as a stranger types it: odd titles, odd repositories, wrong words and damaged files. Written
// before any of them was tried.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { program } from "../server/server.js";
import { lifecycle } from "./drive.js";
import { type FrameworkProject, framework, type Setup, workflowAt } from "./project.js";

const git = (p: FrameworkProject, ...args: string[]) =>
  execFileSync("git", ["-C", p.root, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { encoding: "utf8" });
const commit = (p: FrameworkProject) => git(p, "commit", "-q", "--allow-empty", "-m", "first");
/** A title may begin with a hyphen, so it stands last. */
function startNamed(p: FrameworkProject, title: string) {
  const args = ["start", "feature", "--branch", "--json", "--", title];
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "lifecycle", ...args], {
    cwd: p.cwd,
    env: { ...p.env, INTERLOCK_HOME: p.home },
    encoding: "utf8",
  });
  return { code: status, json: stdout ? JSON.parse(stdout) : {}, err: stderr };
}

/** Without --json, as a person sees it. */
function said(p: FrameworkProject, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "lifecycle", ...args], {
    cwd: p.cwd,
    env: { ...p.env, INTERLOCK_HOME: p.home, NO_COLOR: "1" },
    encoding: "utf8",
  });
  return { code: status, text: stdout + stderr };
}

const titles: [title: string, branch: string][] = [
  ["Add a login page", "feature/add-a-login-page"],
  ["  Ünïcode   façade  ", "feature/unicode-facade"],
  ['don\'t "quote" `me` $HOME', "feature/don-t-quote-me-home"],
  ["src/cli/../etc: a/b\\c", "feature/src-cli-etc-a-b-c"],
  ["ログインページを追加", "feature/ログインページを追加"],
  ["добавить страницу входа", "feature/добавить-страницу-входа"],
  ["🚀 launch 🚀", "feature/launch"],
  ["--help me", "feature/help-me"],
  ["fix.lock", "feature/fix-lock"],
  ["HEAD", "feature/head"],
  ["a\nb\tc", "feature/a-b-c"],
  ["x".repeat(500), `feature/${"x".repeat(50)}`],
  ["one two three four five six seven eight", "feature/one-two-three-four-five-six"],
  ["ALL CAPS: Node 22 -> 24", "feature/all-caps-node-22-24"],
];
for (const [title, branch] of titles)
  test(`a branch for ${JSON.stringify(title.slice(0, 40))}`, (t) => {
    const p = framework(t);
    commit(p);
    const { code, json, err } = startNamed(p, title);
    assert.equal(code, 0, err);
    assert.equal((json["workflow"] as { branch: string }).branch, branch);
    assert.equal(git(p, "branch", "--show-current").trim(), branch);
  });

for (const title of ["!!!", "🚀🚀", "---", "''"])
  test(`a title without letters or digits is asked for again: ${title}`, (t) => {
    const p = framework(t);
    const { code, err } = startNamed(p, title);
    assert.equal(code, 2);
    assert.match(err, /letters or digits|say what the work is/);
    assert.equal(p.has(".isdlc/state.json"), false);
  });

test("a branch that exists is refused with a way on, and nothing is started", (t) => {
  const p = framework(t);
  commit(p);
  git(p, "branch", "feature/login");
  const { code, json } = lifecycle(p, "start", "feature", "login", "--branch");
  assert.equal(code, 1);
  assert.match(`${json["why"]} ${json["next"]}`, /feature\/login is there already.*--name/);
  assert.equal(p.has(".isdlc/state.json"), false);
});

test("a branch in the way of its folder is refused with a way on, and nothing is started", (t) => {
  const p = framework(t);
  commit(p);
  git(p, "branch", "feature");
  const { code, json } = lifecycle(p, "start", "feature", "login", "--branch");
  assert.equal(code, 1);
  assert.match(`${json["why"]} ${json["next"]}`, /branch "?feature"?\b.*in the way.*git branch -m/);
  assert.equal(p.has(".isdlc/state.json"), false);
});

test("a detached HEAD: the branch is made from there, and cancel says how to remove it", (t) => {
  const p = framework(t);
  commit(p);
  git(p, "checkout", "-q", "--detach");
  assert.equal(lifecycle(p, "start", "feature", "login", "--branch").code, 0);
  assert.equal(git(p, "branch", "--show-current").trim(), "feature/login");
  const made = lifecycle(p, "cancel", "--reason", "over").json["made"] as { what: string; by: string }[];
  assert.ok(made.every(({ by }) => by.length > 3));
});

test("a dirty tree: the changes come along, and a cancel loses none of them", (t) => {
  const p = framework(t, { files: { "a.txt": "one\n" } });
  git(p, "add", "a.txt");
  commit(p);
  p.write("a.txt", "two\n");
  p.write("new.txt", "mine\n");
  assert.equal(lifecycle(p, "start", "fix", "login", "--branch").code, 0);
  assert.equal(p.read("a.txt"), "two\n");
  assert.equal(lifecycle(p, "cancel", "--reason", "over", "--remove").code, 0);
  assert.deepEqual([p.read("a.txt"), p.read("new.txt")], ["two\n", "mine\n"]);
  assert.equal(git(p, "branch", "--show-current").trim(), "main");
});

test("no commits yet: start works, cancel leaves a usable repository", (t) => {
  const p = framework(t);
  assert.equal(lifecycle(p, "start", "feature", "login", "--branch").code, 0);
  assert.equal(git(p, "symbolic-ref", "--short", "HEAD").trim(), "feature/login");
  assert.equal(lifecycle(p, "cancel", "--reason", "over", "--remove").code, 0);
  commit(p);
});

test("no git: start without a branch works, with one it says what to do", (t) => {
  const p = framework(t, { branch: false });
  const no = lifecycle(p, "start", "feature", "login", "--branch");
  assert.equal(no.code, 1);
  assert.match(String(no.json["next"]), /git init|without --branch/);
  assert.equal(lifecycle(p, "start", "feature", "login").code, 0);
  assert.equal(lifecycle(p, "cancel", "--reason", "over").code, 0);
});

test("start says in one line that no hook is installed, with the command to run; installed, it does not", (t) => {
  const p = framework(t, { manifest: false });
  const { text } = said(p, "start", "test-run");
  assert.match(text, /hooks are not installed.*nothing is enforced.*interlock init/);
  assert.equal(lifecycle(p, "cancel", "--reason", "x").code, 0);
  const init = spawnSync(process.execPath, [program, "init", "--yes", "--door", "command"], {
    cwd: p.root,
    env: { ...p.env, INTERLOCK_HOME: p.home },
    encoding: "utf8",
  });
  assert.equal(init.status, 0, init.stdout + init.stderr);
  assert.doesNotMatch(said(p, "start", "test-run").text, /not installed/);
});

for (const command of ["init", "status", "next", "advance"])
  test(`${command} says it too where nothing is enforced`, (t) => {
    const p = framework(t, { manifest: false });
    lifecycle(p, "start", "test-run");
    assert.match(said(p, command).text, /hooks are not installed.*interlock init/);
  });

test("after an escalation next names the person's step alone", async (t) => {
  const p = framework(t, { state: workflowAt("06-implementation"), plan: true });
  await p.task("software-developer");
  await p.after("Task", { subagent_type: "software-developer", prompt: "x", description: "x" });
  const failing = "Exit code 1\nFAIL a.test.ts\n  Error: expected 1 to be 2\nTests:       1 failed, 5 total\n";
  for (let i = 0; i < 3; i++) await p.failed("Bash", { command: "npm test" }, failing);
  const { unmet, next } = lifecycle(p, "next").json as unknown as { unmet: { need: string }[]; next: string };
  assert.match(next, /tell the user/);
  assert.deepEqual(
    unmet.map((u) => u.need),
    ["tests"],
    "the check comes after the person's decision",
  );
  const { json } = lifecycle(p, "advance");
  assert.doesNotMatch(String(json["next"]), /\(2\)|validate --articles/);
  const gate = await p.task("sdlc-orchestrator", "advance to the next phase");
  assert.doesNotMatch(gate.text, /\(2\)|validate --articles/);
});

const wrong: [args: string[], expected: RegExp][] = [
  [[], /say what to do[^]*start <workflow>/],
  [["stat"], /did you mean start\?|did you mean status\?/],
  [["advnace"], /did you mean advance\?/],
  [["Start", "feature"], /did you mean start\?/],
  [["start"], /say which workflow: feature, fix/],
  [["start", "bugfix"], /there is no workflow "?bugfix"?.*|choose one of/],
  [["start", "feature", "fix"], /one workflow at a time/],
  [["redo"], /a reason is needed/],
  [["cancel"], /a reason is needed/],
  [["cancel", "--reason", "  "], /a reason is needed/],
  [["cancel", "--reason"], /--reason/],
  [["advance", "now"], /now/],
  [["validate", "--articles"], /--articles/],
  [["start", "feature", "--brnch"], /did you mean --branch/],
  [["next", "--project", "web"], /names no project "web"/],
];
test("wrong words say what to type", async (t) => {
  const p = framework(t);
  for (const [args, expected] of wrong)
    await t.test(args.join(" ") || "(nothing)", () => {
      const { code, text } = said(p, ...args);
      assert.equal(code, 2, text);
      assert.match(text, expected);
      assert.equal(p.has(".isdlc/state.json"), false);
    });
});

const nothingActive: [args: string[], expected: RegExp][] = [
  [["advance"], /no workflow is active[^]*lifecycle start/],
  [["redo", "--reason", "x"], /no workflow is active[^]*lifecycle start/],
  [["cancel", "--reason", "x"], /no workflow is active[^]*lifecycle start/],
  [["validate", "--articles", "I"], /no workflow is active[^]*lifecycle start/],
];
test("without a workflow every command says how to start one", async (t) => {
  const p = framework(t);
  for (const [args, expected] of nothingActive) {
    const { code, text } = said(p, ...args);
    assert.equal(code, 1, text);
    assert.match(text, expected);
  }
});

const damaged: [name: string, text: string, expected: RegExp][] = [
  ["half a file", '{"active_workflow": {"type": "fea', /not valid JSON[^]*(?:restore|redo|start)/],
  ["empty", "", /not valid JSON[^]*(?:restore|redo|start)/],
  ["a list", "[]", /the top level is no object/],
  ["merge markers", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> b\n", /not valid JSON/],
  ["numbers for phases", '{"active_workflow": {"type": "feature", "phases": 7}}', /phases/],
];
for (const [name, text, expected] of damaged)
  test(`a damaged state file (${name}): status and validate name the remedy, start keeps a copy`, (t) => {
    const p = framework(t, { state: text });
    for (const command of ["status", "validate"]) {
      const { code, text: shown } = said(p, command);
      assert.equal(code, 1, shown);
      assert.match(shown, expected);
    }
    const { code, json } = lifecycle(p, "start", "feature");
    if (code === 0) assert.equal(p.read(".isdlc/state.json.damaged"), text);
    else assert.match(`${json["why"]} ${json["next"]}`, /cancel|redo|restore/);
  });

test("a damaged state file of a running workflow: redo writes it anew from the record and keeps a copy", (t) => {
  const p = framework(t);
  lifecycle(p, "start", "feature");
  p.write(".isdlc/state.json", "{ broken");
  assert.match(said(p, "validate").text, /lifecycle redo/);
  assert.equal(lifecycle(p, "redo", "--reason", "damaged").code, 0);
  assert.equal(p.state().active_workflow.current_phase, "00-quick-scan");
  assert.equal(p.read(".isdlc/state.json.damaged"), "{ broken");
});

test("a state of a newer version keeps every field it has", (t) => {
  const p = framework(t, {
    state: {
      ...workflowAt("00-quick-scan"),
      schema_version: "9.0",
      future: { deep: [1, 2] },
      phases: { "00-quick-scan": { status: "in_progress", novelty: true } },
    },
  });
  assert.equal(lifecycle(p, "status").code, 0);
  assert.equal(lifecycle(p, "redo", "--reason", "x").code, 0);
  const state = p.state();
  assert.deepEqual([state.schema_version, state.future], ["9.0", { deep: [1, 2] }]);
});

const missing: [name: string, setup: Setup, args: string[], expected: RegExp][] = [
  [
    "an empty constitution",
    { state: workflowAt("04-design"), files: { "docs/isdlc/constitution.md": "" } },
    ["validate"],
    /constitution\.md is empty[^]*interlock lifecycle init/,
  ],
  [
    "no constitution",
    { state: workflowAt("04-design") },
    ["validate"],
    /no constitution[^]*interlock\s+lifecycle\s+init/,
  ],
  [
    "a manifest that is not JSON",
    { state: workflowAt("04-design"), files: { ".claude/hooks/config/skills-manifest.json": "{" } },
    ["status"],
    /skills-manifest\.json is not JSON/,
  ],
  [
    "a monorepo.json that is not JSON",
    { files: { ".isdlc/monorepo.json": "{" } },
    ["start", "fix"],
    /monorepo\.json is not JSON/,
  ],
];
for (const [name, setup, args, expected] of missing)
  test(`${name} is named with its remedy`, (t) => {
    assert.match(said(framework(t, setup), ...args).text, expected);
  });

test("agents that are not there: next says how to get them before it names one", (t) => {
  const p = framework(t, { manifest: false });
  lifecycle(p, "start", "feature");
  assert.match(String(lifecycle(p, "next").json["next"]), /interlock lifecycle init/);
  assert.equal(lifecycle(p, "init").code, 0);
  assert.match(String(lifecycle(p, "next").json["next"]), /delegate 00-quick-scan to quick-scan-agent/);
  rmSync(join(p.root, ".claude/agents"), { recursive: true });
  assert.match(String(lifecycle(p, "next").json["next"]), /interlock lifecycle init/);
});

test("from a folder below, every command finds the workflow", (t) => {
  const p = framework(t);
  lifecycle(p, "start", "feature");
  mkdirSync(join(p.root, "src/deep"), { recursive: true });
  p.cwd = join(p.root, "src/deep");
  assert.equal((lifecycle(p, "status").json["workflow"] as { type: string }).type, "feature");
  assert.equal(lifecycle(p, "cancel", "--reason", "x").code, 0);
});

test("a hook of the repository that fails after the switch does not unmake the branch", (t) => {
  const p = framework(t);
  commit(p);
  p.write(".git/hooks/post-checkout", "#!/bin/sh\nexit 1\n");
  chmodSync(join(p.root, ".git/hooks/post-checkout"), 0o755);
  const { code, text } = said(p, "start", "fix", "a b", "--branch");
  assert.equal(code, 0);
  assert.doesNotMatch(text, /could not be made/);
  assert.equal(git(p, "branch", "--show-current").trim(), "fix/a-b");
});

test("no placeholder of a step is garbled, and no setup is named twice", (t) => {
  const p = framework(t, { manifest: false });
  commit(p);
  for (const text of [said(p, "start", "fix").text, said(p, "next").text, said(p, "status").text]) {
    assert.doesNotMatch(text, /‹/);
    assert.equal(text.split(/interlock\s+lifecycle\s+init/).length, 2, text);
  }
});
