// The rules of kits/tdd, phase by phase: what is refused and what passes, for file tools and shell alike.
import assert from "node:assert/strict";
import { appendFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  edit,
  endPhase,
  kitOptions,
  type PhaseRow,
  phaseRows,
  phaseStage,
  playRow,
  runId,
  startPhase,
  write,
} from "../../../../test/kits/phase-stage.js";
import { phaseFindings } from "../phase-snapshot.js";
import { weakerEdit } from "./test-strength.js";

const asserted = `import { test, expect } from "vitest";
test("adds", () => {
  expect(add(1, 2)).toBe(3);
  expect(add(0, 0)).toEqual(0);
});
`;
const files = {
  "src/add.ts": "export const add = () => 0;\n",
  "src/latest_data.py": "x = 1\n",
  "src/attest_util.py": "x = 1\n",
  "tests/test_a.py": "def test_a():\n    assert f() == 1\n",
  "tests/helper.py": "x = 1\n",
  "src/add.test.ts": asserted,
  "vitest.config.ts": "export default {};\n",
  "package.json": '{\n  "scripts": { "test": "vitest run", "build": "tsc" }\n}\n',
  "README.md": "# x\n",
  "tests/__snapshots__/a.snap": "1\n",
};

phaseRows({ kit: "tdd", phase: "red", files }, [
  { name: "a new test", ...write("tests/test_b.py") },
  { name: "a test beside the code", ...write("src/sub.test.ts") },
  { name: "a fixture", ...write("tests/fixtures/a.json") },
  { name: "a test through the shell", bash: "printf x > tests/test_c.py" },
  { name: "running the tests", bash: "npx vitest run 2>&1 | tail -20" },
  { name: "a scratch file outside the project", bash: "echo x > /tmp/interlock-note.txt" },
  { name: "installing what is in the lock file", bash: "npm ci" },
  { name: "reading the code", tool: "Read", input: { file_path: "src/add.ts" } },
  { name: "source", ...write("src/add.ts"), refused: /red writes tests only/ },
  { name: "an edit of source", ...edit("src/add.ts", "0", "1"), refused: /src\/add\.ts/ },
  { name: "source through the shell", bash: "echo x > src/add.ts", refused: /write src\/add\.ts/ },
  { name: "source through sed", bash: "sed -i s/0/1/ src/add.ts", refused: /src\/add\.ts/ },
  { name: "source through python", bash: `python3 -c "open('src/add.ts','w').write('1')"`, refused: /src\/add\.ts/ },
  { name: "a copy into source", bash: "cp tests/test_a.py src/b.py", refused: /src\/b\.py/ },
  { name: "a folder that is not for tests", bash: "rm -rf src", refused: /delete src/ },
]);

