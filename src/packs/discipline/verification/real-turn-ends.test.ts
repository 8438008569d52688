// Ends of turns that recorded sessions showed: a team's member, a page to look at, a version, a withdrawn order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent } from "../../../../test/discipline/agent.js";
import { countsIn } from "../../../facts/test-reporters.js";
import { testRunOf } from "../../../facts/test-run.js";
import type { Event } from "../../../model/event.js";
import { handsOver } from "./verification.js";

const manifest = `{
  "name": "a",
  "version": "0.3.0",
  "scripts": { "test": "vitest run" },
  "dependencies": { "b": "1.0.0" }
}
`;
const files = { "package.json": manifest, "src/a.ts": "export const a = 1;\n" };
const filtered = 'npx vitest run 2>&1 | grep -E "(✓|✗|PASS|FAIL|Tests:)"';
const lead = '<teammate-message teammate_id="team-lead">\nMake a 2 in src/a.ts.\n</teammate-message>';

async function withAgent<T>(run: (a: Agent) => Promise<T>): Promise<T> {
  const a = new Agent({ files });
  try {
    await a.start();
    return await run(a);
  } finally {
    a.close();
  }
}

async function edited(a: Agent, first: string): Promise<void> {
  await a.prompt(first);
  for (const path of ["src/a.ts", "package.json"]) await a.read(path);
  await a.grep("a", "src/a.ts:1:a", "src");
  assert.notEqual((await a.edit("src/a.ts", "1", "2")).outcome, "deny");
}

test("a member of a team hands its work to the lead", () =>
  withAgent(async (a) => {
    await edited(a, lead);
    assert.equal((await a.stop("Done, the lead is told.")).outcome, "pass");
    await a.prompt("make it 3, please");
    await a.edit("src/a.ts", "2", "3");
    assert.equal((await a.stop("Done.")).gate, "verification", "a person speaks: it is their work again");
  }));

test("a lead that hears of its members is no member", () =>
  withAgent(async (a) => {
    await a.prompt("make a 2 in src/a.ts");
    await a.stop("The team is at it.");
    await edited(a, lead.replace("team-lead", "verify"));
    await a.prompt("go on");
    await a.edit("src/a.ts", "2", "3");
    assert.equal((await a.stop("Done.")).gate, "verification");
  }));

test("a member that says tests pass after a failing run is refused", () =>
  withAgent(async (a) => {
    await edited(a, lead);
    await a.bash("npx vitest run", "      Tests  1 failed | 2 passed (3)\n", 1);
    assert.equal((await a.stop("All tests pass.")).outcome, "deny");
  }));

test("a build, and words on how to look at the page", async () => {
  const end = (output: string, exit: number, message: string) =>
    withAgent(async (a) => {
      await edited(a, "make a 2 in src/a.ts");
      if (output) await a.bash("npx tsc --noEmit", exit ? output : "", exit);
      return (await a.stop(message)).outcome;
    });
  const how = "Changed.\n\nRun `bun dev` and open `localhost:4008` to see the new page.";
  assert.equal(await end("built", 0, how), "pass");
  assert.equal(await end("built", 0, "You can now run `bun dev` and test on http://localhost:4008."), "pass");
  assert.equal(await end("", 0, how), "deny", "nothing was run");
  assert.equal(await end("src/a.ts(1,1): error TS1005", 2, how), "deny", "it does not build");
  assert.equal(await end("built", 0, "Changed src/a.ts."), "deny", "nobody is told to look");
});

test("a release's number in a manifest is no code; a dependency's is", async () => {
  const end = (old: string, next: string) =>
    withAgent(async (a) => {
      await a.prompt("edit the manifest as I said");
      for (const path of ["package.json", "src/a.ts"]) await a.read(path);
      await a.grep("a", "src/a.ts:1:a", "src");
      await a.docs("https://docs.example.org/b");
      await a.search("b 2.0.0");
      await a.github();
      assert.notEqual((await a.edit("package.json", old, next)).outcome, "deny");
      return (await a.stop("Done.")).outcome;
    });
  assert.equal(await end('  "version": "0.3.0",', '  "version": "0.4.1",'), "pass");
  assert.equal(await end('"b": "1.0.0"', '"b": "2.0.0"'), "deny");
  assert.equal(await end('  "version": "0.3.0",', '  "version": "0.4.1", "type": "module",'), "deny");
});

