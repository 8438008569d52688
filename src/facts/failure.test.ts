import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, Outcome } from "../model/event.js";
import { failureOf, normalise } from "./failure.js";

test("what changes from run to run is taken out", () => {
  for (const [a, b] of [
    ["2026-01-02T10:11:12.345Z ERROR cannot open", "2026-03-04T01:02:03Z ERROR cannot open"],
    ["[10:11:12] build failed", "[23:59:59] build failed"],
    ["/home/a/p/src/x.ts:12:5 - error TS2304", "/tmp/q/src/y.ts:99:1 - error TS2304"],
    ["src/x.ts(12,5): error TS2304: no x", "src/y.ts(1,1): error TS2304: no x"],
    ["segfault at 0x7ffe1234", "segfault at 0xdeadbeef00"],
    ["request 3f2504e0-4f89-11d3-9a0c-0305e82c3301 failed", "request 9b2504e0-4f89-11d3-9a0c-0305e82c3302 failed"],
    ["commit 3f2504e failed", "commit 9a2504f0 failed"],
    ["timed out after 5003 ms", "timed out after 4998 ms"],
    ["\u001b[31mError\u001b[39m at line 12", "Error at line 99"],
  ] as const)
    assert.equal(normalise(a), normalise(b), a);
  assert.equal(normalise("process 48213 died"), normalise("process 51877 died"));
  assert.notEqual(
    normalise("AssertionError: 3 !== 4"),
    normalise("AssertionError: 3 !== 5"),
    "another wrong value is another failure",
  );
  assert.notEqual(normalise("Cannot find module 'a'"), normalise("Permission denied"));
});

function event(kind: Event["kind"], command: string, outcome: Partial<Outcome>): Event {
  return {
    kind,
    host: "x",
    hostEvent: "x",
    session: "s",
    cwd: "/p",
    env: {},
    raw: {},
    tool: { name: "Bash", kind: "shell", input: {}, command },
    outcome: { ok: kind === "tool.after", text: "", ...outcome },
  };
}

test("failures come from outcomes, never from words", () => {
  assert.equal(
    failureOf(event("tool.after", "cat errors.log", { text: "Error: fatal failure" }), undefined),
    undefined,
  );
  assert.ok(
    failureOf(event("tool.failed", "make", { text: "Exit code 2\nmake: *** no rule", exitCode: 2 }), undefined),
  );
  assert.ok(
    failureOf(event("tool.after", "npm test || true", { text: "x" }), {
      runner: "jest",
      level: "test",
      command: "",
      ok: false,
    }),
  );
  assert.equal(
    failureOf(event("tool.failed", "npm test", { interrupted: true }), undefined),
    undefined,
    "the user stopped it",
  );
  assert.equal(
    failureOf(event("tool.failed", "grep -r foo src", { exitCode: 1 }), undefined),
    undefined,
    "nothing found is an answer",
  );
  assert.equal(failureOf(event("tool.failed", "git diff --exit-code", { exitCode: 1 }), undefined), undefined);
  assert.ok(
    failureOf(
      event("tool.failed", "grep foo missing.txt", { exitCode: 2, text: "grep: missing.txt: No such file" }),
      undefined,
    ),
  );
});

test("the same failure has the same signature and shows its own line", () => {
  const of = (text: string) => failureOf(event("tool.failed", "npm run build", { exitCode: 1, text }), undefined)!;
  const a = of("Exit code 1\n> build\n\nsrc/a.ts:3:1 - error TS1005: ';' expected");
  const b = of("Exit code 1\n> build\n\nsrc/b.ts:9:7 - error TS1005: ';' expected");
  assert.equal(a.signature, b.signature);
  assert.equal(a.shown, "src/a.ts:3:1 - error TS1005: ';' expected");
  assert.notEqual(a.signature, of("Exit code 1\nsh: vite: not found").signature);
});

test("the line that is shown names the failure", () => {
  const tap =
    "TAP version 13\n# Subtest: greets\nnot ok 1 - greets\n  ---\n  duration_ms: 2\n  failureType: " +
    "'testCodeFailure'\n  error: |-\n    Expected values to be strictly equal:\n";
  const shown = (text: string) =>
    failureOf(event("tool.failed", "node --test", { exitCode: 1, text: `Exit code 1\n${text}` }), undefined)!.shown;
  assert.equal(shown(tap), "not ok 1 - greets");
  assert.equal(
    shown("> build\n\nsrc/a.ts(1,2): error TS1005: ';' expected."),
    "src/a.ts(1,2): error TS1005: ';' expected.",
  );
  assert.equal(shown("    at x (a.js:1)\nTypeError: y is not a function"), "TypeError: y is not a function");
  assert.equal(shown("make: *** [all] Error 2"), "make: *** [all] Error 2");
});

test("the same test failing with another value is another failure", () => {
  const of = (got: string) =>
    failureOf(
      event("tool.failed", "node --test", {
        exitCode: 1,
        text: `not ok 1 - adds\n  ---\n  error: |-\n    Expected values to be strictly equal:\n    ${got} !== 4\n`,
      }),
      undefined,
    )!.signature;
  assert.equal(of("3"), of("3"));
  assert.notEqual(of("3"), of("5"));
});
