// Kinds of projects and of work that honest sessions showed: each passes, and its near miss is still refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Row, row, table } from "../../../../test/discipline/adversarial/table.js";
import { type Agent, play } from "../../../../test/discipline/agent.js";
import { countsIn } from "../../../facts/test-reporters.js";

/** An edit of src/a.ts, a command with its output, the end of the turn. */
const ran = (expect: Row["expect"], name: string, command: string, output: string, files = {}): Row =>
  row(
    expect,
    name,
    async (a) => {
      await a.prompt("make a 2 in src/a.ts");
      await a.edit("src/a.ts", "1", "2");
      await a.bash(command, output);
      return a.stop("Changed src/a.ts.");
    },
    "plain",
    { files },
  );

const bazel = (passed: number, failed: number) =>
  `Executed 1 out of ${passed + failed} tests: ` +
  (failed ? `${passed} tests pass and ${failed} fails locally.\n` : `${passed} tests pass.\n`);
const makefile = { Makefile: "check: tests/run\n\t./tests/run\n", "package.json": "{}\n" };

table(
  "summaries of other runners",
  ["verification"],
  [
    ran("pass", "flutter through tail", "flutter test 2>&1 | tail -2", "00:05 +3: All tests passed!\n"),
    ran("deny", "flutter, failing", "flutter test 2>&1 | tail -2", "00:05 +2 -1: Some tests failed.\n"),
    ran("deny", "flutter, cut off", "flutter test 2>&1 | tail -2", "00:04 +2: adds\n"),
    ran("pass", "bazel through tail", "bazel test //... 2>&1 | tail -1", bazel(5, 0)),
    ran("deny", "bazel, failing", "bazel test //... 2>&1 | tail -1", bazel(4, 1)),
    ran("pass", "cabal", "cabal test 2>&1 | tail -1", "1 of 1 test suites (1 of 1 test cases) passed.\n"),
    ran("deny", "cabal, failing", "cabal test 2>&1 | tail -1", "1 of 2 test suites (1 of 2 test cases) passed.\n"),
    ran("pass", "cabal by grep", 'cabal test | grep -E "PASS|FAIL|passed"', "Test suite spec: PASS\n"),
    ran("pass", "prove", "prove -l t | tail -2", "Files=1, Tests=9,  0 wallclock secs\nResult: PASS\n"),
    ran("deny", "prove, failing", "prove -l t | tail -2", "Files=1, Tests=9,  0 wallclock secs\nResult: FAIL\n"),
    ran("pass", "testthat's last words", "Rscript -e 'a(); devtools::test()' | tail -2", "a: ...\n══ DONE ════\n"),
    ran("deny", "testthat, failing", "Rscript -e 'devtools::test()' | tail -2", "══ Failed ════\n── 1. Failure ──\n"),
    ran("pass", "R CMD check", "Rscript -e 'devtools::check()' | tail -1", "0 errors ✔ | 0 warnings ✔ | 0 notes ✔\n"),
    ran(
      "deny",
      "R CMD check, failing",
      "Rscript -e 'devtools::check()' | tail -1",
      "1 error ✖ | 0 warnings ✔ | 0 notes ✔\n",
    ),
    ran("pass", "node's two lines by grep", "npm test 2>&1 | grep -E '^# (pass|fail)'", "# pass 8\n# fail 0\n"),
    ran("deny", "node's lines, failing", "npm test 2>&1 | grep -E '^# (pass|fail)'", "# pass 7\n# fail 1\n"),
    ran("deny", "only what passed", "npm test 2>&1 | grep -E '^# pass'", "# pass 8\n"),
    ran("deny", "a count of passed tests", "npm test 2>&1 | grep -c '^ok'", "8\n"),
    ran("deny", "masked", "npm test || true", ""),
    ran(
      "pass",
      "zig through tail",
      "zig build test --summary all 2>&1 | tail -2",
      "Build Summary: 3/3 steps succeeded; 2/2 tests passed\n",
    ),
    ran(
      "deny",
      "zig, failing",
      "zig build test --summary all 2>&1 | tail -2",
      "Build Summary: 1/3 steps succeeded; 1 failed; 1/2 tests passed; 1 failed\n",
    ),
    ran("pass", "alcotest", "dune test 2>&1 | tail -1", "Test Successful in 0.001s. 8 tests run.\n"),
    ran("deny", "alcotest, failing", "dune test 2>&1 | tail -1", "1 failure! in 0.002s. 8 tests run.\n"),
    ran(
      "pass",
      "a runner nobody knows",
      "npm test 2>&1 | tail -1",
      "==== 4 test cases: 4 succeeded in 00:00:00.9 ====\n",
    ),
    ran(
      "deny",
      "the same, failing",
      "npm test 2>&1 | tail -1",
      "==== 4 test cases: 1 failed, 3 succeeded in 00:00:00.9 ====\n",
    ),
    ran("deny", "some of them", "npm test 2>&1 | tail -1", "3 of 4 tests passed\n"),
    ran("deny", "no number", "npm test 2>&1 | tail -1", "tests ok\n"),
    ran("deny", "words of one's own", "npm test | tail -1; echo '4 tests passed'", "4 tests passed\n"),
    ran("deny", "hidden tests before make", "npm test | grep -c ok; make build | tail -3", "8\nbuilt\nfine\n"),
    ran("pass", "tox", "tox -q 2>&1 | tail -3", "  py311: OK\n  lint: OK\n  congratulations :)\n"),
    ran("deny", "tox, failing", "tox -q 2>&1 | tail -3", "  py311: OK\n  lint: FAIL code 1\n  evaluation failed :(\n"),
    ran(
      "pass",
      "ert by grep",
      'make test | grep -E "Ran|FAILED"',
      "Ran 4 tests, 4 results as expected, 0 unexpected\n",
    ),
    ran(
      "deny",
      "ert, failing",
      'make test | grep -E "Ran|FAILED"',
      "Ran 4 tests, 3 results as expected, 1 unexpected\n",
    ),
    ran("pass", "unknown, by grep", 'npm test | grep -E "cases|FAIL"', "4 test cases: 4 succeeded\n"),
    ran("deny", "unknown, by a filter for successes", "npm test | grep succeeded", "4 test cases: 4 succeeded\n"),
    ran("deny", "by grep and by hand", 'npm test | grep FAIL; echo "4 test cases passed"', "4 test cases passed\n"),
    ran("pass", "before what is shown", "npm test && git log --oneline | head -3", "abc one\n"),
    ran("deny", "either way", "npm test && git status | cat || true", "abc one\n"),
    ran("deny", "piped away before", "npm test | tail -1 && git status | cat", "abc one\n"),
    ran("deny", "followed by another", "npm test && git log | head -3; true", "abc one\n"),
    ran("pass", "a program of one's own", "make check 2>&1 | tail -3", "./tests/run\n4 checks, 0 failures\n", makefile),
    ran("pass", "make's last lines", "make check 2>&1 | tail -3", "./tests/run\nall fine here\n", makefile),
    ran("deny", "make, failing", "make check | tail -2", "x\nmake: *** [Makefile:2: check] Error 1\n", makefile),
    ran("deny", "make without its words", "make check 2>/dev/null | tail -3", "./tests/run\n", makefile),
  ],
);

