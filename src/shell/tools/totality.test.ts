import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lowerProgram } from "../languages/index.js";
import type { Language } from "../tool.js";
import { families } from "./index.js";
import { literal } from "./options.js";
import { record, recorder } from "./testing.js";

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
    { numRuns: 6000 },
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
      lowerProgram(literal(parts.join(" ")), language, recorder([]));
    }),
    { numRuns: 6000 },
  );
});

test("time grows with the text, not with its square", () => {
  const texts: [Language, string][] = [
    ["python", "x = f(y)[1].z\n"],
    ["node", "const a = b(c => d.e(`${f}`));\n"],
    ["ruby", 'puts "#{x}" if y =~ /z/\n'],
    ["perl", "my $x = join(',', map { $_ * 2 } @y);\n"],
    ["php", "$a = str_replace('x', \"$y\", $z);\n"],
    ["awk", '{ print $1 > "/dev/null" }\n'],
    ["sed", "s/a/b/;p\n"],
  ];
  for (const [language, line] of texts) {
    const time = (count: number) => {
      const start = performance.now();
      lowerProgram(literal(line.repeat(count)), language, recorder([]));
      return performance.now() - start;
    };
    time(200);
    const small = Math.min(time(400), time(400), time(400));
    const large = Math.min(time(4000), time(4000));
    assert.ok(large < 60 * small + 20, `${language}: ${large} against ${small}`);
  }
});
