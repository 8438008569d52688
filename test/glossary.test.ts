// The glossary stays short, and the files it names exist.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const rows = readFileSync(join(process.cwd(), "docs/glossary.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| term "))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const terms = rows.map(([, term]) => term!);

test("the glossary explains at most 40 terms, each once", () => {
  assert.ok(terms.length > 20 && terms.length <= 40, `${terms.length} terms`);
  assert.deepEqual(terms, [...new Set(terms)]);
});

test("each term names the file or folder that owns it", () => {
  for (const [, term, , owner] of rows) {
    const path = /^`(.+)`$/.exec(owner!)?.[1];
    assert.ok(path && existsSync(join(process.cwd(), path)), `${term}: ${owner}`);
  }
});
