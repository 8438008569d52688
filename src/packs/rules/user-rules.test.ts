// Tables of rules for the gate rules/user: what each refuses and what it lets pass.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { processorTime } from "../../testing/processor-time.js";
import { stage } from "../../testing/stage.js";
import { compile } from "./config.js";
import { rulesPack as rules } from "./index.js";

const written = (yaml: string) => ({
  rules: { options: compile({ rules: parse(yaml).map((r: object) => ({ action: "deny", ...r })) }) },
});

const rows: { rule: string; refuses: [string, object][]; passes: [string, object][] }[] = [
  {
    rule: "- {on: write, where: 'src/**', match: 'console\\.log', message: use the logger}",
    refuses: [
      ["Write", { file_path: "src/a.ts", content: "console.log(1)" }],
      ["Edit", { file_path: "src/b.ts", old_string: "x", new_string: "console.log(2)", replace_all: false }],
    ],
    passes: [
      ["Write", { file_path: "src/a.ts", content: "log(1)" }],
      ["Write", { file_path: "test/a.ts", content: "console.log(1)" }],
      ["Read", { file_path: "src/a.ts" }],
    ],
  },
  {
    rule: "- {on: shell, match: '\\bnpm publish\\b', message: releases go through CI}",
    refuses: [["Bash", { command: "npm publish --tag x" }]],
    passes: [["Bash", { command: "npm test" }]],
  },
  {
    rule: "- {on: mcp, where: 'github/*', unless: 'get_', message: ask first}",
    refuses: [["mcp__github__create_issue", { title: "x" }]],
    passes: [["mcp__gitlab__create_issue", { title: "x" }]],
  },
  {
    rule: "- {on: agent, where: 'general-*', message: use the reviewer}",
    refuses: [["Agent", { subagent_type: "general-purpose", prompt: "p", description: "d" }]],
    passes: [["Agent", { subagent_type: "reviewer", prompt: "p", description: "d" }]],
  },
  {
    rule: "- {on: [read, write], where: 'legal/**', message: not for agents}",
    refuses: [
      ["Read", { file_path: "legal/a.md" }],
      ["Write", { file_path: "legal/b.md", content: "" }],
    ],
    passes: [["Read", { file_path: "docs/legal.md" }]],
  },
  {
    rule: "- {on: web, match: 'example\\.org', message: no}",
    refuses: [["WebFetch", { url: "https://example.org/x", prompt: "p" }]],
    passes: [["WebFetch", { url: "https://example.com", prompt: "p" }]],
  },
  {
    rule: "- {on: [write, delete], where: 'docs/legal/**', message: not for agents}",
    refuses: [
      ["MultiEdit", { file_path: "docs/legal/a.md", edits: [{ old_string: "a", new_string: "b" }] }],
      ["NotebookEdit", { notebook_path: "docs/legal/n.ipynb", new_source: "x" }],
      ["mcp__fs__write_file", { path: "docs/legal/a.md", content: "x" }],
      ["Bash", { command: "echo x > docs/legal/a.md" }],
      ["Bash", { command: "cd docs && sed -i s/a/b/ legal/a.md" }],
      ["Bash", { command: "cp README.md docs/legal/a.md" }],
      ["Bash", { command: "rm docs/legal/a.md" }],
      ["Bash", { command: "rm -rf docs/legal" }],
      ["Bash", { command: "rm -rf docs" }],
      ["Bash", { command: "rm -rf docs/*" }],
      ["Bash", { command: "mv docs/legal /tmp/legal-of-mine" }],
      ["Bash", { command: "mv docs /tmp/docs-of-mine" }],
      ["Bash", { command: "find docs -name '*.md' -delete" }],
      ["Bash", { command: "git rm -rq docs/legal" }],
      ["Bash", { command: "ls && rm -f docs/legal/*.md" }],
    ],
    passes: [
      ["Bash", { command: "cat docs/legal/a.md" }],
      ["Bash", { command: "grep -rn x docs/legal" }],
      ["Bash", { command: "rm -rf docs/legalese" }],
      ["Bash", { command: "rm docs/a.md" }],
      ["Bash", { command: "rm *.log" }],
      ["Bash", { command: "rm -rf *.log dist" }],
      ["Bash", { command: "git checkout -b topic" }],
      ["Bash", { command: "echo 'rm -rf docs/legal'" }],
      ["Write", { file_path: "docs/legal.md", content: "" }],
      ["Write", { file_path: "src/docs/legal/a.md", content: "" }],
    ],
  },
  {
    rule: "- {on: write, where: 'src/**', match: 'console\\.log', message: use the logger}",
    refuses: [
      ["mcp__fs__write_file", { path: "src/a.ts", content: "console.log(1)" }],
      ["Bash", { command: "echo 'console.log(1)' >> src/a.ts" }],
      ["MultiEdit", { file_path: "src/b.ts", edits: [{ old_string: "a", new_string: "console.log(3)" }] }],
    ],
    passes: [
      ["mcp__fs__write_file", { path: "src/a.ts", content: "log(1)" }],
      ["Bash", { command: "grep -rn console.log src" }],
      ["Edit", { file_path: "src/b.ts", old_string: "console.log(1)", new_string: "log(1)", replace_all: false }],
    ],
  },
  {
    rule: "- {on: web, match: 'example\\.org', message: no}",
    refuses: [
      ["Bash", { command: "curl -s https://example.org/x" }],
      ["Bash", { command: "wget https://example.org/x -O /tmp/x-of-mine" }],
      ["Bash", { command: "git status; curl https://api.example.org/v1 | jq ." }],
    ],
    passes: [
      ["Bash", { command: "curl -s https://example.com/x" }],
      ["Bash", { command: "echo https://example.org/x" }],
      ["Bash", { command: "npm test" }],
    ],
  },
  {
    rule: "- {on: commit, match: '(?i)^wip', message: no work in progress}",
    refuses: [
      ["Bash", { command: "git commit -m 'WIP: x'" }],
      ["Bash", { command: "git commit -am wip" }],
      ["Bash", { command: "git -C . commit -m 'wip'" }],
      ["Bash", { command: "git add -A && git commit --message='wip x'" }],
    ],
    passes: [
      ["Bash", { command: "git commit -m 'fix: wip removed'" }],
      ["Bash", { command: "git log --grep wip" }],
      ["Bash", { command: "echo git commit -m wip" }],
    ],
  },
  {
    rule: "- {on: commit, where: main, message: not on main}",
    refuses: [["Bash", { command: "git commit -m x" }]],
    passes: [["Bash", { command: "git status" }]],
  },
  {
    rule: "- {on: push, match: '--force\\b', message: no}",
    refuses: [["Bash", { command: "git push --force origin x" }]],
    passes: [["Bash", { command: "git push origin x" }]],
  },
  {
    rule: "- {on: tool, where: 'Todo*', message: use the board}",
    refuses: [["TodoWrite", { todos: [] }]],
    passes: [["Read", { file_path: "a.ts" }]],
  },
];

