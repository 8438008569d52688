import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { stage } from "../../testing/stage.js";
import { compile } from "./config.js";
import rules from "./index.js";

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
];

for (const { rule, refuses, passes } of rows) {
  test(`rule ${rule}`, async (t) => {
    const s = stage(t, { packs: [rules], settings: written(rule) });
    for (const [tool, input] of refuses)
      assert.equal((await s.call(tool, input as never)).gate, "rules/user", `${tool} ${JSON.stringify(input)}`);
    for (const [tool, input] of passes)
      assert.equal((await s.call(tool, input as never)).outcome, "pass", `${tool} ${JSON.stringify(input)}`);
  });
}

test("note tells and lets pass, ask asks, deny says the message and the next step", async (t) => {
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

test("a pattern that would explode elsewhere is linear here", async (t) => {
  const s = stage(t, { packs: [rules], settings: written("- {on: write, match: '^(a+)+$', message: no}") });
  const grow = async (n: number) => {
    const start = performance.now();
    assert.equal((await s.call("Write", { file_path: "a.txt", content: `${"a".repeat(n)}!` })).outcome, "pass");
    return performance.now() - start;
  };
  await grow(1000);
  const small = await grow(20_000);
  const large = await grow(160_000);
  assert.ok(large < 60 * small + 50, `20k: ${small} ms, 160k: ${large} ms`);
});
