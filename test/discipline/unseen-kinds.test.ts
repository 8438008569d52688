// Kinds of refusals a developer would argue with, found in recorded sessions of other projects; each with neighbours
// that must stay refused.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readPrompt } from "../../src/facts/prompts/prompt.js";
import { handsOver } from "../../src/packs/discipline/verification/verification.js";
import { Agent, play } from "./agent.js";

const judged = async (a: Agent, command: string) => (await a.before("Bash", { command })).outcome;

test("unseen: inline programs that load modules and try them", async (t) => {
  const a = play(t, { gates: ["inline-scripts"], files: { "src/a.ts": "export const a = 1;\n" } });
  const rows: [outcome: string, command: string][] = [
    ["pass", `uv run python -c "from app.agents import ideas; print('imported')"`],
    ["pass", `.venv/bin/python -c "import pydantic_ai; print(pydantic_ai.__version__)"`],
    ["pass", `python3 -c "from app.technical import sma\nassert sma([1, 2]) == 1.5\nprint('ok')"`],
    ["pass", `python3 -c "from lib.run import Run\nimport inspect\nprint(inspect.signature(Run.iter))"`],
    ["pass", `python3 - <<'EOF'\nfrom app.models import Trade\nprint(Trade(1).total())\nEOF`],
    ["pass", `node -e "const p = require('./node_modules/x'); p.configs.forEach((c, i) => console.log(i, c))"`],
    ["pass", `python3 -c "import helper; helper.write_file('src/a.ts')"`],
    ["deny", `python3 -c "import helper; open('src/a.ts', 'w').write(helper.text())"`],
    ["deny", `python3 -c "from app import x; from pathlib import Path; Path('src/a.ts').write_text(x)"`],
  ];
  for (const [outcome, command] of rows) assert.equal(await judged(a, command), outcome, command);
});

test("unseen: programs that can't be seen through count as changes, like Edit", async (t) => {
  const a = play(t, { gates: ["research"], files: { "src/a.ts": "export const a = 1;\n" } });
  await a.prompt("Implement CSV export for the reporting dashboard");
  for (const command of [
    `python3 -c "import app; exec(open('change.py').read())"`,
    `python3 -c "import importlib.machinery, rope; rope.rename('src/a.ts')"`,
    `node -e "require('./tools').writeFile('src/a.ts', 'x')"`,
    `node -e "require('fs-extra').outputFileSync('src/a.ts', 'x')"`,
    `node -e "require('shelljs').sed('-i', 'a', 'b', 'src/a.ts')"`,
    `node -e "require(process.argv[1])" ./change.js`,
  ])
    assert.equal(await judged(a, command), "deny", command);
});

test("unseen: what a script kept in a file or another program of the command writes is not typed", async (t) => {
  const files = {
    "src/a.ts": "export const a = 1;\n",
    Makefile: "generate:\n\tsh scripts/gen.sh\n",
    "scripts/gen.sh": "echo 'export const b = 2;' > src/b.ts\n",
    "src/b.ts": "export const b = 1;\n",
  };
  const a = play(t, { gates: ["inline-scripts"], files });
  const rows: [outcome: string, command: string][] = [
    ["pass", `git bisect start HEAD HEAD~3 && git bisect run python3 -c "from app import x; assert x() == 1"`],
    ["pass", `D=$(mktemp -d) && cd $D && npm init -y && npm i x && node -e "console.log(require('x'))"; rm -rf $D`],
    ["pass", `git checkout -q topic && python3 -c "print(1)"`],
    ["pass", `cp src/a.ts src/c.ts && node -e "console.log(1)"`],
    ["pass", `python3 -c "import datetime; print(datetime.date(2024, 1, 7).isocalendar().week)"`],
    ["pass", `python3 -c "import pandas as pd; print(pd.read_csv('a.csv').groupby('x').size().nlargest(3))"`],
    ["pass", "make generate && git diff --stat && cat src/b.ts"],
    ["pass", "sh scripts/gen.sh 2>/dev/null && tail -5 src/b.ts"],
    ["deny", `git checkout -q topic && python3 -c "open('src/a.ts', 'w').write('x')"`],
    ["pass", `python3 -c "import os; os.system('sed -i s/1/2/ src/a.ts')" && git status`],
    ["pass", "make generate && echo 'export {}' >> src/b.ts"],
    ["pass", "sh scripts/gen.sh && sed -i s/2/3/ src/b.ts"],
    ["deny", "f=src/a.ts; echo x > $f"],
  ];
  for (const [outcome, command] of rows) assert.equal(await judged(a, command), outcome, command);
});

