// Unusual ways round the phases' rules, and honest calls that look like them; each through decoder and engine.
import { edit, type PhaseRow, phaseRows, write } from "./phase-stage.js";

const asserted = `import { test, expect } from "vitest";
test("adds", () => {
  expect(add(1, 2)).toBe(3);
});
`;
const files = {
  "src/add.ts": "export const add = () => 0;\n",
  "src/contest_data.py": "x = 1\n",
  "tests/test_a.py": "def test_a():\n    assert f() == 1\n",
  "tests/conftest.py": "x = 1\n",
  "src/add.test.ts": asserted,
  "vitest.config.ts": "export default {};\n",
  "package.json": '{\n  "scripts": { "test": "vitest run", "build": "tsc" }\n}\n',
  "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n",
  "README.md": "# x\n",
  Makefile: "all:\n\ttrue\n",
  "change.patch":
    "--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -1,2 +1,2 @@\n" +
    " def test_a():\n-    assert f() == 1\n+    assert True\n",
};
const test = /test_a\.py|tests\b/;

const green: PhaseRow[] = [
  { name: "tee", bash: "echo x | tee tests/test_a.py", refused: test },
  { name: "tee -a through sudo-less env", bash: "env A=1 tee -a tests/test_a.py < README.md", refused: test },
  { name: "cp over it", bash: "cp README.md tests/test_a.py", refused: test },
  { name: "cp into the folder", bash: "cp README.md tests/", refused: test },
  { name: "mv over it", bash: "mv -f README.md tests/test_a.py", refused: test },
  { name: "install", bash: "install -m 644 README.md tests/test_a.py", refused: test },
  { name: "dd", bash: "dd if=/dev/null of=tests/test_a.py", refused: test },
  { name: "truncate", bash: "truncate -s 0 tests/test_a.py", refused: test },
  { name: "sed -i with an extension", bash: "sed -i.bak 's/1/2/' tests/test_a.py", refused: test },
  { name: "perl -pi", bash: "perl -pi -e 's/1/2/' tests/test_a.py", refused: test },
  { name: "ed", bash: "printf '1d\\nw\\nq\\n' | ed -s tests/test_a.py", refused: test },
  { name: "awk -i inplace", bash: "awk -i inplace '{print 1}' tests/test_a.py", refused: test },
  { name: "git apply", bash: "git apply change.patch", refused: /tests|can't be known|locked/ },
  { name: "patch", bash: "patch -p1 < change.patch", refused: /tests|can't be known|locked/ },
  { name: "git checkout of another commit's tests", bash: "git checkout HEAD~1 -- tests", refused: test },
  { name: "git restore", bash: "git restore --source=HEAD~1 tests/test_a.py", refused: test },
  { name: "git rm", bash: "git rm -q tests/test_a.py", refused: test },
  { name: "git mv", bash: "git mv tests/test_a.py tests/off.txt", refused: test },
  {
    name: "python with pathlib",
    bash: `python3 -c "import pathlib; pathlib.Path('tests/test_a.py').write_text('')"`,
    refused: test,
  },
  { name: "python from stdin", bash: "python3 - <<'E'\nopen('tests/test_a.py','w').write('')\nE", refused: test },
  {
    name: "node -e with a joined name",
    bash: `node -e "require('fs').writeFileSync('tes'+'ts/test_a.py','')"`,
    refused: /test_a|can.t be known/,
  },
  { name: "ruby", bash: `ruby -e "File.write('tests/test_a.py','')"`, refused: /test_a|can.t be known/ },
  { name: "an absolute path", ...write("tests/test_a.py"), refused: test },
  { name: "dots", bash: "echo x > src/../tests/test_a.py", refused: test },
  { name: "dots in a tool's path", ...write("src/../tests/test_a.py"), refused: test },
  { name: "cd first", bash: "cd tests && echo x > test_a.py", refused: test },
  { name: "a subshell that changes folder", bash: "(cd tests; rm test_a.py)", refused: test },
  { name: "pushd", bash: "pushd tests && rm test_a.py", refused: test },
  { name: "a brace", bash: "rm tests/test_{a,b}.py", refused: test },
  { name: "a glob", bash: "rm t*/test_?.py", refused: test },
  { name: "xargs", bash: "ls tests/*.py | xargs rm", refused: /tests|can.t be known/ },
  { name: "find -exec", bash: "find . -name 'test_*' -exec sed -i s/1/2/ {} +", refused: /test|can.t be known/ },
  { name: "a symbolic link made first", bash: "ln -s tests t && echo x > t/test_a.py", refused: test },
  { name: "eval", bash: `eval "echo x > tests/test_a.py"`, refused: test },
  { name: "a here string", bash: "bash <<< 'echo x > tests/test_a.py'", refused: /test_a|can.t be known/ },
  {
    name: "base64 to a shell",
    bash: "echo ZWNobyB4ID4gdGVzdHMvdGVzdF9hLnB5 | base64 -d | sh",
    refused: /can.t be known|test/,
  },
  { name: "rsync", bash: "rsync -a README.md tests/test_a.py", refused: test },
  { name: "tar over it", bash: "tar -xf /tmp/x.tar -C tests", refused: test },
  { name: "curl -o", bash: "curl -so tests/test_a.py https://example.org/x", refused: test },
  { name: "a hard link over it", bash: "ln -f README.md tests/test_a.py", refused: test },
  { name: "rename a folder", bash: "mv tests old", refused: test },
  {
    name: "an MCP writer",
    tool: "mcp__filesystem__write_file",
    input: { path: "tests/test_a.py", content: "" },
    refused: test,
  },
  {
    name: "an MCP editor",
    tool: "mcp__filesystem__edit_file",
    input: { path: "tests/test_a.py", edits: [{ oldText: "1", newText: "2" }] },
    refused: test,
  },
  {
    name: "an MCP mover",
    tool: "mcp__filesystem__move_file",
    input: { source: "tests/test_a.py", destination: "src/x.py" },
    refused: test,
  },
  {
    name: "MultiEdit",
    tool: "MultiEdit",
    input: { file_path: "src/add.test.ts", edits: [{ old_string: "3", new_string: "0" }] },
    refused: /add\.test/,
  },
  { name: "a conftest in another folder", ...write("src/conftest.py"), refused: /conftest/ },
  { name: "git config of a hook that edits", bash: "git stash push tests", refused: test },
  { name: "git switch to another branch", bash: "git switch other", refused: /tests|locked/ },
  { name: "git pull", bash: "git pull", refused: /tests|locked|can.t be known/ },
  { name: "git merge", bash: "git merge other", refused: /tests|locked|can.t be known/ },
  { name: "jest's snapshot option", bash: "npx jest --ci=false --updateSnapshot", refused: /stored snapshots/ },
  { name: "bun's snapshot option", bash: "bun test --update-snapshots", refused: /stored snapshots/ },
  { name: "npm's test with -u", bash: "npm test -- -u", refused: /stored snapshots/ },
  { name: "a kit as if nobody asked", bash: "RUN_ID= interlock kit tdd red README.md", refused: /another RUN_ID/ },
  {
    name: "a request in another run's name",
    bash: "env RUN_ID=20260213T091500Z-00000000 interlock request math.survey README.md",
    refused: /another RUN_ID/,
  },
  { name: "a kit after unset", bash: "unset RUN_ID; interlock kit tdd red README.md", refused: /another RUN_ID/ },
  { name: "honest: a request", bash: "interlock request math.survey README.md" },
  { name: "honest: a source named like a test", ...edit("src/contest_data.py", "1", "2") },
  {
    name: "honest: tests into a log",
    bash: "npx vitest run tests > /tmp/interlock-out.log 2>&1; tail -5 /tmp/interlock-out.log",
  },
  { name: "honest: copying a test away to look at it", bash: "cp tests/test_a.py /tmp/interlock-copy.py" },
  { name: "honest: a diff of tests", bash: "git diff HEAD -- tests | head -20" },
  { name: "honest: grep in tests", bash: "grep -rn 'assert' tests | head" },
  { name: "honest: sed that prints", bash: "sed -n 1,5p tests/test_a.py" },
  { name: "honest: making a source folder", bash: "mkdir -p src/lib && touch src/lib/index.ts" },
  { name: "honest: formatting source", bash: "npx prettier --write src/add.ts" },
  { name: "honest: python that computes", bash: `python3 -c "print(1 + 1)"` },
  { name: "honest: running one test", bash: "python3 -m pytest tests/test_a.py -x -q 2>&1 | tail -20" },
  { name: "honest: git add of all", bash: "git add -A" },
  { name: "honest: a type check", bash: "npx tsc --noEmit -p ." },
  { name: "honest: a heredoc to source that mentions tests", bash: "cat > src/b.ts <<'E'\n// tests/test_a.py > x\nE" },
];
phaseRows({ kit: "tdd", phase: "green", files }, green);

phaseRows({ kit: "tdd", phase: "red", files }, [
  { name: "source through git apply", bash: "git apply -", refused: /red writes|can.t be known/ },
  { name: "source through cp -r", bash: "cp -r tests src/lib", refused: /src\/lib/ },
  { name: "source through mv", bash: "mv tests/test_a.py src/a.py", refused: /src\/a\.py/ },
  { name: "source through a link", bash: "ln -s ../tests/test_a.py src/a.py", refused: /src\/a\.py/ },
  {
    name: "source through MCP",
    tool: "mcp__fs__write_file",
    input: { path: "src/a.ts", content: "" },
    refused: /src\/a\.ts/,
  },
  { name: "a build script", ...write("scripts/build.sh"), refused: /scripts\/build\.sh/ },
  { name: "the package's scripts", ...edit("package.json", "vitest run", "true"), refused: /package\.json/ },
  { name: "honest: a fixture folder", bash: "mkdir -p tests/fixtures && echo '{}' > tests/fixtures/a.json" },
  { name: "honest: a Go test", ...write("pkg/add_test.go") },
  { name: "honest: removing its own test", bash: "rm tests/test_a.py" },
]);

phaseRows({ kit: "tdd", phase: "refactor", files }, [
  { name: "xit", ...edit("src/add.test.ts", "test(", "xtest("), refused: /fewer tests|skipped/ },
  {
    name: "test.todo",
    ...edit("src/add.test.ts", 'test("adds", () => {', 'test.todo("adds");\n(() => {'),
    refused: /fewer tests|skipped/,
  },
  {
    name: "a return before the assertion",
    ...edit("src/add.test.ts", "  expect", "  return;\n  expect"),
    refused: /never|reached|return/,
  },
  {
    name: "an only beside it",
    ...edit("src/add.test.ts", 'test("adds"', 'test.only("x", () => {});\ntest("adds"'),
    refused: /only|skipped/,
  },
  {
    name: "a swallowed failure",
    ...edit("src/add.test.ts", "  expect(add(1, 2)).toBe(3);", "  try { expect(add(1, 2)).toBe(3); } catch {}"),
    refused: /swallow|catch|can't fail/,
  },
  {
    name: "pytest.mark.skip",
    ...edit("tests/test_a.py", "def test_a", "@pytest.mark.skip\ndef test_a"),
    refused: /skipped/,
  },
  {
    name: "pytest.skip inside",
    ...edit("tests/test_a.py", "    assert", "    pytest.skip('later')\n    assert"),
    refused: /skipped/,
  },
  { name: "or True", ...edit("tests/test_a.py", "f() == 1", "f() == 1 or True"), refused: /can't fail/ },
  {
    name: "renamed so that it is not run",
    bash: "git mv src/add.test.ts src/add.old.ts",
    refused: /deletes the test file/,
  },
  {
    name: "pytest options that deselect",
    ...edit("pyproject.toml", "'-q'", "'-q --deselect tests/test_a.py'"),
    refused: /test settings|settings|locked|assertion/,
  },
  { name: "honest: renaming a variable", ...edit("src/add.test.ts", "() => {", "async () => {") },
  { name: "honest: a helper", ...edit("src/add.test.ts", 'test("adds"', 'const one = 1;\ntest("adds"') },
]);
