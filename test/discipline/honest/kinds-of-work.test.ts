// What a plan approved in the host's dialog opens, what "from scratch" and a failing step mean, and which deleted files
// are tests: each with the near miss that is still refused.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readPrompt } from "../../../src/facts/prompts/prompt.js";
import { play } from "../agent.js";

const who = ["-c", "user.name=Dev", "-c", "user.email=dev@example.org"];
const git = (cwd: string, ...args: string[]) => execFileSync("git", [...who, ...args], { cwd });

const plan = "# Retry\n\n1. src/a.ts retries twice";

test("an approved plan ends the ban on changes; one the user did not approve does not", async (t) => {
  const a = play(t);
  await a.start();
  await a.prompt("Plan how src/a.ts could retry. Don't write code yet.");
  await a.read("src/a.ts");
  assert.equal((await a.edit("src/a.ts", "1", "2")).gate, "research-only");
  await a.before("ExitPlanMode", { plan });
  await a.failed("ExitPlanMode", { plan }, "The user doesn't want to proceed with this tool use.");
  assert.equal((await a.edit("src/a.ts", "1", "2")).gate, "research-only");
  await a.call("ExitPlanMode", { plan }, { plan, isAgent: false });
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
});

test("an approved plan is no big task, and still needs a look at the code", async (t) => {
  const a = play(t);
  await a.start();
  await a.prompt("Refactor all callbacks to async/await. Plan first.");
  await a.call("ExitPlanMode", { plan }, { plan, isAgent: false });
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "deny");
  await a.read("src/a.ts");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  await a.prompt("Now refactor all the handlers to promises.");
  assert.equal((await a.edit("src/a.ts", "2", "3")).outcome, "deny", "another big task needs its own");
});

test("from scratch", () => {
  const kind = (text: string) => readPrompt(text).kind;
  assert.equal(kind("merge. and why does the cache never hit? every run installs from scratch"), "task");
  assert.equal(kind("the second run compiles everything from scratch, fix the cache key"), "task");
  assert.equal(kind("write the parser from scratch"), "big-task");
  assert.equal(kind("Start over from scratch"), "big-task");
  assert.equal(kind("set the whole thing up from scratch"), "big-task");
});

test("a failing step is a small task; tests to be written are not", async (t) => {
  const first = async (prompt: string) => {
    const a = play(t);
    await a.start();
    await a.prompt(prompt);
    await a.read("src/a.ts");
    return (await a.edit("src/a.ts", "1", "2")).outcome;
  };
  assert.equal(await first("molecule fails the idempotence step for the nginx role, please fix"), "pass");
  assert.equal(await first("CI is red: failed job lint"), "pass");
  assert.equal(await first("add retries to the client in src/a.ts"), "deny");
  assert.equal(await first("add a step to the checkout that charges the card"), "deny");
});

test("what goes on with a small task is small; a new task is not", async (t) => {
  const a = play(t, { files: { "src/b.ts": "export const b = 1;\n" } });
  await a.start();
  await a.prompt("the unit test of slug in src/a.ts fails, fix it");
  await a.read("src/a.ts");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  await a.prompt("slug should croak without text");
  assert.equal((await a.edit("src/a.ts", "2", "3")).outcome, "pass");
  await a.prompt("Now add an importer for invoices that downloads them from the bank");
  assert.equal((await a.edit("src/b.ts", "1", "2")).outcome, "deny");
});

test("pasted output does not make a small task long", async (t) => {
  const trace = "    at org.acme.Queue.send(Queue.java:15)\n".repeat(20);
  for (const [prompt, outcome] of [
    [`QueueTest.sendsAll is a flaky test:\n\n${trace}`, "pass"],
    [`Queue.send should batch mails by domain:\n\n${trace}`, "deny"],
  ] as const) {
    const a = play(t);
    await a.start();
    await a.prompt(prompt);
    await a.read("src/a.ts");
    assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, outcome, prompt);
  }
});

test("a small task may run the project's code after one look", async (t) => {
  const a = play(t);
  await a.start();
  await a.prompt("the unit test of slug fails, fix it");
  const command = "perl -Ilib -MText::Slug=slug -we 'print slug(undef)'";
  assert.equal((await a.bash(command)).outcome, "deny", "nothing was looked at");
  await a.read("src/a.ts");
  assert.equal((await a.bash(command)).outcome, "pass");
});

test("a built program is no test, nor is a file that is not there; a test file is", async (t) => {
  const a = play(t, { files: { "tests/b.test.ts": "test('b', () => {});\n" }, gates: ["test-quality"] });
  writeFileSync(join(a.root, "tests/run_tests"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
  for (const command of ["rm -f tests/run_tests", "rm -f tests/run_tests tests/old.test.ts"])
    assert.equal((await a.bash(command)).context, "", command);
  assert.match((await a.before("Bash", { command: "rm tests/b.test.ts" })).context, /drops 1 test/);
  assert.equal((await a.before("Bash", { command: "rm tests/*.test.ts" })).outcome, "ask");
});

test("a pushed branch may go together with its worktree; one with commits of its own may not", async (t) => {
  const a = play(t);
  await a.start();
  git(a.root, "add", "-A");
  git(a.root, "commit", "-qm", "one");
  git(a.root, "worktree", "add", "-q", "../topic", "-b", "topic");
  const command = "git worktree remove ../topic && git branch -D topic";
  const said = await a.before("Bash", { command });
  assert.equal(said.outcome, "pass", said.text);
  git(join(a.root, "../topic"), "commit", "-q", "--allow-empty", "-m", "two");
  assert.equal((await a.before("Bash", { command })).outcome, "deny");
  rmSync(join(a.root, "../topic"), { recursive: true });
});

test("to answer a question the project may be run after one look; an order needs more", async (t) => {
  const profile = "python -m cProfile -s cumtime -m dupes.cli pictures";
  for (const [prompt, outcome] of [
    ["dupes is slow on my photo folder. where's the time?", "pass"],
    ["add a cache to dupes and convert the old index", "deny"],
  ] as const) {
    const a = play(t);
    await a.start();
    await a.prompt(prompt);
    assert.equal((await a.bash(profile)).outcome, "deny", "nothing was looked at");
    await a.read("src/a.ts");
    assert.equal((await a.bash(profile)).outcome, outcome, prompt);
  }
});

test("commit, then go on: the commit comes first, and must come", async (t) => {
  const a = play(t, { gates: ["requirements"] });
  await a.prompt("commit, then make a 2 in src/a.ts");
  await a.edit("src/a.ts", "1", "2");
  assert.equal((await a.stop("Changed.")).outcome, "deny");
  await a.bash("git commit -qam one");
  await a.edit("src/a.ts", "2", "3");
  assert.equal((await a.stop("Changed.")).outcome, "pass");
  await a.prompt("make a 4 in src/a.ts and commit");
  await a.bash("git commit -qam two");
  await a.edit("src/a.ts", "3", "4");
  assert.equal((await a.stop("Changed.")).outcome, "deny");
});
