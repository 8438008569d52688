// A second set of fresh cases after the first was mended: neighbours of what was found. Written before any was tried.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lifecycleHere } from "./calls.js";
import { workflowAt } from "./project.js";
import { type ShippedProject, shipped } from "./shipped.js";

const menu = "[A] Adjust  [R] Refine  [C] Continue  [S] Save  [X] Exit\nYour choice:";
const unmet = async (s: ShippedProject): Promise<string[]> => {
  await s.recorded();
  return ((await lifecycleHere(s.p, "next")) as unknown as { unmet: { need: string }[] }).unmet.map((u) => u.need);
};
async function atQuestions(s: ShippedProject): Promise<void> {
  await s.recorded();
  if (s.p.has(".isdlc/state.json")) await lifecycleHere(s.p, "cancel", "--reason", "next row");
  await lifecycleHere(s.p, "start", "feature");
  await s.agent("quick-scan-agent");
  await s.recorded();
  assert.equal((await lifecycleHere(s.p, "advance"))["moved"], true);
}

const typed: [prompt: string, finishes: boolean][] = [
  ["sí, guardar por favor", true],
  ["Oui, enregistrer", true],
  ["請保存", true],
  ["保存してください", true],
  ["devam", true],
  ["lagre", true],
  ["let's proceed", true],
  ["Looks great, go ahead", true],
  ["Please continue.", true],
  ["(s)", true],
  ["S) Save", true],
  ["save -> continue", false],
  ["save it, but rename story 1", false],
  ["keep going with the questions", false],
  ["more", false],
  ["nein, weiter fragen", false],
  ["what does save do", false],
  ["save as draft", false],
  ["i'm not ready to continue", false],
  ["ne pas continuer", false],
  ["maybe save", false],
];
test("more words of people", async (t) => {
  const s = await shipped(t);
  for (const [prompt, finishes] of typed)
    await t.test(`${JSON.stringify(prompt)} ${finishes ? "finishes" : "does not finish"}`, async () => {
      await atQuestions(s);
      await s.event("Stop", { stop_hook_active: false, last_assistant_message: menu });
      await s.event("UserPromptSubmit", { prompt });
      assert.equal(!(await unmet(s)).includes("elicitation"), finishes);
    });
});

const runs: [command: string, output: string, passes: boolean][] = [
  ["npx jest --testNamePattern=nope", "Tests:       14 skipped, 14 total\n", false],
  ["npx vitest run --passWithNoTests", "\n", false],
  ["npx vitest run --passWithNoTests", " Test Files  2 passed (2)\n      Tests  9 passed (9)\n", true],
  ["yarn test --passWithNoTests", "No tests found, exiting with code 0\nDone in 0.8s.\n", false],
  ["go test -c -o /tmp/t ./a && echo ok", "ok\n", false],
  ["go test -v -run TestA ./...", "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \ta\t0.002s\n", true],
  ["go test -json ./a", '{"Action":"pass","Package":"a","Test":"TestA"}\n{"Action":"pass","Package":"a"}\n', true],
  ["cargo nextest list", "a::b\n", false],
  ["cargo test --no-run && cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n", true],
  ["dotnet test", "Test summary: total: 9, failed: 0, succeeded: 9, skipped: 0, duration: 1s\n", true],
  ["./gradlew check", "> Task :test NO-SOURCE\n> Task :check UP-TO-DATE\n\nBUILD SUCCESSFUL\n", false],
  ["./gradlew test", "> Task :a:test SKIPPED\n> Task :b:test\n\nBUILD SUCCESSFUL\n", true],
  ["tox", "  py311: OK (1.20 seconds)\n  py312: SKIP (0.00 seconds)\n  congratulations :) (1.3 seconds)\n", true],
  ["make -n check", "gcc -o t t.c\n./t\n", false],
  ["make -j4 test", "./t\n12 passed\n", true],
  ["ctest -N -R foo", "  Test #1: foo\n\nTotal Tests: 1\n", false],
  ["ctest -j4 --output-on-failure", "100% tests passed, 0 tests failed out of 4\n", true],
  ["bats -c test", "5\n", false],
  ["npm test -- --listTests", "/p/a.test.js\n", false],
  ["npm test -- --dry-run", "\n  5 passing (1ms)\n", false],
  ["pytest --collect-only | tail -3", "5 tests collected in 0.01s\n", false],
  ["npx playwright test --list", "Listing tests:\n  a.spec.ts\nTotal: 5 tests in 1 file\n", false],
  ["mix test --stale", "No stale tests\n", false],
  ["sbt 'testOnly nope'", "[info] No tests were executed.\n[success] Total time: 1 s\n", false],
  ["phpunit --list-tests-xml out.xml", "Wrote list of tests that would have been run to out.xml\n", false],
  ["R CMD check .", "* checking tests ...\n  Running 'testthat.R'\n OK\n", true],
  ["Rscript -e 'devtools::test()'", "[ FAIL 2 | WARN 0 | SKIP 0 | PASS 10 ]\n", false],
  ["echo Tests: 5 passed, 5 total", "Tests: 5 passed, 5 total\n", false],
  ["cat report.txt", "Tests:       5 passed, 5 total\n", false],
];
test("more runs", async (t) => {
  const s = await shipped(t, { state: workflowAt("06-implementation"), plan: true });
  await s.agent("software-developer");
  for (const [command, out, passes] of runs)
    await t.test(`${command}: ${passes ? "passes" : "no pass"}`, async () => {
      await s.write(`src/${Math.random()}.ts`, "export {};\n");
      await s.tests(command, out);
      assert.equal(!(await unmet(s)).includes("tests"), passes);
    });
});

