// Runs in which no test was executed, tests listed instead of run, and work done after the tests, through the built
// program. Written before any of them was tried.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { lifecycleHere } from "./calls.js";
import { workflowAt } from "./project.js";
import { type ShippedProject, shipped } from "./shipped.js";

const inCode = { state: workflowAt("06-implementation"), plan: true };
const needs = async (s: ShippedProject): Promise<string[]> => {
  await s.recorded();
  return ((await lifecycleHere(s.p, "next")) as unknown as { unmet: { need: string }[] }).unmet.map((u) => u.need);
};

const nothing: [command: string, output: string][] = [
  ["npx jest --onlyChanged", "No tests found related to files changed since last commit.\n"],
  ["npx jest", "Test Suites: 0 of 3 total\nTests:       0 total\nSnapshots:   0 total\n"],
  ["npx jest", "Test Suites: 3 skipped, 0 of 3 total\nTests:       9 skipped, 9 total\n"],
  ["npx vitest run nope", "\nfilter: nope\ninclude: **/*.test.ts\n\nNo test files found, exiting with code 0\n"],
  ["npx vitest run", " Test Files  1 passed (1)\n      Tests  4 todo (4)\n"],
  ["go test ./...", "?   \ta\t[no test files]\n?   \tb/c\t[no test files]\n"],
  ["go test -run Nope ./...", "ok  \ta\t(cached) [no tests to run]\nok  \tb\t0.001s [no tests to run]\n"],
  ["go test -json ./...", '{"Action":"start","Package":"a"}\n{"Action":"skip","Package":"a","Elapsed":0}\n'],
  [
    "cargo test nope",
    "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 12 filtered out\n\n" +
      "   Doc-tests a\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured\n",
  ],
  ["pytest -q", "\nno tests ran in 0.00s\n"],
  ["pytest", "=========== 5 skipped in 0.02s ===========\n"],
  ["vendor/bin/phpunit", "PHPUnit 10.5\n\nOK (0 tests, 0 assertions)\n"],
  ["dotnet test", "Passed!  - Failed:     0, Passed:     0, Skipped:     3, Total:     3, Duration: 5 ms - a.dll\n"],
  [
    "dotnet test",
    "Test summary: total: 0, failed: 0, succeeded: 0, skipped: 0, duration: 0.5s\nBuild succeeded in 1s\n",
  ],
  ["./gradlew testDebugUnitTest", "> Task :app:testDebugUnitTest NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n"],
  ["./gradlew test", "> Task :test SKIPPED\n\nBUILD SUCCESSFUL in 400ms\n"],
  ["mvn -q test -Dtest=Nope -DfailIfNoTests=false", "No tests were executed!\n"],
  [
    "mvn -Dmaven.test.skip=true test",
    "[INFO] Not compiling test sources\n[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n",
  ],
  [
    "bundle exec rspec",
    "Run options: include {:focus=>true}\n\nAll examples were filtered out\n\n\n0 examples, 0 failures\n",
  ],
  ["bundle exec rspec", "***\n\n3 examples, 0 failures, 3 pending\n"],
  ["bun test", "bun test v1.2\n\n 0 pass\n 3 skip\n 0 fail\nRan 3 tests across 1 file. [9.00ms]\n"],
  ["deno test", "ok | 0 passed | 0 failed | 3 ignored (2ms)\n"],
  ["npx mocha", 'Warning: Cannot find any files matching pattern "./test/*.js"\n\n  0 passing (1ms)\n'],
  ["npx ava", "\n  \u2716 Couldn't find any files to test\n"],
  ["npx tap", "TAP version 14\n1..0 # no tests found\n"],
  ["npx tap", "TAP version 14\nok 1 - a # SKIP later\n1..1\n"],
  ["ctest --test-dir build", "100% tests passed, 0 tests failed out of 0\n"],
  ["swift test --filter Nope", "warning: No matching test cases were run\n"],
  ["mix test", "==> a\nThere are no tests to run\n==> b\nThere are no tests to run\n"],
  ["bats test", "a.bats\n\n0 tests, 0 failures\n"],
  ["bats test", "1..1\nok 1 a # skip not now\n"],
  ["python -m unittest", "sss\n----\nRan 3 tests in 0.001s\n\nOK (skipped=3)\n"],
  ["tox", "  py311: SKIP (0.00 seconds)\n  congratulations :) (0.05 seconds)\n"],
  ["npm test --if-present", ""],
  ["npm run test --if-present", ""],
  ["pnpm run --if-present test", ""],
  ["yarn workspaces foreach -A run test", "Done in 0s 50ms\n"],
  ["npx playwright test --grep nope --pass-with-no-tests", "\n"],
  ["npx nx test app", " NX   Successfully ran target test for project app\n\nNo tests found, exiting with code 0\n"],
  ["Rscript -e 'testthat::test_dir(\"tests\")'", "[ FAIL 0 | WARN 0 | SKIP 2 | PASS 0 ]\n"],
];
const listing: [command: string, output: string][] = [
  ["python -m pytest --collect-only -q", "a.py::test_a\n\n5 tests collected in 0.01s\n"],
  ["pytest --co", "5 tests collected in 0.01s\n"],
  ["pytest --setup-plan", "5 passed in 0.01s\n"],
  ["npx jest --listTests", "/p/a.test.js\n"],
  ["npx jest --showConfig", '{ "configs": [] }\n'],
  ["go test -list . ./...", "TestA\nok  \ta\t0.001s\n"],
  ["go test -c ./a", ""],
  ["go test -run '^$' ./...", "ok  \ta\t0.001s [no tests to run]\n"],
  ["cargo test --no-run", "  Executable unittests src/lib.rs (target/debug/deps/a-1)\n"],
  ["cargo test -- --list", "a: test\n\n1 test, 0 benchmarks\n"],
  ["npx playwright test --list", "Total: 5 tests in 1 file\n"],
  ["npx vitest list", "a.test.ts > a\n"],
  ["npx vitest --version", "vitest/3.0.0 linux-x64 node-v20\n"],
  ["dotnet test --list-tests", "The following Tests are available:\n    A\n"],
  ["dotnet test -t", "The following Tests are available:\n    A\n"],
  ["./gradlew test --dry-run", ":test SKIPPED\n\nBUILD SUCCESSFUL in 1s\n"],
  ["./gradlew test -m", ":test SKIPPED\n\nBUILD SUCCESSFUL in 1s\n"],
  ["mvn test -DskipTests", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n"],
  ["ctest -N", "Total Tests: 5\n"],
  ["ctest --show-only", "Total Tests: 5\n"],
  ["vendor/bin/phpunit --list-tests", "Available test(s):\n - A::b\n"],
  ["bundle exec rspec --dry-run", "5 examples, 0 failures\n"],
  ["npx mocha --dry-run", "\n  5 passing (1ms)\n"],
  ["swift test list", "A.B/c\n"],
  ["swift test --list-tests", "A.B/c\n"],
  ["bats --count test", "5\n"],
  ["make -n test", "./run-tests\n"],
  ["make --dry-run test", "./run-tests\n"],
  ["node --check a.test.js", ""],
  ["npx cypress verify", "Verified Cypress!\n"],
];
for (const [title, rows] of [
  ["a run without a test is no pass", nothing],
  ["listing, preparing or pretending is no run", listing],
] as const)
  test(title, async (t) => {
    const s = await shipped(t, inCode);
    await s.agent("software-developer");
    for (const [command, out] of rows)
      await t.test(`${command}: ${JSON.stringify(out.slice(0, 50))}`, async () => {
        await s.tests(command, out);
        const open = (await needs(s)).includes("tests");
        // The next row needs a gate that is closed.
        if (!open) await s.write(`src/${Math.random()}.ts`, "export {};\n");
        assert.ok(open, "it passed the gate");
      });
  });

test("pytest's exit code 5 (nothing collected) is neither a pass nor a failed attempt", async (t) => {
  const s = await shipped(t, inCode);
  await s.agent("software-developer");
  const input = { command: "pytest -k nope", description: "Run tests" };
  for (let i = 0; i < 4; i++) {
    await s.before("Bash", input);
    await s.event("PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: input,
      tool_use_id: "toolu_9",
      error: "Exit code 5\ncollected 5 items / 5 deselected / 0 selected\n\n====== 5 deselected in 0.01s ======\n",
      is_interrupt: false,
    });
  }
  assert.ok((await needs(s)).includes("tests"));
  assert.match(String((await lifecycleHere(s.p, "next"))["next"]), /run the tests/);
});

