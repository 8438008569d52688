import assert from "node:assert/strict";
import { test } from "node:test";
import { wrapLine, wrapText, wrapUsage } from "./wrap.js";

test("lines break at blanks, continue below the text, and colours take no room", () => {
  assert.equal(wrapLine("one two three", 2, 8), "one two\n  three");
  assert.equal(wrapLine("  a bb ccc dddd", 4, 8), "  a bb\n    ccc\n    dddd");
  assert.equal(wrapLine("\u001b[31mone two\u001b[0m", 0, 7), "\u001b[31mone two\u001b[0m");
  assert.equal(wrapLine("/a/path/that/is/long next", 2, 8), "/a/path/that/is/long\n  next");
  assert.equal(wrapLine("no terminal, no breaks", 2, undefined), "no terminal, no breaks");
});

test("a row of a table continues below its last column, other text two blanks further in", () => {
  assert.equal(wrapText("ab  cd  one two three", undefined, 16), "ab  cd  one two\n        three");
  assert.equal(wrapText("  one two three\nx", undefined, 11), "  one two\n    three\nx");
  assert.equal(wrapText("ab  cd\nno terminal", undefined, undefined), "ab  cd\nno terminal");
  assert.equal(wrapLine("a column far to the right", 30, 20), "a column far to the\n          right", "at most half");
});

test("the synopsis of a command keeps an option and its value together", () => {
  const text = "Usage: interlock x [--scope local|project] [--dry-run]\n                   [--door http] [--json]";
  const lines = wrapUsage(text, 40).split("\n");
  assert.deepEqual(lines, [
    "Usage: interlock x",
    "         [--scope local|project]",
    "         [--dry-run] [--door http]",
    "         [--json]",
  ]);
});

test("commands to copy stay whole", () => {
  for (const command of [
    "interlock allow v-12",
    'interlock pause --for 10m --reason "a b c"',
    "interlock enable discipline --mode warn",
    "npm install -g agent-interlock",
    "`git switch feature/x && npm test`",
    "(interlock resume)",
  ])
    assert.ok(wrapLine(`Some words before it: ${command} and words after it`, 2, 24).includes(command), command);
});

test("a usage text for a narrower screen: entries are joined and broken anew, lists of commands stay", () => {
  const text = [
    "Usage: interlock x [--scope local|project|user] [--preset standard]",
    "",
    `  --scope  ${"word ".repeat(17).trim()}`,
    "           more words",
    "  --yes    do not ask",
    "",
    "  interlock x a",
    "  interlock x b",
  ].join("\n");
  const lines = wrapUsage(text, 50).split("\n");
  assert.deepEqual(
    lines.filter((line) => line.length > 50),
    [],
  );
  assert.equal(lines.find((line) => line.includes("more words"))?.trim(), "word more words");
  assert.equal(lines.find((line) => line.startsWith("  --scope"))?.indexOf("word"), 11);
  assert.deepEqual(lines.slice(-4), ["  --yes    do not ask", "", "  interlock x a", "  interlock x b"]);
  assert.equal(wrapUsage(text, undefined), text);
});
