import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "../index.js";
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

test("patch: a patch of the project is read to see which files it touches", () => {
  const text = "--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/../../etc/cron.d/x\n";
  const readFile = (path: string) => (path === "/p/fix.patch" ? text : undefined);
  for (const command of ["patch -p1 < fix.patch", "patch -p1 -i fix.patch", "git apply fix.patch"]) {
    const { effects } = analyse(command, { cwd: "/p", readFile });
    const written = effects.filter(({ kind }) => kind === "write").map(({ path }) => path);
    assert.deepEqual(written, ["/p/src/app.ts", "/etc/cron.d/x"], command);
  }
});