test("counts of other runners", () => {
  const counted = (text: string) => {
    const c = countsIn(text);
    return c && [c.passed, c.failed, c.skipped];
  };
  assert.deepEqual(counted("Executed 0 out of 4 tests: 3 tests pass and 1 was skipped."), [3, 0, 1]);
  assert.equal(counted("# pass 3"), undefined);
});

/** A finished task, then one edit and the end of its turn. */
const edited = (expect: Row["expect"], name: string, path: string, old: string, next: string, text: string): Row =>
  row(
    expect,
    name,
    async (a) => {
      await a.edit(path, old, next);
      return a.stop("Changed.");
    },
    "plain",
    {
      files: { [path]: text, ...(path !== "package.json" && { "pytest.ini": "", "package.json": "{}" }) },
    },
  );

const python = 'SQL = """\nselect 1\n"""\n\n\ndef add(a, b):\n    """Adds."""\n    return a + b\n';
const manifest = '{\n  "type": "module",\n  "scripts": { "test": "node --test", "build": "tsc" }\n}\n';
const page = "<!doctype html>\n<title>Notes</title>\n<script src=a.js></script>\n";
const perl = "package A;\nsub one { 1 }\n1;\n__END__\n\n=head1 NAME\n\nA - one\n\n=cut\n";

