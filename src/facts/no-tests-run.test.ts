// Output of runs in which no test was executed, and of runs that executed some, for many runners.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../model/event.js";
import { testRunOf } from "./test-run.js";

/** All of these end with exit code 0. */
const nothing: [command: string, output: string][] = [
  ["npx ava", '\n  \u2716 No tests found in test.js, make sure to import "ava" at the top of your test file\n'],
  ["npx ava", "  0 tests passed\n"],
  ["mix test", "There are no tests to run\n"],
  ["mix test", "Finished in 0.02 seconds (0.00s async, 0.02s sync)\n0 tests, 0 failures\n"],
  ["mix test", "All tests have been excluded.\n\nFinished in 0.02 seconds\n12 tests, 0 failures, 12 excluded\n"],
  ["ctest", "Test project /p/build\nNo tests were found!!!\n"],
  ["prove -r t", "Files=0, Tests=0,  0 wallclock secs ( 0.00 usr +  0.00 sys =  0.00 CPU)\nResult: NOTESTS\n"],
  ["bats test", "1..0\n"],
  ["npx karma start --single-run", "Chrome Headless 120: Executed 0 of 0 SUCCESS (0.002 secs / 0 secs)\n"],
  ["npx jasmine", "Randomized with seed 1\nStarted\n\n\nNo specs found\nFinished in 0.002 seconds\n"],
  ["npx jasmine", "0 specs, 0 failures\nFinished in 0.002 seconds\n"],
  ["flutter test", "No tests ran.\n"],
  ["dart test", "No tests ran.\n"],
  ["sbt test", "[info] No tests to run for Test / testQuick\n[success] Total time: 1 s\n"],
  ["sbt test", "[info] Passed: Total 0, Failed 0, Errors 0, Passed 0\n[success] Total time: 1 s\n"],
  [
    "sbt test",
    "[info] Total number of tests run: 0\n" +
      "[info] Tests: succeeded 0, failed 0, canceled 0, ignored 0, pending 0\n" +
      "[info] No tests were executed.\n",
  ],
  [
    "cargo nextest run",
    "    Starting 0 tests across 1 binary (5 tests skipped)\n" +
      "     Summary [   0.001s] 0 tests run: 0 passed, 5 skipped\n",
  ],
  ["swift test", "\u25c7 Test run started.\n\u2714 Test run with 0 tests passed after 0.001 seconds.\n"],
  ["swift test", "Test run with 0 tests in 0 suites passed after 0.001 seconds.\n"],
  ["pytest -k nothing", "collected 5 items / 5 deselected / 0 selected\n\n====== 5 deselected in 0.01s ======\n"],
  ["pytest", "======= no tests ran in 0.01s =======\n"],
  [
    "python -m unittest discover",
    "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n",
  ],
  [
    "behave",
    "0 features passed, 0 failed, 0 skipped\n0 scenarios passed, 0 failed, 0 skipped\n" +
      "0 steps passed, 0 failed, 0 skipped, 0 undefined\nTook 0m0.000s\n",
  ],
  ["npx cucumber-js", "0 scenarios\n0 steps\n0m00.000s\n"],
  ["lein test", "Ran 0 tests containing 0 assertions.\n0 failures, 0 errors.\n"],
  ["zig build test", "All 0 tests passed.\n"],
  ["crystal spec", "Finished in 30 microseconds\n0 examples, 0 failures, 0 errors, 0 pending\n"],
  ["npx tape test/*.js", "TAP version 13\n\n1..0\n# tests 0\n# pass  0\n\n# ok\n"],
  ["npx uvu tests", "\n  Total:     0\n  Passed:    0\n  Skipped:   0\n  Duration:  0.00ms\n"],
  ["npx wtr", "Finished running tests, 0 passed, 0 failed\n"],
  ["bazel test //...", "ERROR: No test targets were found, yet testing was requested\n"],
  ["bazel test //...", "INFO: Build completed successfully, 1 total action\nExecuted 0 out of 0 tests\n"],
  ["npx turbo test", "No tasks were executed as part of this run.\n\n Tasks:    0 successful, 0 total\n"],
  ["npx nx run-many -t test", "\n >  NX   No tasks were run\n\n"],
  ["npx nx affected -t test", " NX   No tasks were run\n"],
  ["pnpm -r test", 'None of the selected packages has a "test" script\n'],
  ["npx lerna run test", "lerna info No packages found with the lifecycle script 'test'\n"],
  ["make test", "make: Nothing to be done for 'test'.\n"],
  ["make test", "make: 'test' is up to date.\n"],
  ["npm test", '\n> a@1.0.0 test\n> echo "no tests yet"\n\nno tests yet\n'],
  ["npm test", "\n> a@1.0.0 test\n> true\n\n"],
  ["npm test", "\n> a@1.0.0 test\n> exit 0\n\n"],
  ["npm test", "\n> a@1.0.0 test\n> :\n"],
  ["yarn test", "yarn run v1.22.19\n$ echo no test specified\nno test specified\nDone in 0.05s.\n"],
  ["pnpm test", "\n> a@1.0.0 test /p\n> echo 'TODO'\n\nTODO\n"],
  ["bun run test", "$ echo todo\ntodo\n"],
  ["npm test", "\n> a@1.0.0 test\n> jest --passWithNoTests\n\nNo tests found, exiting with code 0\n"],
  ["npm test", "\n> a@1.0.0 test\n> vitest run\n\nNo test files found, exiting with code 0\n"],
  ["composer test", "No tests executed!\n"],
  ["vendor/bin/pest", "  INFO  No tests found.\n"],
  [
    "rails test",
    "Running 0 tests in a single process\nRun options: --seed 1\n\n# Running:\n\n\n" +
      "Finished in 0.001s\n0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n",
  ],
  ["busted", "0 successes / 0 failures / 0 errors / 0 pending : 0.0 seconds\n"],
  [
    "npx cypress run",
    "  (Run Finished)\n\n       Spec   Tests  Passing  Failing  Pending  Skipped\n" +
      "    \u2714  All specs passed!   1ms   -   -   -   -   -\n",
  ],
  ["npx playwright test --pass-with-no-tests", "\n  No tests found\n"],
  ["npx playwright test", "\nRunning 3 tests using 1 worker\n\n  3 skipped\n"],
  ["cabal test", "No tests to run.\n"],
  ["stack test", "0 examples, 0 failures\n"],
  ["gradle test", "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n"],
  ["mvn test", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n"],
  ["mvn test", "[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n"],
  ["dotnet test --filter X", "No test matches the given testcase filter `X` in /p/a.dll\n"],
  ["dotnet test", "Test run summary: Zero tests ran\n  total: 0\n  failed: 0\n  succeeded: 0\n  skipped: 0\n"],
  ["go test ./...", "testing: warning: no tests to run\nPASS\nok  \texample.com/a\t0.002s [no tests to run]\n"],
  ["gotestsum", "\nDONE 0 tests in 0.101s\n"],
  ["ginkgo", "Ran 0 of 0 Specs in 0.000 seconds\nSUCCESS! -- 0 Passed | 0 Failed | 0 Pending | 0 Skipped\nPASS\n"],
  ["bun test", "bun test v1.1\n\n 0 pass\n 0 fail\nRan 0 tests across 0 files. [5.00ms]\n"],
  ["deno test", "ok | 0 passed | 0 failed | 5 filtered out (2ms)\n"],
  ["npx vitest run", " Test Files  no tests\n      Tests  no tests\n"],
  ["npx vitest run -t x", " Test Files  3 skipped (3)\n      Tests  12 skipped (12)\n"],
  ["node --test", "\u2139 tests 0\n\u2139 suites 0\n\u2139 pass 0\n\u2139 fail 0\n"],
  ["npx mocha", "\n\n  0 passing (2ms)\n  4 pending\n"],
  ["phpunit", "OK, but some tests were skipped!\nTests: 3, Assertions: 0, Skipped: 3.\n"],
  ["nox", "nox > No sessions selected after filtering by keyword.\n"],
];
const passing: [command: string, output: string][] = [
  ["npx ava", "  5 tests passed\n"],
  ["mix test", "Finished in 0.02 seconds\n12 tests, 0 failures\n"],
  ["mix test", "12 tests, 0 failures, 2 excluded\n"],
  ["ctest", "100% tests passed, 0 tests failed out of 12\n"],
  ["prove -r t", "All tests successful.\nFiles=2, Tests=10,  0 wallclock secs\nResult: PASS\n"],
  ["bats test", "1..3\nok 1 a\nok 2 b\nok 3 c\n"],
  ["npx karma start", "Chrome: Executed 12 of 12 SUCCESS (0.2 secs)\n"],
  ["npx jasmine", "5 specs, 0 failures\n"],
  ["flutter test", "00:02 +5: All tests passed!\n"],
  ["sbt test", "[info] Passed: Total 10, Failed 0, Errors 0, Passed 10\n"],
  [
    "behave",
    "1 feature passed, 0 failed, 0 skipped\n3 scenarios passed, 0 failed, 0 skipped\n" +
      "10 steps passed, 0 failed, 0 skipped, 0 undefined\n",
  ],
  ["npx cucumber-js", "3 scenarios (3 passed)\n9 steps (9 passed)\n"],
  ["lein test", "Ran 10 tests containing 20 assertions.\n0 failures, 0 errors.\n"],
  ["zig build test", "All 10 tests passed.\n"],
  ["zig build test", ""],
  ["npx uvu tests", "  Total:     10\n  Passed:    10\n  Skipped:   0\n"],
  ["bazel test //...", "Executed 0 out of 3 tests: 3 tests pass.\n"],
  ["bazel test //...", "Executed 3 out of 3 tests: 3 tests pass.\n"],
  [
    "npx turbo test",
    " Tasks:    2 successful, 2 total\nCached:    2 cached, 2 total\n  Time:    50ms >>> FULL TURBO\n",
  ],
  ["npx nx run-many -t test", " NX   Successfully ran target test for 3 projects\n"],
  ["make test", "gcc -o t t.c\n./t\nall good\n"],
  ["make test", "make[1]: Nothing to be done for 'all'.\n./run-tests\n12 passed\n"],
  ["npm test", "\n> a@1.0.0 test\n> node test.js\n\nok\n"],
  [
    "npm test",
    "\n> a@1.0.0 pretest\n> echo preparing\n\npreparing\n\n> a@1.0.0 test\n> jest\n\n" +
      "Tests:       5 passed, 5 total\n",
  ],
  ["npm test", "\n> a@1.0.0 test\n> echo start && node run.js\n\nstart\nfine\n"],
  ["yarn test", "yarn run v1.22.19\n$ jest\nTests:       5 passed, 5 total\nDone in 0.05s.\n"],
  ["dotnet test", "Test run summary: Passed!\n  total: 12\n  failed: 0\n  succeeded: 12\n  skipped: 0\n"],
  ["go test ./...", "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.002s\n"],
  ["gradle test", "> Task :a:test NO-SOURCE\n> Task :b:test\n\nBUILD SUCCESSFUL in 1s\n"],
  ["gradle test", "> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s\n"],
  [
    "npm test --workspaces",
    "\n> a@1.0.0 test\n> vitest run\n\nNo test files found, exiting with code 0\n\n> b@1.0.0 test\n" +
      "> vitest run\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n",
  ],
  ["busted", "3 successes / 0 failures / 0 errors / 0 pending : 0.0 seconds\n"],
  ["tox", "  py311: OK (1.00 seconds)\n  congratulations :) (1.05 seconds)\n"],
  ["npx wtr", "Finished running tests in 1s, all tests passed!\n"],
  [
    "cargo test",
    "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored\n\n   Doc-tests a\n\n" +
      "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n",
  ],
  ["npx cypress run", "    \u2714  All specs passed!   12s   5   5   -   -   -\n"],
];

function okOf(command: string, text: string): boolean | undefined {
  const [program = "", ...argv] = command.split(" ");
  const event = {
    kind: "tool.after",
    tool: { name: "Bash", kind: "shell", input: { command }, command },
    outcome: { ok: true, text, exitCode: 0 },
  } as unknown as Event;
  const name = program.replace(/^.*\//, "");
  const run = testRunOf(event, [{ program: name, argv }]);
  assert.equal(run?.level, "test", `${command} is not known as a test run`);
  return run?.ok;
}

for (const [command, output] of nothing)
  test(`no test was run: ${command} prints ${JSON.stringify(output.slice(0, 60))}`, () =>
    assert.equal(okOf(command, output), undefined));

for (const [command, output] of passing)
  test(`tests passed: ${command} prints ${JSON.stringify(output.slice(0, 60))}`, () =>
    assert.equal(okOf(command, output), true));