test("what was asked for is due in its own turn, not at the end of later ones", async () => {
  const ends = (between: (a: Agent) => Promise<unknown>) =>
    withAgent(async (a) => {
      await edited(a, "make a 2 in src/a.ts");
      await a.bash("npx vitest run", "      Tests  5 passed (5)\n");
      await a.stop("Done.");
      await a.prompt("commit this");
      await between(a);
      const own = await a.stop("It is a constant.");
      await a.prompt("make a 3 in src/a.ts then");
      await a.edit("src/a.ts", "2", "3");
      await a.bash("npx vitest run", "      Tests  5 passed (5)\n");
      return [own.gate, (await a.stop("a is 3.")).outcome];
    });
  assert.deepEqual(await ends((a) => a.read("src/a.ts")), ["requirements", "pass"]);
  assert.deepEqual(await ends((a) => a.prompt("what does a do in src/a.ts?")), ["", "pass"], "a question in its place");
});

test("Playwright's summary, whole and filtered", () => {
  assert.deepEqual(countsIn("  20 passed (17.8s)\n"), { collected: 20, passed: 20, failed: 0, skipped: 0 });
  const bad = "  1 failed\n    [chromium] > a.spec.ts\n  1 did not run\n  18 passed (16.5s)\n";
  assert.equal(countsIn(bad)?.failed, 2);
  assert.equal(countsIn("I saw 20 passed (17.8s) there\n"), undefined);
  const run = (filter: string, text: string) => {
    const command = `pnpm --filter e2e test 2>&1 | grep -E '${filter}'`;
    const event = { tool: { command }, outcome: { ok: true, exitCode: 0, text } } as unknown as Event;
    return testRunOf(event, [{ program: "pnpm", argv: ["--filter", "e2e", "test"] }])?.ok;
  };
  assert.equal(run("(passed|failed)", "  20 passed (17.8s)\n"), true);
  assert.equal(run("(passed|failed)", "  1 failed\n  19 passed (17.8s)\n"), false);
  assert.equal(run("passed", "  19 passed (17.8s)\n"), undefined);
});

const pushed = (a: Agent) => a.bash("git push", trunk);
const ci = { ".github/workflows/ci.yml": "on: push\n" };
const branch = "To github.com:o/r.git\n   1a2b3c4..5d6e7f8  fix/rounding -> fix/rounding\n";
const putBack = "Updated 1 path from the index\n";
const trunk = "To github.com:o/r.git\n   1a2b3c4..5d6e7f8  main -> main\n";

for (const [outcome, name, work, more = {}] of [
  ["deny", "an edit and nothing else", async (a: Agent) => a.read("src/a.ts")],
  ["pass", "pushed to a branch of its own where there is CI", (a: Agent) => a.bash("git push", branch), ci],
  ["deny", "pushed to main", (a: Agent) => a.bash("git push", trunk), ci],
  ["pass", "pushed to main, and CI watched", (a: Agent) => pushed(a).then(() => a.bash("gh run watch 1", "✓ ci")), ci],
  [
    "pass",
    "pushed to main, and the checks of the pull request looked at",
    (a: Agent) => pushed(a).then(() => a.bash("gh pr view 7 --json statusCheckRollup", "SUCCESS")),
    ci,
  ],
  [
    "deny",
    "pushed to main, and the pull request looked at",
    (a: Agent) => pushed(a).then(() => a.bash("gh pr view 7", "open")),
    ci,
  ],
  ["pass", "git put the file back, without --", (a: Agent) => a.bash("git checkout src/a.ts", putBack)],
  ["deny", "git switched to a branch", (a: Agent) => a.bash("git checkout main", "Switched to branch 'main'\n")],
  ["deny", "CI watched without a push", (a: Agent) => a.bash("gh run list --limit 2", "completed success"), ci],
  ["deny", "pushed to a branch without CI", (a: Agent) => a.bash("git push", branch)],
  ["pass", "the edited script was run", (a: Agent) => a.bash("node src/a.ts", "2\n")],
  ["deny", "another script was run", (a: Agent) => a.bash("node src/b.js", "2\n")],
  ["deny", "the edited script was run and failed", (a: Agent) => a.bash("node src/a.ts", "Error: no\n", 1)],
  ["deny", "its failure could not be seen", (a: Agent) => a.bash("node src/a.ts || true", "2\n")],
  ["pass", "vitest, filtered to its files", (a: Agent) => a.bash(filtered, " ✓ src/a.test.ts (47 tests) 10ms\n")],
  ["deny", "vitest, a file failed", (a: Agent) => a.bash(filtered, " ❯ src/a.test.ts (47 tests | 1 failed) 10ms\n")],
] as const)
  test(`the end of a turn: ${name} -> ${outcome}`, async () => {
    const a = new Agent({ files: { ...files, ...more }, gates: ["verification"] });
    try {
      await edited(a, "make a 2 in src/a.ts");
      await work(a);
      assert.equal((await a.stop("Done.")).outcome, outcome);
    } finally {
      a.close();
    }
  });

