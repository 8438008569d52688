import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../model/event.js";
import { hiding } from "./exit-code.js";
import { countsIn } from "./test-reporters.js";
import { testRunOf } from "./test-run.js";
import { type ProgramCall, runnerOf } from "./test-runners.js";

const counts = (collected: number, passed: number, failed: number, skipped: number) => ({
  collected,
  passed,
  failed,
  skipped,
});

const outputs: readonly (readonly [string, ReturnType<typeof counts> | undefined, string])[] = [
  [
    "vitest",
    counts(14, 10, 1, 3),
    " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 10 passed | 2 skipped | 1 todo (14)\n  " +
      " Start at  10:00:00\n",
  ],
  [
    "vitest",
    counts(5, 5, 0, 0),
    "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m5 passed\u001b[39m\u001b[22m\u001b[90m (5)\u001b[39m\n",
  ],
  [
    "jest",
    counts(6, 3, 1, 2),
    "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 2 skipped, 3 passed, 6 " +
      "total\nSnapshots:   0 total\n",
  ],
  [
    "node:test",
    counts(5, 4, 1, 0),
    "ℹ tests 5\nℹ suites 0\nℹ pass 4\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
  ],
  [
    "node:test",
    counts(5, 3, 0, 2),
    "1..5\n# tests 5\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 1\n",
  ],
  ["pytest", counts(5, 2, 2, 1), "==== 1 failed, 2 passed, 1 skipped, 1 error, 3 warnings in 0.12s ====\n"],
  ["pytest", counts(2, 2, 0, 0), "..\n2 passed in 0.01s\n"],
  [
    "maven",
    counts(5, 3, 1, 1),
    "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.1 s <<< FAILURE!\n[ERROR] " +
      "Tests run: 5, Failures: 1, Errors: 0, Skipped: 1\n[INFO] BUILD FAILURE\n",
  ],
  ["jest", counts(0, 0, 0, 0), "No tests found, exiting with code 0\n"],
  ["jest", counts(3, 3, 0, 0), "No tests found, exiting with code 0\nTests:       3 passed, 3 total\n"],
  ["vitest", counts(0, 0, 0, 0), "No test files found, exiting with code 0\n"],
  ["go test", counts(0, 0, 0, 0), "?   \texample.com/a\t[no test files]\n"],
  [
    "go test",
    counts(0, 0, 0, 0),
    "testing: warning: no tests to run\nPASS\nok  \texample.com/a\t0.002s [no tests to run]\n",
  ],
  ["go test", counts(1, 1, 0, 0), "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.002s\n"],
  ["gradle", counts(0, 0, 0, 0), "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n"],
  ["bun test", counts(0, 0, 0, 0), "No tests found!\n"],
  ["maven", counts(0, 0, 0, 0), "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"],
  [
    "gradle",
    counts(5, 3, 1, 1),
    "AppTest > adds FAILED\n\n5 tests completed, 1 failed, 1 skipped\n\nBUILD FAILED in 2s\n",
  ],
  [
    "dotnet test",
    counts(5, 4, 1, 0),
    "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 12 ms - a.dll\n",
  ],
  ["phpunit", counts(0, 0, 0, 0), "No tests executed!\n"],
  ["pytest", counts(0, 0, 0, 0), "==== no tests ran in 0.01s ====\n"],
  ["unittest", counts(5, 3, 1, 1), "Ran 5 tests in 0.001s\n\nFAILED (failures=1, skipped=1)\n"],
  [
    "go test",
    counts(3, 1, 1, 1),
    "--- PASS: TestA (0.00s)\n    --- FAIL: TestB/x (0.00s)\n--- SKIP: TestC (0.00s)\nFAIL\n",
  ],
  [
    "go test",
    counts(2, 1, 1, 0),
    "ok  \texample.com/a\t0.01s\nFAIL\texample.com/b [build failed]\n?   \texample.com/c\t[no test files]\n",
  ],
  ["go test", counts(1, 1, 0, 0), '{"Time":"x","Action":"pass","Package":"a","Test":"TestA","Elapsed":0}\n'],
  [
    "cargo test",
    counts(9, 7, 1, 1),
    "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\ntest result: FAILED. 2 " +
      "passed; 1 failed; 0 ignored; 0 measured\n",
  ],
  ["mocha", counts(6, 4, 1, 1), "  4 passing (20ms)\n  1 pending\n  1 failing\n"],
  ["rspec", counts(5, 3, 1, 1), "5 examples, 1 failure, 1 pending\n"],
  ["bun test", counts(3, 2, 1, 0), " 2 pass\n 1 fail\n 4 expect() calls\n"],
  ["deno test", counts(3, 3, 0, 0), "ok | 3 passed | 0 failed (20ms)\n"],
  ["xctest", counts(5, 4, 1, 0), "Executed 5 tests, with 1 failure (0 unexpected) in 0.1 seconds\n"],
  ["phpunit", counts(5, 4, 1, 0), "Tests: 5, Assertions: 9, Failures: 1.\n"],
  ["phpunit", counts(3, 1, 1, 1), "  Tests:    1 failed, 1 skipped, 1 passed (2 assertions)\n  Duration: 0.2s\n"],
  ["ctest", counts(3, 2, 1, 0), "67% tests passed, 1 tests failed out of 3\n"],
  ["busted", counts(5, 3, 1, 1), "3 successes / 1 failure / 0 errors / 1 pending : 0.01 seconds\n"],
  ["busted", counts(4, 3, 1, 0), "Success: \t3\t\nFailed : \t1\t\nErrors : \t0\t\n"],
  ["tap", counts(3, 1, 1, 1), "1..3\nok 1 adds\nnot ok 2 subtracts\nok 3 divides # skip later\n"],
  ["tap", undefined, "ok 2 adds\nok 3 divides\n"],
  ["tap", undefined, "1..3\nok 1 adds\n"],
  ["vitest", undefined, "all tests pass, I promise: 12 passed\n"],
];
for (const [runner, wanted, text] of outputs)
  test(`${runner} prints ${JSON.stringify(text.slice(0, 50))}`, () => {
    assert.deepEqual(countsIn(text, runner), wanted);
    if (wanted && runner !== "bun test") assert.deepEqual(countsIn(text), wanted, "recognised without being named");
  });

