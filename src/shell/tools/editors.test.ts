import { editors } from "./editors.js";
import { table } from "./tool-table.js";

const diff = "--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b\n";

table("editors", editors, [
  ["vim -c '%s/a/b/g' -c wq a.ts", ["read a.ts", "write a.ts"]],
  ["vim -es -c 'w! /etc/x' a", ["write /etc/x", "read a", "write a"]],
  ["vim -c ':!rm -rf x'", ["shell rm -rf x"]],
  ["vim '+r !id' a", ["shell id", "read a", "write a"]],
  ["vim -c 'call system(\"id\")'", ["shell id", "unknown"]],
  ["view a", ["read a"]],
  ["ex -s a", ["write b", "read a", "write a"], { stdin: { kind: "text", text: "%s/a/b/\nw b\nq" } }],
  ["ed -s a", ["read a", "write a"], { stdin: { kind: "text", text: "1,$s/a/b/\nw\nq" } }],
  ["ed a", ["read a", "write a", "unknown"], { stdin: { kind: "pipe" } }],
  ["emacs --batch --eval '(delete-file \"x\")'", ["delete x", "unknown"]],
  ["vim -es -c q! a", ["read a"]],
  ["vim -es -c s/a/b/ -c wq a", ["read a", "write a"]],
  ["code a", ["exec code"]],
  ["nano a", ["write a"]],
  ["patch -p1", ["write src/x.ts"], { stdin: { kind: "text", text: diff } }],
  ["patch -p1 -d sub", ["write sub/src/x.ts"], { stdin: { kind: "text", text: diff } }],
  ["patch -p1", ["write . recursive"], { stdin: { kind: "pipe" } }],
  ["patch -p1 -i fix.diff", ["read fix.diff", "write src/x.ts"], { files: { "fix.diff": diff } }],
  ["patch a fix.diff", ["read fix.diff", "write a"]],
  ["patch --dry-run -p1", [], { stdin: { kind: "pipe" } }],
  ["pandoc -o out.html in.md", ["write out.html", "read in.md"]],
]);