const green: PhaseRow[] = [
  { name: "source", ...write("src/add.ts") },
  { name: "defect 1.1: npm install x is no write of a test", bash: "npm install x" },
  { name: "defect 1.1: a redirection of errors is no write", bash: "pytest tests/test_a.py 2>&1 | tail" },
  { name: "defect 1.1: src/latest_data.py is no test", ...edit("src/latest_data.py", "1", "2") },
  { name: "defect 1.1: src/attest_util.py is no test", ...edit("src/attest_util.py", "1", "2") },
  { name: "defect 1.1: source that mentions a test path", ...write("src/add.ts", "// see /tests/test_a.py\n") },
  { name: "running the tests with a log", bash: "npm test > /tmp/interlock-test.log 2>&1" },
  { name: "a new branch changes no file", bash: "git checkout -b feature" },
  { name: "committing", bash: "git add -A && git commit -m 'Add'" },
  { name: "reading a test", bash: "cat tests/test_a.py" },
  { name: "a dependency in package.json", ...edit("package.json", '"build": "tsc"', '"build": "tsc -p ."') },
  { name: "an edit of a test", ...edit("src/add.test.ts", "toBe(3)", "toBe(0)"), refused: /tests are locked in green/ },
  { name: "a new test", ...write("tests/test_new.py"), refused: /tests are locked/ },
  { name: "defect 1.1: relative tests/helper.py", ...write("./tests/helper.py"), refused: /tests\/helper\.py/ },
  { name: "the same absolute", ...write("tests/helper.py"), refused: /tests\/helper\.py/ },
  {
    name: "defect 1.1: python3 -c writes a test",
    bash: `python3 -c "open('tests/test_a.py','w').write('x')"`,
    refused: /write tests\/test_a\.py/,
  },
  {
    name: "python3 -c that hides the name",
    bash: `python3 -c "import sys; open(sys.argv[1],'w').write('x')" tests/test_a.py`,
    refused: /can.t be known/,
  },
  { name: "a path that can't be known", bash: 'echo x > "$target"', refused: /can't be known/ },
  { name: "node -e writes a test", bash: `node -e "require('fs').rmSync('tests/test_a.py')"`, refused: /test_a\.py/ },
  { name: "defect 1.1: find -delete", bash: "find tests -name '*.py' -delete", refused: /tests\// },
  { name: "defect 1.1: git clean", bash: "git clean -fd tests/", refused: /tests\// },
  { name: "defect 1.1: git -C . checkout", bash: "git -C . checkout tests/test_a.py", refused: /test_a\.py/ },
  { name: "git stash takes the tests along", bash: "git stash", refused: /tests are locked/ },
  { name: "git reset --hard", bash: "git reset --hard HEAD~1", refused: /tests are locked/ },
  {
    name: "defect 1.1: NotebookEdit",
    tool: "NotebookEdit",
    input: { notebook_path: "tests/a.ipynb", new_source: "x", cell_id: "1", edit_mode: "replace" },
    refused: /tests\/a\.ipynb/,
  },
  { name: "a heredoc", bash: "cat > tests/test_a.py <<'E'\nx\nE", refused: /test_a\.py/ },
  { name: "a nested shell", bash: "bash -c 'echo x > tests/test_a.py'", refused: /test_a\.py/ },
  { name: "moving a test away", bash: "mv tests/test_a.py /tmp/", refused: /test_a\.py/ },
  { name: "chmod of a test", bash: "chmod +w tests/test_a.py", refused: /test_a\.py/ },
  { name: "a hard link to a test", bash: "ln tests/test_a.py src/x.py", refused: /test_a\.py/ },
  { name: "the runner's settings", ...write("vitest.config.ts"), refused: /vitest\.config\.ts/ },
  { name: "the test script", ...edit("package.json", "vitest run", "true"), refused: /test scripts/ },
  { name: "the test script by npm", bash: "npm pkg set scripts.test=true", refused: /scripts of package\.json/ },
  { name: "a stored snapshot", bash: "rm tests/__snapshots__/a.snap", refused: /a\.snap/ },
  { name: "updating snapshots", bash: "npx vitest run -u", refused: /stored snapshots/ },
  { name: "updating snapshots with pytest", bash: "python3 -m pytest --snapshot-update", refused: /stored snapshots/ },
  { name: "sudo", bash: "sudo rm src/add.ts", refused: /rights/ },
  { name: "another agent", bash: "claude -p 'edit the test'", refused: /not be bound to this phase/ },
  {
    name: "a kit with another runtime",
    bash: "interlock kit --runtime 'sh x.sh' tdd red docs/a.md",
    refused: /not be bound/,
  },
  { name: "another run's record", ...write(`runs/${runId}/run.json`, "{}"), refused: /runs\// },
  { name: "its own artifacts", ...write(`runs/${runId}/artifacts/notes.txt`) },
];
phaseRows({ kit: "tdd", phase: "green", files }, green);
phaseRows(
  { kit: "tdd", phase: "green", files, by: "variable" },
  green
    .filter((row) => !/artifacts|record/.test(row.name))
    .map((row) => ({ ...row, name: `TDD_PHASE alone: ${row.name}` })),
);

phaseRows({ kit: "tdd", phase: "refactor", files }, [
  { name: "source", ...write("src/add.ts", "export const add = (a, b) => a + b;\n") },
  { name: "a tidied test", ...edit("src/add.test.ts", '"adds"', '"adds two numbers"') },
  {
    name: "a further assertion",
    ...edit("src/add.test.ts", "  expect(add(0", "  expect(add(2, 2)).toBe(4);\n  expect(add(0"),
  },
  { name: "a moved test file", bash: "git mv src/add.test.ts tests/add.test.ts" },
  { name: "a new test", ...write("tests/more.test.ts", asserted) },
  {
    name: "a deleted assertion",
    ...edit("src/add.test.ts", "  expect(add(1, 2)).toBe(3);\n", ""),
    refused: /fewer assertions/,
  },
  { name: "a weakened assertion", ...edit("src/add.test.ts", "toBe(3)", "toBeTruthy()"), refused: /ask for less/ },
  {
    name: "a skipped test",
    ...edit("src/add.test.ts", 'test("adds"', 'test.skip("adds"'),
    refused: /fewer tests|skipped/,
  },
  { name: "another expected value", ...edit("src/add.test.ts", "toBe(3)", "toBe(4)"), refused: /value 3/ },
  {
    name: "an assertion that can't fail",
    ...edit("src/add.test.ts", "expect(add(1, 2)).toBe(3)", "expect(3).toBe(3)"),
    refused: /can't fail/,
  },
  { name: "a deleted test file", bash: "rm tests/test_a.py", refused: /deletes the test file/ },
  { name: "a test through sed", bash: "sed -i s/3/4/ src/add.test.ts", refused: /can't be compared/ },
  { name: "an emptied test file", ...write("tests/test_a.py", ""), refused: /fewer tests/ },
  { name: "the test script", ...edit("package.json", "vitest run", "true"), refused: /test scripts/ },
]);

phaseRows({ kit: "tdd", phase: "breadcrumbs", files }, [
  { name: "README.md", ...edit("README.md", "x", "y") },
  { name: "a CLAUDE.md in a folder", ...write("src/CLAUDE.md") },
  { name: "LAST_TOUCH.md", ...write("LAST_TOUCH.md") },
  { name: "counting tests", bash: "npx vitest run 2>&1 | tail -5" },
  { name: "source", ...edit("src/add.ts", "0", "1"), refused: /CLAUDE\.md, AGENTS\.md/ },
  { name: "another document", ...write("docs/notes.md"), refused: /docs\/notes\.md/ },
  { name: "through the shell", bash: "echo x >> CHANGELOG.md", refused: /CHANGELOG\.md/ },
]);

test("a link to a test is the test", async (t) => {
  const made = phaseStage(t, { kit: "tdd", phase: "green", files });
  symlinkSync(join(made.root, "tests"), join(made.root, "lib"));
  assert.equal((await playRow(made, write("lib/test_a.py"))).gate, "kits/tdd");
  assert.equal((await playRow(made, { bash: "echo x > lib/test_a.py" })).gate, "kits/tdd");
});

test("a variable adds a phase and never replaces the recorded one", async (t) => {
  const made = phaseStage(t, { kit: "tdd", phase: "green", files });
  made.env = { RUN_ID: runId, TDD_PHASE: "red" };
  assert.match((await playRow(made, write("tests/test_a.py"))).text ?? "", /locked in green/);
  assert.match((await playRow(made, write("src/add.ts"))).text ?? "", /red writes tests only/);
  made.env = { TDD_PHASE: "refactor" };
  assert.equal((await playRow(made, write("tests/test_z.py"))).outcome, "deny", "the session stays bound to its run");
});

test("a run id without a record is no phase, and an ended phase holds no more", async (t) => {
  const made = phaseStage(t, { kit: "tdd", phase: "green", files });
  made.session = "another";
  made.env = { RUN_ID: "20260213T091500Z-00000000" };
  assert.equal((await playRow(made, write("tests/test_z.py"))).outcome, "pass");
  made.env = { RUN_ID: runId };
  assert.equal((await playRow(made, write("tests/test_z.py"))).outcome, "deny");
  endPhase(made);
  assert.equal((await playRow(made, write("tests/test_z.py"))).outcome, "pass");
});

test("the locks of the run that asks hold in the run it asked for", async (t) => {
  const made = phaseStage(t, { kit: "tdd", phase: "green", files });
  const child = "20260213T091600Z-00000001";
  startPhase(made, { kit: "research", phase: "survey", record: { run: child, parent: runId } });
  made.session = "child";
  made.env = { RUN_ID: child };
  assert.equal((await playRow(made, write("tests/NOTES.md"))).gate, "kits/tdd");
  assert.equal((await playRow(made, write("NOTES.md"))).outcome, "pass");
});

test("a locked file that a program changed is told after the call and found at the end of the phase", async (t) => {
  const made = phaseStage(t, { kit: "tdd", phase: "green", files });
  const record = startPhase(made, { kit: "tdd", phase: "green" });
  const input = { command: "make all" };
  assert.equal((await made.call("Bash", input)).outcome, "pass");
  assert.equal((await made.done("Bash", input, "ok")).context.join(), "");
  assert.equal((await made.call("Bash", input)).outcome, "pass");
  appendFileSync(join(made.root, "tests/test_a.py"), "# weaker\n");
  const told = await made.done("Bash", input, "ok");
  assert.match(told.context.join("\n"), /locked file changed: tests\/test_a\.py/);
  assert.deepEqual(
    phaseFindings(made.root, record, kitOptions).map((f) => f.rule),
    ["locked-file"],
  );
  writeFileSync(join(made.root, "tests/test_a.py"), files["tests/test_a.py"]);
  assert.deepEqual(phaseFindings(made.root, record, kitOptions), [], "put back as it was");
  writeFileSync(join(made.root, "tests/test_new.py"), "x");
  assert.deepEqual(
    phaseFindings(made.root, record, kitOptions).map((f) => f.rule),
    ["locked-place"],
  );
  rmSync(join(made.root, "tests/test_new.py"));
});

test("TDD_PHASE alone: locked files are hashed at the first event, and a change is told once", async (t) => {
  const made = phaseStage(t, { kit: "tdd", phase: "green", files, by: "variable" });
  const ls = { command: "ls" };
  assert.equal((await made.run("Bash", ls)).outcome, "pass");
  appendFileSync(join(made.root, "tests/test_a.py"), "# between two calls\n");
  appendFileSync(join(made.root, "src/add.ts"), "// may change\n");
  await made.call("Bash", ls);
  const told = (await made.done("Bash", ls, "ok")).context.join();
  assert.match(told, /tdd green: locked file changed since the session began: tests\/test_a\.py\./);
  await made.call("Bash", ls);
  assert.equal((await made.done("Bash", ls, "ok")).context.join(), "", "once");
  rmSync(join(made.root, "vitest.config.ts"));
  await made.call("Bash", ls);
  assert.match((await made.done("Bash", ls, "ok")).context.join(), /vitest\.config\.ts/);
});

test("a test run may store a snapshot that was missing, and change none", (t) => {
  const made = phaseStage(t, { kit: "tdd", phase: "green", files });
  const record = startPhase(made, { kit: "tdd", phase: "green" });
  made.write("src/__snapshots__/new.test.ts.snap", "2\n");
  assert.deepEqual(phaseFindings(made.root, record, kitOptions), []);
  made.write("tests/__snapshots__/a.snap", "2\n");
  assert.equal(phaseFindings(made.root, record, kitOptions)[0]?.rule, "locked-file");
});

test("a snapshot that is not the one the record names counts for nothing", (t) => {
  const made = phaseStage(t, { kit: "tdd", phase: "green", files });
  const record = startPhase(made, { kit: "tdd", phase: "green" });
  writeFileSync(record.snapshot!.file, '{"files":{}}');
  assert.throws(() =>
    phaseFindings(made.root, { ...record, snapshot: { ...record.snapshot!, sha256: "0" } }, kitOptions),
  );
});

test("how much tests ask, by language", () => {
  const weaker: [string, string][] = [
    ["assert f() == 1\n", "assert f()\n"],
    ["self.assertEqual(f(), 1)", "self.assertTrue(f())"],
    ["assert.equal(f(), 1);", "assert.ok(f());"],
    ["assert_eq!(f(), 1);", "assert!(f() > 0);"],
    ["def test_a():\n    assert f() == 1\n", "def helper():\n    assert f() == 1\n"],
    ['it("a", () => { expect(f()).toBe(1); });', '// it("a", () => { expect(f()).toBe(1); });'],
  ];
  for (const [before, after] of weaker) assert.ok(weakerEdit(before, after), `${before} -> ${after}`);
  const same: [string, string][] = [
    ["expect(f()).toBe(1);", "const one = 1;\nexpect(f()).toBe(one);"],
    ["assert f() == 1\n", "assert f() == 1  # the first\n"],
    ["expect(a).toEqual(b);", "expect(a).toStrictEqual(b);"],
  ];
  for (const [before, after] of same) assert.equal(weakerEdit(before, after), undefined, `${before} -> ${after}`);
});