const call = (line: string): ProgramCall => ({ program: line.split(" ")[0]!, argv: line.split(" ").slice(1) });

test("runners are known by program and arguments", () => {
  for (const [line, runner] of [
    ["vitest run", "vitest"],
    ["npx vitest run src", "vitest"],
    ["npx --yes jest@29", "jest"],
    ["pnpm exec vitest", "vitest"],
    ["node --test build", "node:test"],
    ["python3 -m pytest -q", "pytest"],
    ["python -m unittest", "unittest"],
    ["uv run pytest", "pytest"],
    ["go test ./...", "go test"],
    ["cargo test", "cargo test"],
    ["npm test", "script"],
    ["npm run test:unit", "script"],
    ["yarn test", "script"],
    ["make -j4 test", "script"],
    ["bun test", "bun test"],
    ["./gradlew test".replace("./", ""), "gradle"],
    ["tsc --noEmit", "tsc"],
    ["npm run typecheck", "script"],
    ["cargo check", "cargo check"],
    ["gradlew :app:installDebug", "script"],
    ["gradlew :app:compileDebugKotlin", "script"],
    ["jupyter nbconvert --to notebook --execute a.ipynb", "nbconvert"],
  ] as const)
    assert.equal(runnerOf(call(line))?.runner, runner, line);
  for (const line of [
    "echo vitest",
    "cat jest.config.js",
    "npm install",
    "gradlew installation",
    "jupyter nbconvert --clear-output a.ipynb",
    "npm run dev",
    "vitest --help",
    "pytest --collect-only",
    "node test.js",
    "python3 -m http.server",
    "go run ./test",
    "git test",
  ])
    assert.equal(runnerOf(call(line)), undefined, line);
  assert.equal(runnerOf(call("npm run lint"))?.level, "check");
  assert.equal(runnerOf(call("npm run test"))?.level, "test");
});