const passing: [command: string, output: string][] = [
  ["npx jest", "Tests:       2 skipped, 7 passed, 9 total\n"],
  ["pytest", "====== 3 passed, 2 skipped in 0.12s ======\n"],
  ["go test ./...", "?   \ta\t[no test files]\nok  \tb\t0.011s\n"],
  [
    "cargo test",
    "test result: ok. 5 passed; 0 failed; 0 ignored\n\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n",
  ],
  ["dotnet test", "Test summary: total: 7, failed: 0, succeeded: 7, skipped: 0, duration: 0.5s\n"],
  ["npm test --if-present", "\n> a@1.0.0 test\n> node --test\n\n# tests 3\n# pass 3\n# fail 0\n"],
  ["mvn -q test", ""],
  ["bundle exec rspec", "....*\n\n5 examples, 0 failures, 1 pending\n"],
  ["ctest", "100% tests passed, 0 tests failed out of 3\n"],
  ["Rscript -e 'testthat::test_dir(\"tests\")'", "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]\n"],
];
test("a run with tests passes", async (t) => {
  const s = await shipped(t, inCode);
  await s.agent("software-developer");
  for (const [command, out] of passing)
    await t.test(command, async () => {
      await s.write(`src/${Math.random()}.ts`, "export {};\n");
      await s.tests(command, out);
      assert.ok(!(await needs(s)).includes("tests"));
    });
});

