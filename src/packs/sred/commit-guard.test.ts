import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { identify } from "../../project/identify.js";
import { heredoc, untaggedForms } from "../../testing/commit-forms.js";
import { type Stage, type StageOptions, stage } from "../../testing/stage.js";
import { sredPack } from "./index.js";

const tags = "SRED-Type: experimental-development\nSRED-Claim: CACHE";

function repository(t: TestContext, options: Partial<StageOptions> = {}): Stage {
  const made = stage(t, { packs: [sredPack], ...options });
  git(made, "config", "user.name", "Ada");
  git(made, "config", "user.email", "ada@example.com");
  return made;
}

const git = (stage: Stage, ...args: string[]): string =>
  execFileSync("git", ["-C", stage.root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

let files = 0;
function change(stage: Stage, path = "src/cache/a.ts"): void {
  stage.write(path, `${++files}\n`);
  git(stage, "add", "-A");
}

/** What the agent runs after the refusal: the lines between the instruction and the last sentence. */
function offered(text: string): string {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => line.includes("then run"));
  const to = lines.findIndex((line) => line.startsWith("Routine maintenance does NOT qualify"));
  assert.ok(from > 0 && to > from, text);
  return lines.slice(from + 1, to).join("\n");
}

const run = (stage: Stage, command: string) =>
  spawnSync("bash", ["-c", command], {
    cwd: stage.root,
    encoding: "utf8",
    env: { ...process.env, GIT_EDITOR: "false", OUT: "x", HOME: stage.userHome },
  });

test("60 forms of a commit are refused, and the offered command works", async (t) => {
  assert.ok(untaggedForms.length >= 60, `${untaggedForms.length} forms`);
  const made = repository(t);
  writeFileSync(join(made.root, "..", "outside.txt"), "feat(cache): from outside\n");
  made.write("message.txt", "feat(cache): from a file\n\nwith a body\n");
  git(made, "add", "-A");
  git(made, "commit", "-q", "-m", "feat(cache): untagged start");
  git(made, "tag", "start");
  for (const [name, command] of untaggedForms) {
    git(made, "reset", "-q", "--hard", "start");
    change(made);
    made.session = name;
    const verdict = await made.call("Bash", { command });
    assert.equal(verdict.outcome, "deny", name);
    assert.equal(verdict.gate, "sred/commit-guard", name);
    const text = verdict.text!;
    assert.match(text, /\[SRED-GUARD\]/, name);
    assert.match(text, /SR&ED project identifier/, name);
    const next = offered(text);
    const again = await made.call("Bash", { command: next });
    assert.equal(again.outcome, "pass", `${name}: the offered command is refused: ${next}\n${again.text}`);
    const { status, stderr } = run(made, next);
    assert.equal(status, 0, `${name}: ${next}\n${stderr}`);
    const count = Number(git(made, "rev-list", "--count", "HEAD"));
    assert.ok(command.includes("--amend") ? count === 1 : count > 1, `${name}: no commit: ${next}`);
    const trailers = git(made, "log", "-1", "--format=%(trailers:key=SRED-Type)%(trailers:key=SRED-Claim)");
    assert.match(trailers, /^SRED-Type: [a-z-]+\n/, `${name}: ${next}`);
    assert.match(trailers, /\nSRED-Claim: [A-Z-]+\n/, `${name}: ${next}`);
  }
});

/** Tagged history: nine commits of CACHE, two of PLANNER. */
function withHistory(made: Stage): void {
  const commit = (path: string, message: string) => {
    change(made, path);
    git(made, "commit", "-q", "-m", message);
  };
  for (let i = 0; i < 9; i++) commit("src/cache/a.ts", `feat(cache): ${i}\n\n${tags}`);
  for (let i = 0; i < 2; i++)
    commit("src/plan/b.ts", `feat(plan): ${i}\n\nSRED-Type: applied-research\nSRED-Claim: PLANNER`);
}

const passing: [name: string, command: string][] = [
  ["tagged", `git commit -m "feat(cache): x" -m "${tags}"`],
  ["tagged in two -m", `git commit -m "feat: x" -m "SRED-Type: basic-research" -m "SRED-Claim: A-B"`],
  ["tagged by --trailer", `git commit -m "feat: x" --trailer "SRED-Type: support-work" --trailer SRED-Claim=CACHE`],
  ["tagged in a here-document", heredoc("'", `feat: x\n\n${tags}`)],
  ["tagged, with a co-author's paragraph", heredoc("'", `feat: x\n\n${tags}\n\nCo-Authored-By: C <c@x.y>`)],
  ["tagged around an unknown value", `git commit -m "feat: $OUT" -m "${tags}"`],
  ["tagged in one word with an unknown value", `git commit -m "feat: $OUT\n\n${tags}"`],
  ["said to be none", `git commit -m "feat: x" -m "SRED-Claim: none"`],
  ["chore", `git commit -m "chore: bump"`],
  ["chore with an unknown value", `git commit -m "chore: bump to $OUT"`],
  ["docs", `git commit -am "docs(readme): words"`],
  ["style", `git commit -m "style: blanks"`],
  ["ci", `git commit -m "ci: cache"`],
  ["build", `git commit -m "build: flags"`],
  ["typo", `git commit -m "fix typo in the guide"`],
  ["merge", `git merge --no-ff other`],
  ["merge with a message", `git merge -m "feat: all of it" other`],
  ["concluded merge", `git commit -m "Merge branch 'other'"`],
  ["revert", `git revert --no-edit HEAD`],
  ["revert by hand", `git commit -m 'Revert "feat: x"'`],
  ["fixup", `git commit --fixup HEAD`],
  ["fixup=amend", `git commit --fixup=amend:HEAD -m x`],
  ["squash", `git commit --squash=HEAD -m "feat: y"`],
  ["amend keeps a tagged message", `git commit --amend --no-edit`],
  ["-C takes a tagged message", `git commit -C HEAD`],
  ["dry run", `git commit --dry-run -m "feat: x"`],
  ["no message", `git commit -m ""`],
  ["cherry-pick", `git cherry-pick other`],
  ["rebase", `git rebase other`],
  ["prose", `echo "git commit -m 'feat: x'"`],
  ["prose in quotes", `printf '%s' "run git commit -m feat"`],
  ["a search", `grep -rn "git commit -m" docs`],
  ["a here-document into a file", `cat > notes.md <<'EOF'\ngit commit -m "feat: x"\nEOF`],
  ["a comment", `ls # git commit -m "feat: x"`],
  ["another program's commit", `docker commit abc -m "feat: x"`],
  ["the log", `git log --grep "git commit"`],
  ["a file called commit", `cat commit -m`],
  ["commit-graph", `git commit-graph write`],
  ["configuration", `git config commit.template t.txt`],
];

test("tagged, routine and other people's commits pass, and so does prose", async (t) => {
  const made = repository(t);
  change(made);
  git(made, "commit", "-q", "-m", `feat: x\n\n${tags}`);
  git(made, "branch", "other");
  change(made);
  for (const [name, command] of passing) {
    const verdict = await made.call("Bash", { command });
    assert.equal(verdict.outcome, "pass", `${name}: ${verdict.text}`);
  }
});

test("a commit in another repository is not this one's business", async (t) => {
  const made = repository(t);
  const other = join(made.root, "..", "other");
  execFileSync("git", ["init", "-q", other]);
  assert.equal((await made.call("Bash", { command: `git -C ../other commit -m "feat: x"` })).outcome, "pass");
  assert.equal((await made.call("Bash", { command: `cd ../other && git commit -m "feat: x"` })).outcome, "pass");
  git(made, "commit", "-q", "--allow-empty", "-m", "chore: start");
  git(made, "worktree", "add", "-q", "../tree");
  assert.equal((await made.call("Bash", { command: `git -C ../tree commit -m "feat: x"` })).outcome, "deny");
});

test("example A: a strong match names the project, the reason and the command", async (t) => {
  const made = repository(t);
  withHistory(made);
  change(made, "src/cache/a.ts");
  const { text } = await made.call("Bash", { command: `git commit -m "feat(cache): tiers"` });
  const wanted = [
    "[SRED-GUARD] Missing SRED-Claim trailer.",
    "Suggested: SRED-Claim: CACHE",
    "Alternatives: PLANNER",
    "Reasoning: Scope 'cache' matches 9 prior commits in CACHE. (high confidence, from history)",
    "Add this trailer to your commit message and retry.",
    "The type of SR&ED work may be experimental-development (the type of most commits of CACHE).",
    "Routine maintenance does NOT qualify: a commit that is not SR&ED says SRED-Claim: none.",
  ];
  for (const line of wanted) assert.ok(text!.split("\n").includes(line), `${line}\n---\n${text}`);
  assert.match(text!, /machine-made: please ask the user \(AskUserQuestion\)/);
  assert.equal(offered(text!), `git commit -m 'feat(cache): tiers\n\n${tags}'`);
});

test("example B: a new scope is proposed as a new project, with those of the history", async (t) => {
  const made = repository(t);
  withHistory(made);
  change(made, "web/x.ts");
  const { text } = await made.call("Bash", { command: `git commit -m "feat(web-ui2): init"` });
  const wanted = [
    "[SRED-GUARD] Missing SRED-Claim trailer.",
    "No existing project matches. Options:",
    "  1. SRED-Claim: WEB-UI2  (NEW)",
    "  2. SRED-Claim: CACHE  (from history)",
    "  3. SRED-Claim: PLANNER  (from history)",
    "Reasoning: Scope 'web-ui2' has no prior SR&ED work.",
    "Add your chosen SRED-Claim and retry.",
  ];
  for (const line of wanted) assert.ok(text!.split("\n").includes(line), `${line}\n---\n${text}`);
});

test("where a model may be asked and the history does not decide, the refusal names the command", async (t) => {
  const made = repository(t, { settings: { sred: { options: { model: true } } } });
  withHistory(made);
  change(made, "web/x.ts");
  const ask = async (command: string) => (await made.call("Bash", { command })).text!;
  assert.match(await ask(`git commit -m "feat(web): x"`), /run: interlock sred suggest --scope web\n/);
  made.session = "second";
  assert.match(await ask(`git commit -am "feat: x"`), /run: interlock sred suggest --all\n/);
  made.session = "third";
  change(made, "src/cache/a.ts");
  git(made, "reset", "-q", "web");
  assert.doesNotMatch(await ask(`git commit -m "feat(cache): x"`), /sred suggest/);
});

test("the branch names the type of SR&ED work", async (t) => {
  const made = repository(t);
  git(made, "commit", "-q", "--allow-empty", "-m", "chore: start");
  const rows = [
    ["experiment/x", "experimental-development"],
    ["poc/x", "experimental-development"],
    ["prototype/x", "experimental-development"],
    ["perf/x", "experimental-development"],
    ["optimize/x", "experimental-development"],
    ["investigate/x", "applied-research"],
    ["research/x", "applied-research"],
    ["test/x", "support-work"],
    ["qa/x", "support-work"],
  ];
  for (const [branch, type] of rows) {
    git(made, "checkout", "-q", "-B", branch!);
    made.session = branch!;
    const { text } = await made.call("Bash", { command: `git commit -m "feat(a): ${branch}"` });
    assert.match(text!, new RegExp(`SRED-Type: ${type}\\n`), `${branch}: ${text}`);
  }
});

test("the two removed types are refused with the reason", async (t) => {
  const made = repository(t);
  for (const [type, why] of [
    ["systematic-investigation", /removed: it is a method of SR&ED, not a type of SR&ED work/],
    ["technical-innovation", /removed: it is not a term of the Canada Revenue Agency/],
  ] as const) {
    const command = `git commit -m "feat(a): x" -m "SRED-Type: ${type}\nSRED-Claim: ALPHA"`;
    const { outcome, text } = await made.call("Bash", { command });
    assert.equal(outcome, "deny");
    assert.match(text!, why);
    assert.match(offered(text!), /SRED-Type: experimental-development\nSRED-Claim: ALPHA'$/);
  }
});

test("a message nobody can see is refused with the way out, unless the commit-msg hook checks it", async (t) => {
  const made = repository(t);
  const unseen = [
    `git commit`,
    `git commit -e -m "feat: x"`,
    `git commit -c HEAD`,
    `curl -s x.example | git commit -F -`,
  ];
  for (const command of unseen) {
    made.session = command;
    const { outcome, text } = await made.call("Bash", { command });
    assert.equal(outcome, "deny", command);
    assert.match(text!, /next: write the message to a file first, then run git commit -F message.txt/, command);
  }
  const folder = join(made.home, "projects", identify(made.root).id, "sred");
  mkdirSync(folder, { recursive: true });
  const hook = join(made.root, ".git", "hooks", "commit-msg");
  mkdirSync(join(made.root, ".git", "hooks"), { recursive: true });
  writeFileSync(join(folder, "commit-msg-hook"), `${hook}\n`);
  assert.equal((await made.call("Bash", { command: "git commit -e" })).outcome, "deny", "the hook is not there");
  writeFileSync(hook, '#!/bin/sh\ninterlock sred check "$1"\n');
  assert.equal((await made.call("Bash", { command: "git commit -v" })).outcome, "pass");
  assert.equal((await made.call("Bash", { command: 'git commit -m "$OUT"' })).outcome, "pass");
  assert.equal((await made.call("Bash", { command: 'git commit -m "feat: seen"' })).outcome, "deny");
  assert.equal((await made.call("Bash", { command: "git commit -v --no-verify" })).outcome, "deny");
});

test("a fault of the gate itself lets the commit pass and is recorded", async (t) => {
  const made = repository(t);
  const command = `git commit -m "feat(a): x"`;
  const broken = { world: { places: undefined as never } };
  const faulty = stage(t, { packs: [sredPack], ...broken });
  const { outcome, faults } = await faulty.call("Bash", { command });
  assert.equal(outcome, "pass");
  assert.match(JSON.stringify(faults), /sred\/commit-guard/);
  assert.equal((await made.call("Bash", { command })).outcome, "deny");
});

test("the same commit again is told shorter and then stopped; another commit gets its command", async (t) => {
  const made = repository(t);
  const told = async (subject: string) => (await made.call("Bash", { command: `git commit -m "${subject}"` })).text!;
  const first = await told("feat(a): one");
  for (const n of ["two", "three", "four"]) assert.match(offered(await told(`feat(a): ${n}`)), new RegExp(n));
  assert.equal(offered(await told("feat(a): one")), offered(first));
  assert.match(await told("feat(a): one"), /stop trying\. Ask the user now/);
});

test("nothing of one repository's projects shows in another", async (t) => {
  const one = repository(t);
  withHistory(one);
  change(one);
  await one.call("Bash", { command: `git commit -m "feat(cache): x"` });
  const two = repository(t);
  change(two);
  const { text } = await two.call("Bash", { command: `git commit -m "feat(cache): x"` });
  assert.doesNotMatch(text!, /PLANNER|prior commits/);
});