table(
  "documentation and settings in code files",
  ["verification"],
  [
    edited(
      "pass",
      "a docstring",
      "a.py",
      '"""Adds."""',
      '"""Adds two numbers.\n\n    Both may be negative.\n    """',
      python,
    ),
    edited(
      "deny",
      "code beside a docstring",
      "a.py",
      '"""Adds."""\n    return a + b',
      '"""Sums."""\n    return a - b',
      python,
    ),
    edited("deny", "a text that is no docstring", "a.py", "select 1", "select 2", python),
    edited("deny", "a doctest", "a.py", '"""Adds."""', '"""Adds.\n\n    >>> add(1, 2)\n    4\n    """', python),
    edited("pass", "engines", "package.json", '"module",', '"module", "engines": { "node": ">=20" },', manifest),
    edited(
      "pass",
      "packing",
      "package.json",
      '"module",',
      '"module",\n  "build": { "appId": "a", "files": ["x"] },',
      manifest,
    ),
    edited("deny", "a script", "package.json", '"build": "tsc"', '"build": "tsc -b"', manifest),
    edited("deny", "the kind of modules", "package.json", '"type": "module",', '"type": "commonjs",', manifest),
  ],
);

const npm = { "package.json": '{"scripts":{"test":"node --test"}}\n' };
table(
  "pages and words of a project",
  ["verification"],
  [
    row(
      "pass",
      "a style sheet",
      page0("<title>Notes</title>", '<title>Notes</title>\n<link rel="stylesheet" href="a.css">'),
    ),
    row("deny", "a script of a page", page0("src=a.js", "src=b.js")),
    row("pass", "NEWS", async (a) => {
      await a.write("NEWS", "1.2\n");
      return a.stop("Written.");
    }),
    row("deny", "code called NEWS", async (a) => {
      await a.write("src/NEWS.ts", "let x = 1;\n");
      return a.stop("Written.");
    }),
  ].map((r) => ({ ...r, more: { files: { ...npm, "page.html": page } } })),
);

function page0(old: string, next: string): Row["try"] {
  return async (a) => {
    await a.edit("page.html", old, next);
    return a.stop("Changed the page.");
  };
}

test("Perl's documentation is no code", async (t) => {
  const files = { "lib/A.pm": perl, "t/a.t": "ok 1;\n", "package.json": "{}" };
  const a = play(t, { files, gates: ["verification"] });
  await a.edit("lib/A.pm", "sub one { 1 }", "sub one { 2 }");
  await a.bash("perlcritic lib && prove -l t", "Files=1, Tests=1,  0 wallclock secs\nResult: PASS\n");
  assert.equal((await a.stop("Changed.")).outcome, "pass");
  await a.edit("lib/A.pm", "A - one", "A - the number one");
  assert.equal((await a.stop("Documented.")).outcome, "pass");
  await a.edit("lib/A.pm", "sub one { 2 }", "sub one { 3 }");
  const refused = await a.stop("Changed.");
  assert.match(refused.text, /run `prove -l t` on its own/, "the part of the chain that runs tests");
});

/** Commands are really carried out, so that the tree shows what became of the files. */
const real = async (a: Agent, command: string, deed: () => void) => a.bash(command, "", 0, deed);

test("a file made and taken away by one call is no edit; one that was there is", async (t) => {
  const a = play(t, { gates: ["verification"] });
  await real(a, "printf x > src/bad.ts && npx tsc --noEmit; rm src/bad.ts", () => undefined);
  assert.equal((await a.stop("Tried it.")).outcome, "pass");
  const { rmSync } = await import("node:fs");
  await real(a, "printf x > src/a.ts; rm src/a.ts", () => rmSync(`${a.root}/src/a.ts`));
  assert.equal((await a.stop("Removed it.")).outcome, "deny");
});

test("a file that git put back needs no run; a branch of another name puts nothing back", async (t) => {
  const a = play(t, { gates: ["verification"] });
  await a.edit("src/a.ts", "1", "2");
  await a.bash("git checkout topic");
  assert.equal((await a.stop("Changed.")).outcome, "deny");
  await a.bash("git checkout src/a.ts 2>/dev/null || git status");
  assert.equal((await a.stop("Taken back.")).outcome, "pass");
});

