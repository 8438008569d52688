// Scope patterns and .intentignore: what each form means.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileScope, inScope, isIgnoredPath, readIgnoreFile } from "./scope-patterns.js";

const rows: [patterns: string[], yes: string[], no: string[]][] = [
  [["src"], ["src/a.ts", "src/deep/b.ts", "src"], ["lib/src/a.ts", "srcs/a.ts"]],
  [["src/"], ["src/a.ts"], ["src2/a.ts"]],
  [["src/auth/**"], ["src/auth/a.ts", "src/auth/b/c.ts"], ["src/authx/a.ts", "src/a.ts"]],
  [["src/**/*.ts"], ["src/a.ts", "src/x/y.ts"], ["src/a.js"]],
  [["*.md"], ["a.md", "docs/deep/a.md"], ["a.mdx"]],
  [["/README.md"], ["README.md"], ["docs/README.md"]],
  [["README.md"], ["README.md"], ["docs/README.md"]],
  [["{src,lib}/*.ts"], ["src/a.ts", "lib/b.ts"], ["src/x/a.ts", "app/a.ts"]],
  [["src/a?.ts"], ["src/ab.ts"], ["src/abc.ts"]],
  [["src/**", "!src/gen/**"], ["src/a.ts"], ["src/gen/x.ts", "src/gen/deep/y.ts"]],
  [["src/**", "!src/gen", "src/gen/keep.ts"], ["src/gen/keep.ts"], ["src/gen/x.ts"]],
  [["!src/**"], [], ["src/a.ts"]],
  [["**"], ["a", "a/b"], []],
  [["./src/a.ts"], ["src/a.ts"], ["a.ts"]],
  [["Src"], ["Src/a.ts"], ["src/a.ts"]],
  [[], [], ["a.ts"]],
];
for (const [patterns, yes, no] of rows)
  test(`scope ${JSON.stringify(patterns)}`, () => {
    const globs = patterns.map(compileScope);
    for (const path of yes) assert.ok(inScope({ globs }, path), path);
    for (const path of no) assert.ok(!inScope({ globs }, path), path);
  });

for (const bad of ["", "!", "/", "../x", "a/../../b", "C:\\x", "@(a|b)"])
  test(`scope pattern ${JSON.stringify(bad)} is refused`, () => assert.throws(() => compileScope(bad)));

test("scope: any", () => assert.ok(inScope({ globs: [], anyScope: true }, "x/y")));

test(".intentignore: comments, intents, names in every folder, negation, a broken line", () => {
  const rules = readIgnoreFile("# no\n\nintent:INT-003\n*.lock\nvendor/\n/top.txt\nsrc/gen/**\n!src/gen/ok.ts\n");
  assert.deepEqual(rules.intents, ["INT-003"]);
  for (const path of ["yarn.lock", "a/b.lock", "x/vendor/y.js", "top.txt", "src/gen/x.ts"])
    assert.ok(isIgnoredPath(rules, path), path);
  for (const path of ["a/top.txt", "src/gen/ok.ts", "src/x.ts"]) assert.ok(!isIgnoredPath(rules, path), path);
  assert.deepEqual(readIgnoreFile("a\n@(x)\n").problem?.line, 2);
});
