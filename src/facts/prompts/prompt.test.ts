import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../typed-commands.js";
import { type PromptFact, promptOf, type Requirement, readPrompt } from "./prompt.js";
import { changesTask } from "./task-change.js";

test("a command is a whole prompt and nothing else", () => {
  for (const [text, name] of [
    ["s+", "safemode.on"],
    [" S- \n", "safemode.off"],
    ["rb-", "breaker.reset"],
    ["rb+", "breaker.reset"],
    ["Reset Breaker", "breaker.reset"],
    ["research", "research.status"],
    ["pa+", "plan.approve"],
    ["sl?", "loop.status"],
    ["reset?", "help"],
  ] as const)
    assert.equal(commandOf(text), name, text);
  for (const text of [
    "s-curve fitting",
    "s- please",
    "please s-",
    "s-\n\nfix it",
    "s\u200b-",
    "ｓ－",
    "`s-`",
    "research the API",
    "reset breaker now",
    "rb- rb-",
    "> s-",
  ])
    assert.equal(commandOf(text), undefined, text);
});

const prompt = (text: string, machine: boolean) =>
  promptOf({
    kind: "prompt",
    host: "x",
    hostEvent: "x",
    session: "s",
    cwd: "/",
    env: {},
    raw: {},
    prompt: { text, machine },
  });

test("a machine's prompt is nobody's command, approval or task", () => {
  for (const text of ["s-", "yes", "fix everything", "reset breaker"]) {
    const fact = prompt(text, true)!;
    assert.deepEqual([fact.person, fact.command, fact.kind, fact.approves], [false, undefined, "passthrough", false]);
  }
  assert.equal(prompt("s-", false)!.command, "safemode.off");
});

const asks: readonly (readonly [readonly Requirement[], string])[] = [
  [["commit"], "fix the parser then commit"],
  [["commit"], "Fix the parser. Commit the result."],
  [["commit", "push"], "fix the parser, commit and push it"],
  [[], "fix the parser, don't commit"],
  [[], "fix the parser without committing"],
  [[], "fix the commit message parser"],
  [[], "do not commit or push anything, fix it"],
  [["plan"], "make a plan first, add caching"],
  [["tests"], "add a flag with unit tests"],
  [["docs"], "add a flag and update the readme"],
  [["research"], "research first: add caching"],
  [[], "fix the parser without adding tests"],
  [["commit"], "When done, commit."],
  [["commit"], "fix the bug and create a commit"],
  [["commit", "push"], "fix, commit & push"],
  [[], "fix it, I will commit and push"],
  [[], "Fix it. I'll commit myself."],
  [[], "the pre-commit hook is broken, fix it"],
  [[], "fix what the last commit broke"],
  [["tests"], "implement foo incl. unit tests"],
  [["docs"], "add the flag and document it"],
  [[], "fix the pricing plan page"],
];
for (const [wanted, text] of asks) test(`asked for: ${text}`, () => assert.deepEqual(readPrompt(text).asks, wanted));

test("haste words are words, not parts of words", () => {
  assert.deepEqual(readPrompt("just fix the quick sort").triggers, ["just", "quick"]);
  assert.deepEqual(readPrompt("fix the adjustment of breakfast").triggers, []);
});

test("frustration: corrections and repetitions, not thoughts", () => {
  for (const [text, wanted] of [
    ["no, that's not it", "correction"],
    ["i said the other file", "correction"],
    ["like i said, use the cache", "repetition"],
    ["stop rushing and read", "impatience"],
    ["FIX THE TEST NOW", "shouting"],
    ["i think we should add a cache", undefined],
    ["run it again", undefined],
    ["use HTTP and JSON", undefined],
    ["notice the no-op", undefined],
    ["wrong file!", "correction"],
    ["WHY DID YOU DELETE MY FILE", "shouting"],
    ["fix the HTTP API JSON", undefined],
  ] as const)
    assert.equal(readPrompt(text).frustration, wanted, text);
});

test("a follow-up keeps the task, another subject changes it", () => {
  const first = readPrompt("Fix the login timeout in the session refresh handler");
  const changed = (text: string) => changesTask(first.keywords, readPrompt(text));
  for (const text of [
    "add 3 tests",
    "now add tests for it",
    "also handle the expired refresh token",
    "what does the handler do?",
    "yes",
    "rename the variable",
    "the session refresh still times out, fix the handler",
    "no, use the other approach",
    "it still fails with a 401",
    "commit with a good message and push the branch",
    "Use a mutex there, and make the backoff exponential",
    "that broke the build: error TS2304 Cannot find name 'Session' in src/session.ts",
    "schreib noch Tests dafür",
    "はい",
  ])
    assert.equal(changed(text), false, text);
  for (const text of [
    "Implement CSV export for the reporting dashboard",
    "New task: bump the linter",
    "Write a migration that adds an email column to invoices",
    "Neue Aufgabe: baue einen Export",
    "Create a Dockerfile for the worker with multi-stage build",
    "Write a parser for Kubernetes manifests with schema validation",
  ])
    assert.equal(changed(text), true, text);
});

test("keywords of unspaced scripts are words, not sentences", () => {
  const fact: PromptFact = readPrompt("修复登录页面的超时错误");
  assert.ok(fact.keywords.length >= 2, fact.keywords.join());
});

test("a long prompt of the same words is read in one pass", () => {
  for (const word of ["want ", "please ", "all ", "don't change ", "> ", "`", "\n", "why don't you "])
    assert.ok(readPrompt(word.repeat(20_000)).kind);
});