test("a version put in by sed is no code; anything else it puts in is", async (t) => {
  const ends = async (command: string) => {
    const a = play(t, { files: { "src/version.ts": 'export const version = "1.2.0";\n' }, gates: ["verification"] });
    await a.bash(command);
    return (await a.stop("Done.")).outcome;
  };
  assert.equal(await ends("sed -i 's/1.2.0/1.3.0/' src/version.ts"), "pass");
  assert.equal(
    await ends('sed -i \'s/version = "1\\.2\\.0"/version = "1.3.0-rc.1"/\' src/version.ts && git diff'),
    "pass",
  );
  assert.equal(await ends('sed -i \'s/version = "1.2.0"/release = "1.3.0"/\' src/version.ts'), "deny");
  assert.equal(await ends("sed -i '1d' src/version.ts"), "deny");
  assert.equal(await ends("sed -i -e 's/1.2.0/1.3.0/' -e '1d' src/version.ts"), "deny");
  assert.equal(await ends("sed -i 's/1.2.0/1.3.0/' src/version.ts && sed -i 's/1/2/' src/a.ts"), "deny");
});

test("a version line in any file is no code; another setting is", async (t) => {
  const ends = async (old: string, now: string) => {
    const a = play(t, { files: { "src/v.ts": `${old}\n` }, gates: ["verification"] });
    await a.edit("src/v.ts", old, now);
    return (await a.stop("Done.")).outcome;
  };
  assert.equal(await ends('  s.version = "0.9.0"', '  s.version = "0.10.0"'), "pass");
  assert.equal(await ends("our $VERSION = '0.07';", "our $VERSION = '0.08';"), "pass");
  assert.equal(await ends('const apiVersion = "1";', 'const apiVersion = "2";'), "deny");
  assert.equal(await ends('version = "1.0"', 'version = load("1.1")'), "deny");
  assert.equal(await ends("const retries = 2;", "const retries = 3;"), "deny");
});

test("a file that an editor only opened is no edit", async (t) => {
  const a = play(t, { gates: ["verification"] });
  await a.bash("emacs -Q --batch -f package-lint-batch-and-exit src/a.ts");
  assert.equal((await a.stop("Linted.")).outcome, "pass");
  await real(a, "emacs -Q --batch -f indent src/a.ts", () => a.put("src/a.ts", "export const a = 3;\n"));
  assert.equal((await a.stop("Indented.")).outcome, "deny");
});

test("Bazel's command where Bazel is used", async (t) => {
  const a = play(t, {
    files: { "MODULE.bazel": "", "go.mod": "module a\n", "a.go": "package a\n" },
    gates: ["verification"],
  });
  await a.edit("a.go", "package a", "package a\n\nvar b = 1");
  assert.match((await a.stop("Changed.")).text, /run `bazel test \/\/\.\.\.` on its own/);
});

test("the named command keeps what stands in quotes", async (t) => {
  const a = play(t, { gates: ["verification"], files: { "R/a.R": "a <- 1\n", "package.json": "{}" } });
  await a.prompt("make a 2 in R/a.R");
  await a.edit("R/a.R", "1", "2");
  await a.bash("cd . && Rscript -e 'devtools::document(); devtools::test()' 2>&1 | head -3 || true", "loading\n");
  const { text } = await a.stop("Changed.");
  assert.match(text, /run `cd \. && Rscript -e 'devtools::document\(\); devtools::test\(\)'` on its own/);
});

for (const command of ["npm test | grep x; npx tsc", "npm test > /dev/null; npx tsc", "npm test | tail -1; npx tsc"])
  test(`a check's exit code is not that of the tests before it: ${command}`, async (t) => {
    const scripts = '{"scripts":{"test":"vitest run","build":"tsc"}}';
    const a = play(t, { gates: ["verification"], files: { "package.json": scripts, "src/b.test.ts": "" } });
    await a.prompt("Implement CSV export for the reporting dashboard with columns for name, total and date");
    await a.write("src/export.ts", "export const column = 1;\n".repeat(120));
    await a.bash(command, "");
    assert.equal((await a.stop("CSV export is implemented.")).outcome, "deny");
  });