test("the end of a turn: what no file and no passing run tells is told to the user, not refused", async () => {
  const a = new Agent({ files: { "src/a.ts": "export const a = 1;\n" }, gates: ["verification"] });
  try {
    await a.edit("src/a.ts", "1", "2");
    await a.bash("npx astro check | head -2; echo", "Getting diagnostics\n");
    const said = await a.stop("Done.");
    assert.equal(said.outcome, "pass");
    assert.match(said.shown, /Edited without verification: src\/a\.ts/);
    await a.bash("cd app && bats test | tail -3", "1..2\nok 1 a\nok 2 b\n");
    await a.prompt("and 3");
    await a.edit("src/a.ts", "2", "3");
    assert.match((await a.stop("Done.")).text, /run `cd app && bats test`/);
    await a.prompt("now b");
    await a.bash("node --test test/", "# tests 1\n# fail 1\n", 1);
    await a.edit("src/a.ts", "3", "4");
    assert.match(
      (await a.stop("Done.")).text,
      /run `node --test test\/`/,
      "it failed, but it is how tests are run here",
    );
  } finally {
    a.close();
  }
});

test("the end of a turn: the user is asked in another language", () => {
  for (const asks of [
    "実装しました。\n\n進めて良ければ「コミットして」と返してください。",
    "コミットまで進めますが、実行して良いですか。",
    "页面已经改好。请刷新后确认",
    "Feito.\n\nPor favor, confirme se a página abre.",
    "Готово. Проверьте, пожалуйста.",
    "All tasks are done.\n\nReady for feedback.",
  ])
    assert.equal(handsOver(asks), true, asks);
  for (const tells of [
    "コミット完了。3 ファイルを変更しました。",
    "已完成，所有文件都改好了。",
    "Feito: a página abre — sem erros.",
    "Please note the change above. It is deployed — see main.",
  ])
    assert.equal(handsOver(tells), false, tells);
});

test("the end of a turn: a runner that would find no test file is not named", async () => {
  const vitest = '{"scripts":{"test":"vitest run","build":"astro build"}}';
  const named = async (given: Record<string, string>, path: string) => {
    const a = new Agent({ files: { [path]: "a = 1\n", ...given }, gates: ["verification"] });
    try {
      await a.edit(path, "1", "2");
      return /run `([^`]+)`/.exec((await a.stop("Done.")).text)?.[1];
    } finally {
      a.close();
    }
  };
  assert.equal(await named({ "package.json": vitest }, "src/a.ts"), "npm run build");
  assert.equal(await named({ "package.json": vitest, "src/b.test.ts": "" }, "src/a.ts"), "npm test");
  assert.equal(await named({ "package.json": vitest, "src/__tests__/b.ts": "" }, "src/a.ts"), "npm test");
  assert.equal(await named({ "package.json": vitest.replace("vitest run", "make all") }, "src/a.ts"), "npm test");
  const rails = { "bin/rails": "#!ruby\n", "test/test_helper.rb": "", "test/models/.keep": "" };
  assert.equal(await named(rails, "app/models/a.rb"), undefined);
  assert.equal(await named({ ...rails, "test/models/a_test.rb": "" }, "app/models/a.rb"), "bin/rails test");
});