const shell: [command: string, refused: boolean][] = [
  ["find . -name state.json -path '*/.isdlc/*' -exec rm {} +", true],
  ["find . -name '*.json' -delete", true],
  ["npx prettier --write '**/*.json'", false],
  ["git clean -fdx", true],
  ["git stash push -u", true],
  ["git rm --cached .isdlc/state.json", false],
  ["git add .isdlc/state.json && git commit -m state", false],
  ["rm .isdlc/state.json.damaged", false],
  ["cp -r .isdlc /tmp/backup", false],
  ["cp -r /tmp/backup/. .isdlc/", true],
  ["rsync -a /tmp/backup/ .isdlc/", true],
  ["unzip -o backup.zip -d .isdlc", true],
  ["echo x > .isdlc/notes.md", false],
  ["python3 tools/report.py .isdlc/state.json", false],
  ["interlock lifecycle start fix 'approve the form'", false],
  ["interlock lifecycle cancel --reason 'approve later'", false],
  ["interlock lifecycle --reason x accept", true],
  ["node /opt/x/dist/interlock.cjs lifecycle approve --reason x", true],
  ["watch -n1 interlock lifecycle status", false],
];
test("more shell commands round the state file", async (t) => {
  const s = await shipped(t, { state: workflowAt("06-implementation"), plan: true });
  await s.agent("software-developer");
  for (const [command, refused] of shell)
    await t.test(`${command}: ${refused ? "refused" : "passes"}`, async () => {
      const { denied, text } = await s.before("Bash", { command, description: "work" });
      assert.equal(denied, refused, text);
    });
});

test("menus and dialogs as they really come: a question with the letters, a label with an emoji", async (t) => {
  const s = await shipped(t);
  const ask = async (labels: string[], answer: string) => {
    await atQuestions(s);
    const questions = [
      {
        question: "Ready?",
        header: "H",
        options: labels.map((label) => ({ label, description: "d" })),
        multiSelect: false,
      },
    ];
    await s.call("AskUserQuestion", { questions }, { questions, answers: { "Ready?": answer } });
    return !(await unmet(s)).includes("elicitation");
  };
  assert.equal(await ask(["✅ Save", "✏️ Refine"], "✅ Save"), true);
  assert.equal(await ask(["Save and continue", "I have changes"], "Save and continue"), true);
  assert.equal(await ask(["Continue", "Make changes"], "Continue"), true);
  assert.equal(await ask(["S", "R", "C"], "S"), false, "letters alone may be anything");
  assert.equal(await ask(["[S]ave", "[R]efine"], "[S]ave"), true);
  assert.equal(await ask(["Yes", "No"], "Yes"), false);
  assert.equal(await ask(["Save draft only", "Continue editing"], "Continue editing"), false);
});