test("whose exit code it is", () => {
  for (const [command, wanted] of [
    ["npm test", "no"],
    ["cd app && npm test", "no"],
    ["npm test && echo done", "no"],
    ["npm test 2>&1", "no"],
    ["npm test > out.txt 2>&1", "no"],
    ["(npm test)", "no"],
    ["npm test 2>&1 | tail -20", "pipe"],
    ["set -o pipefail; npm test | tail -5", "no"],
    ["npm test || true", "masked"],
    ["npm test; echo 'Tests 5 passed (5)'", "masked"],
    ["npm test | grep -v fail", "masked"],
    ["npm test | tail -1; echo ok", "masked"],
    ["npm test &", "masked"],
    ["! npm test", "masked"],
    ["if npm test; then echo ok; fi", "masked"],
    ["echo $(npm test)", "masked"],
    ['bash -c "npm test || true"', "masked"],
    ["npm test\ntrue", "masked"],
  ] as const)
    assert.equal(hiding(command, ["npm"]), wanted, command);
  for (const [command, wanted] of [
    ["pnpm assist 2>&1", "no"],
    ["cd app && pnpm assist", "no"],
    ["pnpm assist 2>&1 | tail -5", "pipe"],
    ["pnpm assist; true", "masked"],
    ["! pnpm assist", "masked"],
    ["./assist", "masked"],
    ['pnpm exec sh -c "biome check; true"', "masked"],
  ] as const)
    assert.equal(hiding(command, ["biome"]), wanted, `${command}, where the script calls biome`);
});

test("more of the project is run after the tests", () => {
  const more = "make test 2>&1 | tail -3; make verify 2>&1 | tail -3; zsh mutations.sh";
  const shown = (text: string, command = more, exit = 0) => run(command, text, exit)?.ok;
  assert.equal(shown("12 passed in 0.4s\nverified 4 files\n9 of 9 mutants killed\n"), true);
  assert.equal(shown("verified 4 files\n9 of 9 mutants killed\n"), undefined, "no summary");
  assert.equal(shown("1 failed, 11 passed in 0.4s\n9 of 9 mutants killed\n"), false);
  assert.equal(shown("make: *** [Makefile:3: test] Error 2\n12 passed in 0.4s\n"), undefined, "something failed");
  assert.equal(shown("12 passed in 0.4s\n", "make test | tail -3; node -e 'console.log(1)'"), undefined);
  assert.equal(shown("12 passed in 0.4s\n", "make test > out.txt; zsh mutations.sh"), undefined);
});

const passing = "ℹ tests 5\nℹ pass 5\nℹ fail 0\nℹ skipped 0\n";
const failing = "ℹ tests 5\nℹ pass 4\nℹ fail 1\nℹ skipped 0\n";
function run(
  command: string,
  text: string,
  exitCode: number | undefined,
  more: { ok?: boolean; background?: boolean } = {},
) {
  const event: Event = {
    kind: exitCode ? "tool.failed" : "tool.after",
    host: "x",
    hostEvent: "x",
    session: "s",
    cwd: "/p",
    env: {},
    raw: {},
    tool: { name: "Bash", kind: "shell", input: {}, command, background: more.background },
    outcome: { ok: more.ok ?? !exitCode, text, ...(exitCode !== undefined && { exitCode }) },
  };
  return testRunOf(event, [call(command.split(/\s*(?:&&|\|\||[;|])\s*/)[0]!)]);
}

test("a run is proof only when its own result is seen", () => {
  assert.equal(run("npm test", passing, 0)?.ok, true);
  assert.equal(run("npm test", "", 0)?.ok, true);
  assert.equal(run("npm test", failing, 1)?.ok, false);
  assert.equal(run("npm test || true", failing, 0)?.ok, false, "a failing summary counts whatever the exit code");
  assert.equal(run("npm test || true", "", 0)?.ok, undefined);
  assert.equal(run("npm test > /dev/null; echo", passing, 0)?.ok, undefined);
  assert.equal(run("npm test | tail -5", passing, 0)?.ok, true);
  assert.equal(run("npm test | tail -1", "", 0)?.ok, undefined);
  assert.equal(run("npm test", "ℹ tests 0\nℹ pass 0\nℹ fail 0\n", 0)?.ok, undefined, "nothing was run");
  assert.equal(run("npm test", passing, undefined, { background: true })?.ok, undefined);
  assert.equal(run("echo tests 5 passed", passing, 0), undefined);
});

test("a large output of blank lines is read in one pass", () => {
  assert.equal(countsIn("\n".repeat(400_000)), undefined);
  assert.equal(countsIn(" \t".repeat(200_000)), undefined);
  assert.equal(hiding('\\"'.repeat(9_000), ["npm"]), "masked");
});

