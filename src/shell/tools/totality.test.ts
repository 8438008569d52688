import { test } from "node:test";
import fc from "fast-check";
import type { Language } from "../analyze/tool.js";
import { analyzeProgram } from "../languages/index.js";
import { literal } from "../spec/options.js";
import { families } from "./index.js";
import { record, recorder } from "./tool-table.js";

const names = families.flatMap((family) => [...family.names]).filter((name) => /^[\w.+-]+$/.test(name));

const word = fc.oneof(
  fc.constantFrom(
    "-",
    "--",
    "-e",
    "-c",
    "-i",
    "-rf",
    "--help",
    "-o",
    "run",
    "exec",
    "delete",
    "rm",
    "s3",
    "api",
    "$X",
    "-$X",
    "--$X",
    "a/b",
    "/",
    "~/.ssh/id_rsa",
    "x=y",
    "@f",
    "host:/p",
    "'a b'",
    "*",
    "{}",
    "-X",
    "DELETE",
    "https://e.example/x",
  ),
  fc.stringMatching(/^[-\w./:=@%+,]{1,8}$/),
);

test("no family throws on any words", () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(word, { maxLength: 7 }), (name, args) => {
      record(families, [name, ...args].join(" "));
    }),
    { numRuns: 4000 },
  );
});

const languages: Language[] = ["python", "node", "ruby", "perl", "php", "awk", "sed", "lua", "r", "applescript"];
const fragment = fc.constantFrom(
  "open('a','w')",
  "print(1)",
  "(",
  ")",
  "{",
  "}",
  "[",
  "'",
  '"',
  "`",
  "#{",
  "${",
  "\n",
  ";",
  "import os",
  "require('fs')",
  ".",
  "->",
  "::",
  "s/a/b/e",
  "system",
  "=",
  "=>",
  "x",
  "%w(",
  "q{",
  "<<EOF",
  "EOF",
  "/",
  "\\",
  "$x",
  "@y",
  "|",
  ">",
  "do",
  "end",
  "def f(a):",
  "lambda",
  "//",
  "--",
  "[[",
  "]]",
);

test("no analyser throws on any text", () => {
  fc.assert(
    fc.property(fc.constantFrom(...languages), fc.array(fragment, { maxLength: 14 }), (language, parts) => {
      analyzeProgram(literal(parts.join(" ")), language, recorder([]));
    }),
    { numRuns: 4000 },
  );
});