test("unseen: such a program is no research and needs it, as a script does", async (t) => {
  const a = play(t, { gates: ["research"], files: { "src/a.ts": "export const a = 1;\n" } });
  await a.prompt("Implement CSV export for the reporting dashboard");
  assert.equal(await judged(a, `python3 -c "from app import change; change()"`), "deny");
});

test("unseen: a question with its answers below ends a turn; a heading with a list does not", () => {
  const rows: [ends: boolean, message: string][] = [
    [true, "Done.\n\n**What would you like to do next?**\n1. Start the next story\n2. Done"],
    [true, "Fixed.\n\nShould I go on with:\n\n- the tests?\n- the docs?"],
    [true, "Which one do you prefer?\n\na) the first\nb) the second"],
    [true, "Changed.\n\nReady to rebuild and redeploy when you are."],
    [false, "The reader tells you when you are offline and retries."],
    [false, "Done.\n\n**What changed?**\n1. The reader\n2. The writer"],
    [false, "Why did it fail?\n- a lock\n- a race"],
    [false, "Would you look at that? It works.\n1. reader\n2. writer\n\nAll is done."],
  ];
  for (const [ends, message] of rows) assert.equal(handsOver(message), ends, message);
});

/** Only these files, and only the gate that looks at the end of a turn. */
function alone(t: TestContext, files: Record<string, string>): Agent {
  const a = new Agent({ gates: ["verification"], files });
  t.after(() => a.close());
  return a;
}

const worked = async (a: Agent, path: string, old: string, next: string): Promise<void> => {
  await a.prompt(`change ${path} as we said`);
  for (const p of ["a", "b", "c"]) await a.grep(p, `${path}:1:${p}`, ".");
  assert.notEqual((await a.edit(path, old, next)).outcome, "deny");
};

test("unseen: a Go project without tests is verified by its build", async (t) => {
  const go = { "go.mod": "module x\n", "cmd/x/main.go": "package main\n\nfunc main() { one() }\n" };
  const a = alone(t, go);
  await worked(a, "cmd/x/main.go", "one", "two");
  assert.match((await a.stop("Done.")).text, /run `go build \.\/\.\.\.`/);
  await a.bash("go build ./...", "");
  assert.equal((await a.stop("Done.")).outcome, "pass");
  const b = alone(t, { ...go, "internal/y/y_test.go": "package y\n" });
  await worked(b, "cmd/x/main.go", "one", "two");
  await b.bash("go build ./...", "");
  assert.match((await b.stop("Done.")).text, /run `go test \.\/\.\.\.`/);
});

test("unseen: a manifest of another language is not tested by cargo", async (t) => {
  const files = {
    "Cargo.toml": "[package]\n",
    "config/app.toml": "port = 1\n",
    "agents/pyproject.toml": '[project]\ndependencies = ["a>=1"]\n',
  };
  const a = alone(t, files);
  await worked(a, "agents/pyproject.toml", '"a>=1"', '"a>=1", "b>=2"');
  assert.equal((await a.stop("Done.")).outcome, "pass");
  await worked(a, "config/app.toml", "1", "2");
  assert.match((await a.stop("Done.")).text, /cargo test/);
});

test("unseen: layout alone needs no tests, whatever the lines; another argument does", async (t) => {
  const line = 'fn main() {\n    call(a, b, "x, y");\n}\n';
  const files = { "Cargo.toml": "[package]\n", "src/main.rs": line, "src/a.py": "call(a)\n" };
  const end = async (next: string) => {
    const a = alone(t, files);
    await worked(a, "src/main.rs", 'call(a, b, "x, y");', next);
    return (await a.stop("Done.")).outcome;
  };
  assert.equal(await end('call(\n        a,\n        b,\n        "x, y",\n    );'), "pass");
  assert.equal(await end('call(\n        a,\n        c,\n        "x, y",\n    );'), "deny");
  assert.equal(await end('call(a, b, "x,y");'), "deny", "a text is no layout");
});

test("unseen: formatting that was asked for is proved by the formatter's check", async (t) => {
  const files = { "Cargo.toml": "[package]\n", "src/main.rs": "fn main() { a() }\n" };
  const a = alone(t, files);
  await a.prompt("run `cargo fmt --all --check` and fix the formatting hints");
  await a.read("src/main.rs");
  await a.edit("src/main.rs", "{ a() }", "{ a(); }");
  assert.equal((await a.stop("Done.")).outcome, "deny");
  await a.bash("cargo fmt --all --check 2>&1", "");
  assert.equal((await a.stop("Formatting is clean.")).outcome, "pass");
});

