// A project whose test command finds no test: the run that says so is remembered, then a check or a run of the program
// is enough. A run that was narrowed says nothing about the project.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Agent, failing, passing, play } from "../../../../test/discipline/agent.js";

const task = "Implement CSV export for the reporting dashboard with columns for name, total and date";
const jest = "No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n";
const scripts = (more: object = {}) => ({ "package.json": JSON.stringify({ scripts: { test: "jest", ...more } }) });
const go = "?   \texample.com/a\t[no test files]\n";
const pytest = "collected 0 items\n\n==== no tests ran in 0.01s ====\n";

interface Row {
  name: string;
  files: Record<string, string>;
  path: string;
  run: (a: Agent) => Promise<unknown>;
  outcome: "pass" | "deny";
  says?: RegExp;
}
const js = "src/export.ts";
const rows: Row[] = [
  { name: "nothing was run", files: scripts(), path: js, run: async () => {}, outcome: "deny", says: /npm test/ },
  {
    name: "jest found none, nothing else is there",
    files: scripts(),
    path: js,
    run: none,
    outcome: "deny",
    says: /write one and run it, or run the program that uses src\/export\.ts/,
  },
  {
    name: "jest found none, nothing else is there, and the file was run",
    files: scripts(),
    path: js,
    run: async (a) => {
      await none(a);
      return a.bash("node src/export.ts", "name,total\n");
    },
    outcome: "pass",
  },
  {
    name: "jest found none, a build is there",
    files: scripts({ build: "tsc" }),
    path: js,
    run: none,
    outcome: "deny",
    says: /npm run build/,
  },
  {
    name: "jest found none, then the build",
    files: scripts({ build: "tsc" }),
    path: js,
    run: async (a) => {
      await none(a);
      return a.bash("npm run build", "> tsc\n");
    },
    outcome: "pass",
  },
  {
    name: "the build, then jest found none",
    files: scripts({ build: "tsc" }),
    path: js,
    run: async (a) => {
      await a.bash("npm run build", "> tsc\n");
      return none(a);
    },
    outcome: "pass",
  },
  {
    name: "jest found none, then the type check",
    files: scripts({ lint: "eslint ." }),
    path: js,
    run: async (a) => {
      await none(a);
      return a.bash("npx tsc --noEmit", "");
    },
    outcome: "pass",
  },
  {
    name: "jest found none, then the program was run",
    files: scripts({ build: "tsc" }),
    path: js,
    run: async (a) => {
      await none(a);
      return a.bash("node src/export.ts", "name,total\n");
    },
    outcome: "pass",
  },
  {
    name: "jest found none, then npm start",
    files: scripts({ build: "tsc", start: "node ." }),
    path: js,
    run: async (a) => {
      await none(a);
      return a.bash("npm start", "listening\n");
    },
    outcome: "pass",
  },
  {
    name: "a build that failed",
    files: scripts({ build: "tsc" }),
    path: js,
    run: async (a) => {
      await none(a);
      return a.bash("npm run build", "error TS2304: Cannot find name 'x'.", 2);
    },
    outcome: "deny",
    says: /npm run build/,
  },
  {
    name: "a build before a later edit",
    files: scripts({ build: "tsc" }),
    path: js,
    run: async (a) => {
      await none(a);
      await a.bash("npm run build", "> tsc\n");
      return a.write("src/b.ts", "export {};\n");
    },
    outcome: "deny",
    says: /npm run build/,
  },
  {
    name: "only a narrowed run found none",
    files: { ...scripts({ build: "tsc" }), "src/a.test.ts": "" },
    path: js,
    run: async (a) => {
      await a.bash("npx jest zzz", jest, 1);
      return a.bash("npm run build", "> tsc\n");
    },
    outcome: "deny",
    says: /npm test/,
  },
  {
    name: "a narrowed pytest",
    files: { "py/pyproject.toml": "[tool.pytest.ini_options]\n" },
    path: "py/app.py",
    run: (a) =>
      a.bash(
        "cd py && pytest -k zzz",
        "collected 5 items / 5 deselected / 0 selected\n=== 5 deselected in 0.1s ===\n",
        5,
      ),
    outcome: "deny",
    says: /pytest/,
  },
  {
    name: "tests that fail are tests",
    files: { ...scripts({ build: "tsc" }), "src/a.test.ts": "" },
    path: js,
    run: async (a) => {
      await a.bash("npm test", failing(), 1);
      return a.bash("npm run build", "> tsc\n");
    },
    outcome: "deny",
    says: /npm test/,
  },
  {
    name: "tests were written since",
    files: scripts({ build: "tsc" }),
    path: js,
    run: async (a) => {
      await none(a);
      await a.write("src/export.test.ts", "test('a', () => {});\n");
      return a.bash("npm run build", "> tsc\n");
    },
    outcome: "deny",
    says: /npm test/,
  },
  {
    name: "tests were written and pass",
    files: scripts({ build: "tsc" }),
    path: js,
    run: async (a) => {
      await none(a);
      await a.write("src/export.test.ts", "test('a', () => {});\n");
      return a.bash("npm test", passing());
    },
    outcome: "pass",
  },
  {
    name: "pytest exit 5",
    files: { "py/pyproject.toml": "[tool.pytest.ini_options]\n" },
    path: "py/app.py",
    run: (a) => a.bash("cd py && pytest", pytest, 5),
    outcome: "deny",
    says: /run the program that uses py\/app\.py/,
  },
  {
    name: "pytest exit 5, then the program",
    files: { "py/pyproject.toml": "[tool.pytest.ini_options]\n" },
    path: "py/app.py",
    run: async (a) => {
      await a.bash("cd py && pytest", pytest, 5);
      return a.bash("python3 py/app.py", "ok\n");
    },
    outcome: "pass",
  },
  {
    name: "go without test files",
    files: { "svc/go.mod": "module example.com/a\n", "svc/pkg/a_test.go": "package pkg\n" },
    path: "svc/main.go",
    run: async (a) => {
      await a.bash("cd svc && go test ./...", go);
      return a.bash("cd svc && go build ./...", "");
    },
    outcome: "pass",
  },
];

function none(a: Agent) {
  return a.bash("npm test", jest, 1);
}

async function turnEnd(t: TestContext, { files, path, run }: Row) {
  const a = play(t, { gates: ["verification"], files });
  await a.prompt(task);
  const lines = Array.from({ length: 120 }, (_, i) => `export const column${i} = ${i};`).join("\n");
  await a.write(path, `${lines}\n`);
  await run(a);
  return a.stop("CSV export is implemented.");
}

for (const row of rows)
  test(`no tests: ${row.name}`, async (t) => {
    const said = await turnEnd(t, row);
    assert.equal(said.outcome, row.outcome, said.text);
    if (row.says) assert.match(said.text, new RegExp(`next: .*${row.says.source}`));
  });
