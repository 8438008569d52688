import assert from "node:assert/strict";
import { test } from "node:test";
import { cutLine, wrapLine } from "./wrap.js";

test("lines break at blanks, continue below the text, and colours take no room", () => {
  assert.equal(wrapLine("one two three", 2, 8), "one two\n  three");
  assert.equal(wrapLine("  a bb ccc dddd", 4, 8), "  a bb\n    ccc\n    dddd");
  assert.equal(wrapLine("\u001b[31mone two\u001b[0m", 0, 7), "\u001b[31mone two\u001b[0m");
  assert.equal(wrapLine("/a/path/that/is/long next", 2, 8), "/a/path/that/is/long\n  next");
  assert.equal(wrapLine("no terminal, no breaks", 2, undefined), "no terminal, no breaks");
});

test("a cut line has the terminal's width and keeps its colours closed", () => {
  assert.equal(cutLine("abcdefgh", 5), "abcd…");
  assert.equal(cutLine("ab\u001b[2mcdefgh\u001b[0m", 5), "ab\u001b[2mcd\u001b[0m…");
  assert.equal(cutLine("abc", 5), "abc");
});
