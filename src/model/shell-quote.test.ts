import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { shellQuote, singleQuote } from "./shell-quote.js";

const words = ["plain-word_1.ts", "two words", "it's", "$(rm -rf x)", "a\nb", 'say "hi"', "back\\slash", "*", ""];

for (const word of words)
  test(`sh reads ${JSON.stringify(word)} back unchanged`, { skip: process.platform === "win32" && "needs sh" }, () => {
    for (const quoted of [shellQuote(word), singleQuote(word)])
      assert.equal(spawnSync("sh", ["-c", `printf %s ${quoted}`], { encoding: "utf8" }).stdout, word);
  });

test("a word that needs no quotes gets none; cmd.exe gets double quotes", () => {
  assert.equal(shellQuote("/usr/bin/node"), "/usr/bin/node");
  assert.equal(shellQuote("C:/Program Files/x", "win32"), '"C:/Program Files/x"');
});