test("unseen: build output anywhere is no edit, and the named run shows its exit code", async (t) => {
  const a = play(t, { gates: ["verification", "research"], files: { "libs/x/.build/a.o": "x\n", "x.zig": "a\n" } });
  await a.prompt("Clean up the library folders");
  assert.equal(await judged(a, "rm -rf libs/x/.build"), "pass");
  const b = alone(t, { "x.zig": "a\n" });
  await b.prompt("change x.zig as we said");
  await b.bash('zig build test 2>&1 | grep "error:" | head -20', "error: x");
  await b.edit("x.zig", "a", "b");
  assert.doesNotMatch((await b.stop("Done.")).text, /grep|head/);
});

test("unseen: five lines may go over the limit of a file, six may not", async (t) => {
  const a = play(t, { gates: ["file-size"], files: { "src/a.ts": "x\n".repeat(798) } });
  const add = (n: number) =>
    a.before("Edit", {
      file_path: join(a.root, "src/a.ts"),
      old_string: "x\n",
      new_string: `x\n${"y\n".repeat(n)}`,
      replace_all: false,
    });
  assert.equal((await add(5)).outcome, "pass");
  assert.equal((await add(6)).outcome, "deny");
});

test("unseen: a call the client cancelled is no failure", async (t) => {
  const a = play(t, { gates: ["breaker"], files: { "src/a.ts": "export const a = 1;\n" } });
  await a.prompt("Implement CSV export for the reporting dashboard");
  for (const n of [1, 2, 3, 4])
    await a.failed("Bash", { command: `x ${n}` }, "<tool_use_error>Cancelled: parallel tool call Bash(x) errored");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  for (const n of [1, 2, 3]) await a.bash(`node x${n}.js`, `Error: boom ${n}`, 1);
  assert.equal((await a.edit("src/a.ts", "2", "3")).outcome, "deny");
});

test("unseen: a permission that was not given is no failure", async (t) => {
  const a = play(t, { gates: ["breaker"], files: { "src/a.ts": "export const a = 1;\n" } });
  await a.prompt("Implement CSV export for the reporting dashboard");
  const input = { file_path: join(a.root, "src/b.ts"), content: "x" };
  for (const n of [1, 2, 3])
    await a.failed("Write", input, `Claude requested permissions to write to b${n}, but you haven't granted it yet.`);
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
});

test("unseen: after research another failure is no repetition of the one that tripped the breaker", async (t) => {
  const tripped = async () => {
    const a = play(t, { gates: ["breaker"], files: { "src/a.ts": "export const a = 1;\n" } });
    await a.prompt("Implement CSV export for the reporting dashboard");
    for (const n of [1, 2, 3]) {
      await a.bash("node install.js", "Error: a terminal is required", 1);
      await a.bash(`mkdir d${n}`, "");
    }
    assert.equal((await a.before("Bash", { command: "cp src/a.ts src/b.ts" })).outcome, "deny");
    await a.docs("https://docs.example.org/terminal");
    await a.search("a terminal is required");
    return a;
  };
  const a = await tripped();
  await a.bash("npx tsc --noEmit", "src/a.ts(1,1): error TS1005: ';' expected.", 2);
  assert.equal((await a.before("Bash", { command: "cp src/a.ts src/b.ts" })).outcome, "pass");
  const b = await tripped();
  await b.bash("node install.js", "Error: a terminal is required", 1);
  assert.equal((await b.before("Bash", { command: "cp src/a.ts src/b.ts" })).outcome, "deny", "the same once more");
});

test("unseen: what was seen, and looks that lead to a change, forbid nothing", () => {
  const rows: [kind: string, text: string][] = [
    ["task", "I did a hard refresh and tried again. No changes."],
    ["research-only", "look at the export, no changes please"],
    ["research-only", "Investigate the slow start. No code changes."],
    [
      "task",
      "take a look at our mail skill, see how it too could benefit from the change and then if after making the " +
        "change you see improvement push the changes to github please",
    ],
    ["research-only", "take a look at our mail skill and see how it could benefit"],
  ];
  for (const [kind, text] of rows) assert.equal(readPrompt(text).kind, kind, text);
});

test("unseen: a build proves a change of its manifest, no change of code", async (t) => {
  const files = { "Cargo.toml": "[package]\nedition = 1\n", "src/main.rs": "fn main() { a() }\n" };
  const a = alone(t, files);
  await worked(a, "Cargo.toml", "edition = 1", "edition = 2\nlto = true");
  assert.equal((await a.stop("Done.")).outcome, "deny", "nothing was run");
  await a.bash("cargo build", "    Finished dev\n");
  assert.equal((await a.stop("Done.")).outcome, "pass");
  const b = alone(t, files);
  await worked(b, "src/main.rs", "a()", "b()");
  await b.bash("cargo build", "    Finished dev\n");
  assert.equal((await b.stop("Done.")).outcome, "deny");
});

