// More of each kind that recorded sessions showed: forms that were written before they were tried.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPrompt } from "../../src/facts/prompts/prompt.js";
import { countsIn } from "../../src/facts/test-reporters.js";
import { runnerOf } from "../../src/facts/test-runners.js";
import type { Event } from "../../src/model/event.js";
import { hasContent } from "../../src/packs/discipline/research/answer-content.js";
import { analyse } from "../../src/shell/index.js";

const counts = (runner: string, text: string) => countsIn(text, runner === "script" ? undefined : runner);

test("more of each kind: outputs in which no test passed", () => {
  const rows = [
    ["jest", "Test Suites: 0 of 3 total\nTests:       0 total\nSnapshots:   0 total\n"],
    ["jest", "No tests found related to files changed since last commit.\n"],
    ["jest", "Tests:       4 skipped, 4 total\n"],
    ["vitest", " Test Files  no tests\n      Tests  no tests\n"],
    ["vitest", "filter:  nope\ninclude: **/*.test.ts\n\nNo test files found, exiting with code 0\n"],
    ["vitest", " Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n"],
    ["go test", "ok  \texample.com/a\t0.002s [no tests to run]\nok  \texample.com/b\t0.002s [no tests to run]\n"],
    ["go test", "no test files\n"],
    ["pytest", "collected 0 items\n\n==== no tests ran in 0.01s ====\n"],
    ["pytest", "==== 12 deselected in 0.02s ====\n"],
    ["pytest", "collected 5 items / 5 deselected / 0 selected\n=== 5 deselected in 0.10s ===\n"],
    ["cargo test", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 14 filtered out\n"],
    ["cargo test", "    Starting 0 tests (42 skipped)\n     Summary [   0.000s] 0 tests run: 0 passed, 42 skipped\n"],
    ["rspec", "All examples were filtered out\n\n0 examples, 0 failures\n"],
    ["mocha", "\n  0 passing (1ms)\n"],
    ["mocha", "  0 passing (2ms)\n  3 pending\n"],
    ["phpunit", "No tests executed!\n"],
    ["phpunit", "OK (0 tests, 0 assertions)\n"],
    ["dotnet test", "No test matches the given testcase filter `FullyQualifiedName~x` in /a/b.dll\n"],
    ["dotnet test", "Passed!  - Failed:     0, Passed:     0, Skipped:     3, Total:     3, Duration: 1 ms - a.dll\n"],
    ["gradle", "> Task :app:test NO-SOURCE\n> Task :lib:test NO-SOURCE\nBUILD SUCCESSFUL in 1s\n"],
    ["gradle", "> No tests found for given includes: [com.x.Y](--tests filter)\n"],
    ["xctest", "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.001) seconds\n"],
    ["xctest", "◇ Test run started.\n✔ Test run with 0 tests passed after 0.001 seconds.\n"],
    ["xctest", "warning: No matching test cases were run\n"],
    ["bun test", "bun test v1.1.0\n\n 0 pass\n 0 fail\nRan 0 tests across 0 files. [8.00ms]\n"],
    ["deno test", "ok | 0 passed | 0 failed (0ms)\n"],
    ["deno test", "error: No test modules found\n"],
    ["node:test", "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\n"],
    ["unittest", "\n------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n"],
    ["unittest", "Ran 0 tests in 0.000s\n\nOK\n"],
    ["maven", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n"],
    ["maven", "[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n"],
    ["script", "Running tests...\n0 tests found\n"],
    ["script", "All 0 tests passed\n"],
    ["script", "\nFinished in 0.02 seconds\n0 tests, 0 failures\n"],
    ["script", "There are no tests to run.\n"],
    ["script", "Test run with 0 tests in 0 suites passed after 0.001 seconds.\n"],
    ["script", " 0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n"],
    ["script", "Could not find any test files\n"],
  ] as const;
  for (const [runner, text] of rows) assert.equal(counts(runner, text)?.passed, 0, `${runner}: ${text}`);
});

test("more of each kind: outputs with counts", () => {
  const rows = [
    ["xctest", "\u2714 Test run with 12 tests passed after 0.003 seconds.\n", 12, 0],
    ["xctest", "\u2718 Test run with 12 tests failed after 0.003 seconds with 2 issues.\n", 10, 2],
    ["script", "3 runs, 5 assertions, 0 failures, 0 errors, 0 skips\n", 3, 0],
    ["script", "Finished in 0.02 seconds\n12 tests, 0 failures\n", 12, 0],
    ["script", "12 tests, 2 failures\n", 10, 2],
  ] as const;
  for (const [runner, text, passed, failed] of rows) {
    const found = counts(runner, text);
    assert.deepEqual([found?.passed, found?.failed], [passed, failed], text);
  }
});

test("more of each kind: test runs", () => {
  const lines = [
    "moon run web:test",
    "pnpm -w run test:unit",
    "yarn workspace @a/b run test",
    "npm --workspaces test",
    "npx lerna run test --scope x",
    "nx run-many --target=test --all",
    "turbo test --filter=./apps/web",
    "just unit",
    "task backend:test",
    "make -C pkg/foo test-unit",
    "mise x -- pytest -q",
    "docker compose exec -T web pytest",
    "npx --no-install vitest run",
    "bundle exec rake spec",
    "poetry run python -m pytest",
    "uv run -m pytest",
    "hatch test",
    "cargo make test",
    "./gradlew :app:testDebugUnitTest",
    "mvn -q -pl core test",
    "dotnet test src/A.sln",
    "swift test --filter Foo",
    "xcodebuild test -scheme App",
    "mix test test/a_test.exs",
    "flutter test test/a_test.dart",
    "deno task test",
    "bun run --filter web test",
    "npm exec -- jest",
    "pipenv run pytest",
    "rye run pytest",
    "composer run test",
    "php artisan test",
    "php vendor/bin/phpunit",
    "./bin/rails test test/models",
    'sbt "testOnly *Foo"',
    "bazel test //pkg:all",
    "CI=true yarn test --watchAll=false",
    "timeout 120 go test ./pkg/...",
    "cross-env NODE_ENV=test jest",
    "dotenv -e .env.test -- vitest run",
    "with-env npm test",
    "env -u FOO npm test",
    "node node_modules/.bin/jest",
    "./node_modules/.bin/vitest run",
    "node ./node_modules/jest/bin/jest.js",
    "python -m nose2",
    "python3 -m tox -e py311",
    "sh ./test/run.sh",
    "npm run test --workspace web",
    "yarn dlx vitest run",
  ];
  for (const line of lines) {
    const { commands } = analyse(line, { cwd: "/p", root: "/p", home: "/h", readFile: () => undefined });
    assert.ok(
      commands.some((c) => runnerOf(c, "/p")?.level === "test"),
      line,
    );
  }
});

const answer = (text: string): Event => ({ outcome: { ok: true, text } }) as Event;

test("more of each kind: empty answers, and answers that only sound like it", () => {
  const empty = [
    "No results.",
    "Your search did not match any documents.",
    "0 results found",
    "We couldn't find any matches for that query.",
    "No documentation found for this library ID.",
    "Nothing matched your query.",
    "Sorry, no pages match.",
    "There are no repositories matching your search.",
    "The library you requested was not found.",
    "No snippets available for this topic.",
    "No relevant content could be located.",
    "I was unable to locate any information on this topic.",
    "Your query returned an empty result set.",
    '{"total_count":0,"incomplete_results":false,"items":[]}',
    'No hits for "foo bar" in the index.',
    "Search returned zero matches.",
    "I wasn't able to find anything about that.",
    "Result: (empty list, nothing to show)",
    "No code results.",
    "Page not found - 404 error",
    "It seems there is no documentation for this function.",
    "Did not find any relevant results.",
  ];
  for (const text of empty) assert.equal(hasContent(answer(text), false), false, text);
  const real = [
    "The retry option defaults to 3; set 0 to disable it. No results are cached.",
    "fetch() rejects only when the network fails. Not found responses (404) resolve normally, so check response.ok.",
    "No configuration is needed: install the package and import it.\n\n```js\nimport x from 'x'\n```",
    "Array.prototype.find returns undefined when nothing is found; findIndex returns -1 in that case.",
    "Zero-downtime deploys work by starting the new process first, then draining the old one.",
  ];
  for (const text of real) assert.equal(hasContent(answer(text), false), true, text);
});

test("more of each kind: big and small orders", () => {
  const small = [
    "delete all console.log lines",
    "rename every occurrence of foo to bar in utils.ts",
    "fix all the typos in the README",
    "update all imports to use the alias",
    "make the entire header sticky",
    "show the full error message in the toast",
    "bump all dependencies' patch versions",
    "remove all unused variables",
    "print the complete stack trace",
    "make the whole card a link",
    "rerun everything",
    "stage all files and commit",
    "apply all the review comments",
    "fix every eslint warning",
    "add a full stop at the end of the sentence",
    "push all branches",
    "remove every TODO comment",
  ];
  for (const text of small) assert.notEqual(readPrompt(text).kind, "big-task", text);
  const big = [
    "rewrite the entire authentication layer",
    "convert every class component to hooks",
    "port the whole backend from Express to Fastify",
    "migrate all our tests from mocha to vitest",
    "redesign the complete dashboard UI",
    "refactor every service to use dependency injection",
    "build a full-stack app for tracking expenses",
    "replace the ORM across the whole codebase",
    "restructure the entire monorepo",
    "rebuild the whole settings module from scratch",
    "convert all callbacks to async/await",
    "implement a complete payment system",
    "overhaul the permissions model",
    "modernize the whole frontend",
    "translate the entire application into German",
  ];
  for (const text of big) assert.equal(readPrompt(text).kind, "big-task", text);
});

test("more of each kind: what is asked for besides the change, and what only sounds like it", () => {
  const not = [
    ["make sure users are told to run the tests", "tests"],
    ["explain in the README how to commit with a sign-off", "commit"],
    ["the button lets people push to production; make it red", "push"],
    ["when the agent asks whether to commit, say no by default", "commit"],
    ["add an option to push tags", "push"],
    ["log when the hook tried to run the tests", "tests"],
    [
      "here is what I saw:\n\n    $ tool\n    Options:\n    1. Commit it\n    2. Run the tests\n    3. push it\n\nwhy?",
      "commit",
    ],
    ["still wrong:\n* commit 1234567890ab\n| Author: A\n| \n|     Update the docs\n| ", "docs"],
    ['fix it:\n{"level":"info","msg":"then commit it"}', "commit"],
    ["document what CI does when it fails to push", "push"],
  ] as const;
  for (const [text, ask] of not) assert.ok(!readPrompt(text).asks.includes(ask), text);
  const asked = [
    ["fix it and run the tests", "tests"],
    ["make it red, then commit", "commit"],
    ["please push when done", "push"],
    ["update the readme too", "docs"],
    ["add unit tests for the parser", "tests"],
    ["I want you to commit this", "commit"],
    ["don't forget to push it", "push"],
    ["fix the bug, run all the tests and commit", "commit"],
  ] as const;
  for (const [text, ask] of asked) assert.ok(readPrompt(text).asks.includes(ask), text);
});

test("more of each kind: orders that look like questions", () => {
  const rows = [
    ["can you check out the branch feature/x and we do the struct approach?", "task"],
    ["consider removing these unused wrappers", "task"],
    ["can you check where this is used?", "research-only"],
    ["check out main", "task"],
    ["look at the logs and tell me why it fails", "research-only"],
    ["can you take a look at: The wrapper is unused. Consider removing it to reduce duplication.", "task"],
  ] as const;
  for (const [text, kind] of rows) assert.equal(readPrompt(text).kind, kind, text);
});
