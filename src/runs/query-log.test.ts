// Questions to logs: right answers, small answers, nothing outside the project, large logs in little memory.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, openSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../testing/temporary.js";
import { maxAnswerBytes, QueryError, queryLog } from "./query-log.js";

const project = temporary("query");
const put = (name: string, text: string) => writeFileSync(join(project, name), text);

test("tail gives the last lines, whole", () => {
  put("a.log", `${[...Array(500)].map((_, i) => `line ${i + 1}`).join("\n")}\n`);
  assert.equal(queryLog(project, "a.log", "tail", { lines: 3 }).text, "line 498\nline 499\nline 500");
  assert.equal(queryLog(project, "a.log", "tail").text.split("\n").length, 120);
  assert.equal(queryLog(project, join(project, "a.log"), "tail", { lines: 1 }).text, "line 500");
});

test("an answer never grows beyond its limit", () => {
  put("wide.log", `${"x".repeat(90_000)}\n`.repeat(300));
  put("many.log", "error é here\n".repeat(50_000));
  for (const query of ["tail", "grep", "errors"] as const)
    for (const name of ["wide.log", "many.log"]) {
      const { text } = queryLog(project, name, query, { pattern: "[xe]", lines: 10_000 });
      assert.ok(Buffer.byteLength(text) <= maxAnswerBytes, `${query} ${name}`);
    }
  assert.equal(queryLog(project, "many.log", "grep", { pattern: "error" }).truncated, true);
  assert.match(queryLog(project, "many.log", "errors").text, /1: error é here \(50000 times\)/);
});

test("grep takes linear patterns only and counts lines", () => {
  put("g.log", "one\ntwo Two\nthree\n\u001b[31mred two\u001b[0m\n");
  assert.equal(queryLog(project, "g.log", "grep", { pattern: "two" }).text, "2: two Two\n4: red two");
  assert.equal(queryLog(project, "g.log", "grep", { pattern: "^T.*", ignoreCase: true }).text, "2: two Two\n3: three");
  assert.throws(() => queryLog(project, "g.log", "grep", { pattern: "(a)\\1" }), /linear time/);
  assert.throws(() => queryLog(project, "g.log", "grep", { pattern: "(?=x)" }), /linear time/);
  put("evil.log", `${"a".repeat(60_000)}!\n`);
  assert.equal(queryLog(project, "evil.log", "grep", { pattern: "^(a+)+$" }).text, "");
});

test("errors come once each, with place and number, and zero counts are none", () => {
  put("e.log", "ok\nError: code 17 at 0x3f\n0 errors\nError: code 18 at 0x4a\nTests: 3 passed, failed: 0\nFATAL x\n");
  assert.equal(queryLog(project, "e.log", "errors").text, "2: Error: code 17 at 0x3f (2 times)\n6: FATAL x");
});

const lean = `⚠ [3/7] Built A
warning: ././A.lean:3:8: declaration uses 'sorry'
error: ././A.lean:10:2: unsolved goals
n : ℕ
⊢ n + 0 = n
error: ././A.lean:10:9: unsolved goals
B.lean:4:5: error: type mismatch
error: B.lean:9:1: unknown identifier 'foo'
error: B.lean:12:1: (deterministic) timeout at whnf, maximum number of heartbeats (200000) has been reached
error: B.lean:15:1: type mismatch, universe level incompatible
error: B.lean:20:1: something | odd
error: Lean exited with code 1
`;

test("Lean errors by class, each place once", () => {
  put("lean.log", lean);
  assert.equal(
    queryLog(project, "lean.log", "lean-classify").text,
    [
      "TACTIC_FAIL|A.lean|10|unsolved goals",
      "TYPE_MISMATCH|B.lean|4|type mismatch",
      "UNKNOWN_IDENT|B.lean|9|unknown identifier 'foo'",
      "TIMEOUT|B.lean|12|(deterministic) timeout at whnf, maximum number of heartbeats (200000) has been reached",
      "UNIVERSE_INCOMPAT|B.lean|15|type mismatch, universe level incompatible",
      "OTHER|B.lean|20|something / odd",
    ].join("\n"),
  );
  const summary = queryLog(project, "lean.log", "lean-summary").text;
  assert.match(summary, /^6 errors, 1 warnings, 1 sorry\nA\.lean:10: unsolved goals \| ⊢ n \+ 0 = n\n/);
  put("long.log", [...Array(100)].map((_, i) => `error: A.lean:${i + 1}:1: unsolved goals`).join("\n"));
  assert.ok(queryLog(project, "long.log", "lean-summary").text.split("\n").length <= 42);
});

test("test summaries: counts and the names of what fails", () => {
  put("t.log", " × src/a.test.ts > adds\n FAIL  src/a.test.ts > adds\n\n Tests  1 failed | 3 passed (4)\n");
  assert.equal(
    queryLog(project, "t.log", "tests").text,
    "4 tests: 3 passed, 1 failed, 0 skipped\nfailing: src/a.test.ts > adds",
  );
  put("none.log", "hello\n");
  assert.match(queryLog(project, "none.log", "tests").text, /no test summary/);
});

test("nothing outside the project, nothing that is no file", () => {
  const outside = join(temporary("outside"), "x.log");
  writeFileSync(outside, "secret\n");
  symlinkSync(outside, join(project, "link.log"));
  execFileSync("mkfifo", [join(project, "pipe.log")]);
  for (const path of [
    outside,
    "../x",
    "link.log",
    "/etc/passwd",
    "~/x",
    "-x",
    "pipe.log",
    ".",
    "missing.log",
    "/dev/zero",
    "x\0y",
  ])
    assert.throws(() => queryLog(project, path, "tail"), QueryError, path);
});

test("a log of 50 MB is asked in little memory", () => {
  const path = join(project, "large.log");
  const fd = openSync(path, "w");
  const block = Buffer.from("2026-02-13 INFO an ordinary line of a long training log, step 12345\n".repeat(15_000));
  for (let n = 0; n < 50 << 20; n += block.length) writeSync(fd, block);
  writeSync(fd, "Error: the end\n");
  closeSync(fd);
  const program = `
    const { queryLog } = await import(${JSON.stringify(new URL("query-log.js", import.meta.url).href)});
    const before = process.memoryUsage.rss();
    const said = [queryLog(${JSON.stringify(project)}, "large.log", "tail", { lines: 1 }).text];
    for (const q of ["errors", "tests"]) queryLog(${JSON.stringify(project)}, "large.log", q);
    said.push(queryLog(${JSON.stringify(project)}, "large.log", "grep", { pattern: "E[r]+or: the" }).text);
    console.log(JSON.stringify({ said, mb: (process.memoryUsage.rss() - before) / 1e6 }));`;
  const run = spawnSync(process.execPath, ["--max-old-space-size=40", "--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  assert.equal(run.status, 0, run.stderr);
  const { said, mb } = JSON.parse(run.stdout) as { said: string[]; mb: number };
  assert.equal(said[0], "Error: the end");
  assert.match(said[1]!, /^\d+: Error: the end$/);
  assert.ok(mb < 120, `${mb} MB`);
});