test("unseen: the choice of an offered answer allows what an investigation proposed", async (t) => {
  const a = play(t, { gates: ["research-only"], files: { "src/a.ts": "export const a = 1;\n" } });
  await a.prompt("investigate why the export is empty, don't change anything");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "deny");
  await a.prompt("2.");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  assert.equal(readPrompt("option b").chooses, true);
  assert.equal(readPrompt("#2").chooses, undefined, "an issue");
  assert.equal(readPrompt("2 of them fail").chooses, undefined);
});

test("unseen: archives need no research, and programs may be asked", async (t) => {
  const a = play(t, { gates: ["research"], files: { "src/a.ts": "export const a = 1;\n" } });
  await a.prompt("Implement CSV export for the reporting dashboard");
  const rows: [outcome: string, command: string][] = [
    ["pass", "tar -czf backup-$(date +%Y%m%d).tar.gz src"],
    ["pass", "/usr/libexec/firewall/ctl --getglobalstate"],
    ["pass", "wpctl get-volume 46"],
    ["pass", "fanctl maximum-status"],
    ["pass", "wpctl set-volume 46"],
    ["pass", "defuddle parse https://example.org --md | sed -n 1,20p"],
    ["deny", "/usr/libexec/firewall/ctl --setglobalstate on"],
    ["deny", "cp src/a.ts src/b.ts"],
    ["deny", "tar -xzf backup.tar.gz -C src"],
  ];
  for (const [outcome, command] of rows) assert.equal(await judged(a, command), outcome, command);
});

test("unseen: a file outside the project that was read may be edited; another may not", async (t) => {
  const folder = mkdtempSync(join(homedir(), ".interlock-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["a.sh", "b.sh"]) writeFileSync(join(folder, name), "echo 1\n");
  const a = play(t, { gates: ["research"], guard: { destructive: "off" } });
  await a.prompt("Make the launcher start the program with another flag");
  const input = (name: string) => ({ file_path: join(folder, name), old_string: "1", new_string: "2" });
  assert.equal((await a.before("Edit", input("a.sh"))).gate, "research");
  await a.before("Read", { file_path: join(folder, "a.sh") });
  await a.after("Read", { file_path: join(folder, "a.sh") }, "echo 1\n");
  assert.equal((await a.before("Edit", input("a.sh"))).outcome, "pass");
  assert.equal((await a.before("Edit", input("b.sh"))).gate, "research");
});

test("unseen: a public key is no credential, its private half is", async (t) => {
  const a = play(t, { gates: ["blocked-paths"], guard: { secrets: "off" } });
  assert.equal(await judged(a, "cat ~/.ssh/id_ed25519.pub"), "pass");
  assert.equal(await judged(a, "cat ~/.ssh/id_ed25519"), "deny");
  assert.equal(await judged(a, "cat ~/.ssh/*"), "deny");
});

test("unseen: MCP tools by the verb in their name, and browsers", async (t) => {
  const a = play(t, { gates: ["research"], files: { "src/a.ts": "export const a = 1;\n" } });
  await a.prompt("Implement CSV export for the reporting dashboard");
  const rows: [outcome: string, tool: string][] = [
    ["pass", "mcp__plugin_context-mode_context-mode__ctx_search"],
    ["pass", "mcp__exa__web_search_exa"],
    ["pass", "mcp__Claude_Browser__javascript_tool"],
    ["pass", "mcp__playwright__navigate"],
    ["deny", "mcp__files__search_and_replace"],
    ["deny", "mcp__ctx__ctx_batch_execute"],
    ["deny", "mcp__sync__all"],
  ];
  for (const [outcome, tool] of rows) assert.equal((await a.before(tool, { q: "x" })).outcome, outcome, tool);
});

test("unseen: what a specification of pages mentions is not ordered by it", () => {
  const spec = `Build the importer.\n${"It reads rows, one by one, and keeps what it knows. ".repeat(40)}`;
  assert.deepEqual(readPrompt("Build the importer, then commit and push it").asks, ["commit", "push"]);
  assert.deepEqual(readPrompt(`${spec}\nThe tool is to commit. Update the docs, then commit and push.`).asks, []);
  assert.deepEqual(readPrompt(`${spec}\nMake a plan first.`).asks, ["plan"]);
  assert.deepEqual(readPrompt("Make the tests ignore settings of the machine (e.g. commit.gpgSign=true)").asks, []);
});
