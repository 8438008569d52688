import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesName, startsWithWords } from "./name-patterns.js";

test("names match patterns with *", () => {
  for (const [pattern, text] of [
    ["github*", "github-enterprise"],
    ["*docs*", "my-docs-server"],
    ["docs.*", "docs.example.org"],
    ["Context7", "context7"],
    ["a*b*c", "aXbYc"],
    ["*", ""],
  ] as const)
    assert.ok(matchesName(pattern, text), `${pattern} ${text}`);
  for (const [pattern, text] of [
    ["github.com", "github.com.example.org"],
    ["docs.*", "xdocs.example.org"],
    ["a*a", "a"],
    ["*.dmg", "App.dmg.txt"],
    ["a*b*c", "acb"],
  ] as const)
    assert.ok(!matchesName(pattern, text), `${pattern} ${text}`);
  const hostile = "*a".repeat(40);
  assert.ok(!matchesName(hostile, "a".repeat(30)), "linear in any case");
});

test("command lines match by their first words, ignoring options", () => {
  const call = (line: string) => ({ program: line.split(" ")[0]!, argv: line.split(" ").slice(1) });
  assert.ok(startsWithWords(call("gh search issues x"), "gh search", "/p"));
  assert.ok(startsWithWords(call("git --no-pager log -3"), "git log", "/p"));
  assert.ok(startsWithWords(call("sed -n 1,5p f"), "sed -n", "/p"));
  assert.ok(!startsWithWords(call("gh --version"), "gh search", "/p"));
  assert.ok(!startsWithWords(call("sed s/a/b/ f"), "sed -n", "/p"));
  assert.ok(
    !startsWithWords({ program: "gh", argv: [undefined, "x"] }, "gh search", "/p"),
    "a word that is not known is no match",
  );
  const script = (path: string) => ({ program: "t.sh", argv: ["--all"], path });
  assert.ok(startsWithWords(script("/p/scripts/t.sh"), "./scripts/t.sh --all", "/p"));
  assert.ok(!startsWithWords(script("/tmp/scripts/t.sh"), "./scripts/t.sh --all", "/p"), "a file of another place");
});
