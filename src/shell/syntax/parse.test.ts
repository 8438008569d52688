// The guard on the parser: what it must refuse because shells and parsers differ there, and what it must not.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { parseShell } from "./parse.js";

const refused: readonly [string, string][] = [
  ["descriptor closed in front of a word", "echo 2>&-rm -rf x"],
  ["comment the parser sees and bash does not", "cat <(true)# ; rm x"],
  ["substitution in a bracket word with a blank", "x[1 $(rm x)]"],
  ["substitution in an odd array value", "b=([k\n]=$(v) a){"],
  ["lone carriage return", "echo a\rrm x"],
  ["NUL", "echo a\0rm x"],
  ["vertical tab", "echo a\vrm x"],
  ["form feed", "echo a\frm x"],
  ["line continuation after $", "ec$\\\nho x"],
  ["ambiguous hex escape", "$'\\x72\\x{ 6d' x"],
  ["unclosed single quote", "echo 'a"],
  ["unclosed double quote", 'echo "a'],
  ["unclosed substitution", "echo $(rm x"],
  ["error inside a nested substitution", "echo $(if)"],
  ["error inside nested backticks", "echo `echo \\`if\\``"],
  ["stray operator", "rm a || || b"],
  ["functions without bodies, endlessly", "f() ".repeat(20_000)],
  ["nesting", "$(".repeat(100_000)],
  ["open braces", `echo ${"{a,".repeat(50_000)}`],
  ["length", `echo ${"a".repeat(300_000)}`],
];

for (const [name, text] of refused)
  test(`refused: ${name}`, () => assert.notEqual(parseShell(text).failure, undefined));

const accepted = [
  "echo a # comment with ' and $( in it",
  "#!/bin/sh\necho a",
  "echo a#b ${#x} $# '#' \"#\"",
  "x=1 # one\ny=2 # two\n# three",
  "cat <<EOF # why\n# text $x\nEOF",
  "cat <<'EOF'\n$( ` \" '\nEOF",
  "case $x in a|b) echo 1;; *) echo 2 ;; esac",
  "for ((i=0; i<3; i++)); do echo $i; done",
  "[[ $a =~ ^(b|c)$ && -f x ]] && echo y",
  "function f { echo a; }; f() ( echo b )",
  "time -p ls; ! ls; coproc ls",
  "echo 2>&- >&2 <&3",
  "a=(1 2 [5]=3); echo ${a[@]} ${!a[*]} ${a[0]:-x}",
  "select x in a b; do echo $x; done",
  "if a; then b; elif c; then d; else e; fi",
  "until false; do :; done &",
  "echo $((1 + (2 * 3))) $(( x ? y : z ))",
  "ls |& grep x",
  'echo `date` "`date`"',
  "diff <(ls a) <(ls b)",
  "{ echo a; } 2>/dev/null; (echo b) > /dev/null",
  "echo a \\\n  b",
  "grep -E '(a|b)\\(' f",
  'git commit -m "a (b) `c`"',
];

for (const text of accepted)
  test(`accepted: ${text.replaceAll("\n", "\\n")}`, () => assert.equal(parseShell(text).failure, undefined));

test("bash itself accepts every text the guard must accept", (context) => {
  if (spawnSync("bash", ["--version"]).status !== 0) return context.skip("no bash here");
  for (const text of accepted) {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
    assert.equal(status, 0, `${text}\n${stderr}`);
  }
});