for (const { rule, refuses, passes } of rows) {
  test(`rule ${rule}`, async (t) => {
    const s = stage(t, { packs: [rules], settings: written(rule) });
    const wrong: string[] = [];
    const say = (tool: string, input: object) => `${tool} ${JSON.stringify(input)}`;
    for (const [tool, input] of refuses)
      if ((await s.call(tool, input as never)).gate !== "rules/user") wrong.push(`passes: ${say(tool, input)}`);
    for (const [tool, input] of passes)
      if ((await s.call(tool, input as never)).outcome !== "pass") wrong.push(`refused: ${say(tool, input)}`);
    assert.deepEqual(wrong, []);
  });
}

test("note tells and passes, ask asks, deny gives the message and the next step", async (t) => {
  const play = (yaml: string) =>
    stage(t, { packs: [rules], settings: written(yaml) }).call("Bash", { command: "make" });
  assert.deepEqual((await play("- {on: shell, action: note, message: remember the changelog}")).context, [
    "rule rule-1: remember the changelog",
  ]);
  assert.equal((await play("- {on: shell, action: ask, message: sure}")).outcome, "ask");
  assert.match(
    (await play("- {on: shell, message: no make, next: use just}")).text!,
    /why: rule "rule-1": no make\nnext: use just/,
  );
});

test("a prompt and the end of a turn can be watched", async (t) => {
  const s = stage(t, {
    packs: [rules],
    settings: written(
      "- {on: prompt, match: '(?i)deploy', message: ask ops}\n- {on: stop, match: 'probably', message: be sure}",
    ),
  });
  assert.equal((await s.prompt("Deploy it")).outcome, "deny");
  assert.equal((await s.prompt("fix it")).outcome, "pass");
  assert.equal((await s.stop("it probably works")).outcome, "deny");
  assert.equal((await s.stop("it works")).outcome, "pass");
});

test("a pattern with catastrophic backtracking elsewhere runs in linear time", async (t) => {
  const s = stage(t, { packs: [rules], settings: written("- {on: write, match: '^(a+)+$', message: no}") });
  const cost = (n: number) =>
    processorTime(async () => {
      const { outcome } = await s.call("Write", { file_path: "a.txt", content: `${"a".repeat(n)}!` });
      assert.equal(outcome, "pass");
    });
  await cost(1000);
  const small = await cost(20_000);
  const large = await cost(160_000);
  assert.ok(large < 60 * small, `20k: ${small} µs, 160k: ${large} µs`);
});