test("a filter that lets a failing summary through hides nothing", () => {
  const jest = "Test Suites: 2 passed, 2 total\nTests:       5 passed, 5 total\n";
  assert.equal(run('npm test 2>&1 | grep -E "Test Suites:|Tests:"', jest, 0)?.ok, true);
  assert.equal(run("npm test | grep Tests:", jest, 0)?.ok, true);
  assert.equal(run('npm test | grep "5 passed, 5"', jest, 0)?.ok, undefined, "a failing line would be dropped");
  assert.equal(run("npm test | grep -o 'Tests:.*'", jest, 0)?.ok, undefined);
  const cargo = "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
  assert.equal(run("cargo test | grep 'test result:'", cargo, 0)?.ok, true);
  assert.equal(run("cargo test | grep 'test result: ok'", cargo, 0)?.ok, undefined);
});

test("an exit code that the command shows is the runner's", () => {
  assert.equal(run('npm test > out.txt 2>&1; echo "exit $?"', "exit 0\n", 0)?.ok, true);
  assert.equal(run('npm test > out.txt 2>&1; echo "exit $?"', "exit 1\n", 0)?.ok, false);
  assert.equal(run("npm test | tail -3; echo EXIT=$?", "EXIT=0\n", 0)?.ok, undefined, "that of tail");
  assert.equal(run("npm test | tail -3; echo EXIT=${PIPESTATUS[0]}", "EXIT=0\n", 0)?.ok, true);
  assert.equal(run('npm test; true; echo "exit $?"', "exit 0\n", 0)?.ok, undefined);
});

test("a build behind tail is judged by its last words", () => {
  assert.equal(run("pnpm --filter web build 2>&1 | tail -5", "> vite build\n✓ built in 3.25s\n", 0)?.ok, true);
  assert.equal(run("pnpm --filter api build | tail -5", "> api@1.0.0 build /p\n> nest build\n", 0)?.ok, true);
  assert.equal(
    run("pnpm --filter web build | tail -5", "> tsc -b\n ELIFECYCLE  Command failed with exit code 1.\n", 0)?.ok,
    undefined,
  );
  assert.equal(run("pnpm build | head -5", "> a@1.0.0 build /p\n> nest build\n", 0)?.ok, undefined, "not the end");
  assert.equal(run("npm run build | tail -5", "> a@1.0.0 build\n> tsc\n", 0)?.ok, undefined, "npm may say nothing");
  assert.equal(run("cargo build 2>&1 | tail -3", "    Finished `dev` profile [unoptimized] in 1.2s\n", 0)?.ok, true);
});

test("summaries of runners that print them in their own way, behind a pipe", () => {
  const nx = " NX   Successfully ran target test for 3 projects (3s)\n";
  assert.equal(run("nx run-many -t test 2>&1 | tail -5", nx, 0)?.ok, true);
  assert.equal(
    run("nx run-many -t test | tail -5", " NX   Ran target test for 3 projects\n  ✖  1/3 failed\n", 0)?.ok,
    undefined,
  );
  assert.equal(run("bats test 2>&1 | tail -4", "1..3\nok 1 a\nok 2 b\nok 3 c\n", 0)?.ok, true);
  assert.equal(run("bats test | tail -2", "ok 2 b\nok 3 c\n", 0)?.ok, undefined, "the first is cut off");
  assert.equal(run("bats test | tail -4", "1..3\nok 1 a\nnot ok 2 b\nok 3 c\n", 0)?.ok, false);
  assert.equal(
    run("ctest --test-dir build 2>&1 | tail -3", "100% tests passed, 0 tests failed out of 4\n", 0)?.ok,
    true,
  );
  assert.equal(run("npm run build 2>&1 | tail -1", "Your web extension is ready: a.zip\n", 0)?.ok, true);
});

test("a linter's clean summary behind a filter that shows errors", () => {
  const clean = "errors          0\nwarnings        0\n";
  assert.equal(run('npm run lint 2>&1 | grep -E "errors|warnings"', clean, 0)?.ok, true);
  assert.equal(run('npm run lint 2>&1 | grep -E "errors|warnings"', "errors          2\n", 0)?.ok, undefined);
  assert.equal(run("npm run lint 2>&1 | grep warnings", "warnings 0\n", 0)?.ok, undefined, "errors would be dropped");
  assert.equal(run('npm run lint | grep error; echo "errors 0"', "errors 0\n", 0)?.ok, undefined, "its own words");
  assert.equal(run("npm run lint | grep error", "", 0)?.ok, undefined, "nothing was shown");
});