/** The command is really run, as the client would. */
async function really(s: ShippedProject, command: string): Promise<void> {
  const input = { command, description: "work" };
  const { denied, text } = await s.before("Bash", input);
  assert.equal(denied, false, text);
  const { stdout } = spawnSync("bash", ["-c", command], { cwd: s.p.root, env: s.p.env, encoding: "utf8" });
  await s.after("Bash", input, { stdout, stderr: "", interrupted: false, isImage: false, noOutputExpected: false });
}

const changes: string[] = [
  "python3 -c \"open('src/a.ts','a').write('// more\\n')\"",
  "printf 'x' >> src/a.ts; true",
  "cp src/a.ts src/c.ts",
  "mv src/a.ts src/b.ts && cp src/b.ts src/a.ts",
  "git apply change.patch",
  "sh tools/format.sh",
  "node tools/generate.mjs",
  "echo 'module.exports = 1' > index.js",
  "mkdir -p lib && echo 'x = 1' > lib/a.py",
  'echo \'{"dependencies": {"a": "2"}}\' > package.json',
];
test("code changed after the tests, by programs that are really run", async (t) => {
  const s = await shipped(t, {
    ...inCode,
    files: {
      "tools/format.sh": "echo '// formatted' >> src/a.ts\n",
      "tools/generate.mjs": "import { appendFileSync } from 'node:fs';\nappendFileSync('src/a.ts', '// made\\n');\n",
      "change.patch": "--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1 @@\n+export {};\n",
    },
  });
  await s.agent("software-developer");
  for (const command of changes)
    await t.test(command, async () => {
      s.p.write("src/a.ts", "export const a = 1;\n");
      await s.tests("npm test");
      assert.ok(!(await needs(s)).includes("tests"), "the tests passed");
      await really(s, command);
      assert.ok((await needs(s)).includes("tests"), "they have to run again");
    });
});

test("code that a sub-agent changes after the tests", async (t) => {
  const s = await shipped(t, inCode);
  await s.agent("software-developer");
  await s.tests("npm test");
  const file_path = `${s.p.root}/src/a.ts`;
  const who = { agent_id: "a77", agent_type: "software-developer" };
  const call = { tool_name: "Write", tool_input: { file_path, content: "x\n" }, tool_use_id: "toolu_sub" };
  await s.event("PreToolUse", { ...call, ...who });
  s.p.write("src/a.ts", "x\n");
  await s.event("PostToolUse", { ...call, ...who, tool_response: { type: "create", filePath: file_path } });
  assert.deepEqual(await needs(s), ["tests", "constitution"]);
});
