import assert from "node:assert/strict";
import { test } from "node:test";
import { joinedLines, type LineFacts, statusLine } from "./status-line.js";

const plain = { width: 120, colour: false };
const full: LineFacts = {
  grade: "hooks",
  research: { done: 3, of: 4 },
  breaker: { failures: 1, of: 3, tripped: false },
  intent: "INT-7",
  phase: "05-test",
  blocked: 2,
  anchorAge: 4 * 60_000,
};

test("all parts, in a fixed order", () => {
  assert.equal(
    statusLine(full, plain),
    "interlock hooks · research 3/4 · breaker 1/3 · INT-7 · 05-test · 2 blocked · ⚓ 4m",
  );
  const quiet: LineFacts = { grade: "observe", blocked: 0, breaker: { failures: 0, of: 3, tripped: false } };
  assert.equal(statusLine(quiet, plain), "interlock observe");
  assert.match(
    statusLine({ ...full, alarm: "SERVER DOWN", pausedFor: 60_000 }, plain),
    /hooks · SERVER DOWN · PAUSED 1m/,
  );
});

test("narrow: the least important parts go first, and the grade stays", () => {
  for (let width = 1; width < 90; width++) {
    const line = statusLine(full, { width, colour: false });
    assert.ok(line.length <= Math.max(width, "interlock hooks".length), `${width}: ${line}`);
    assert.match(line, /^interlock hooks/);
  }
  assert.equal(statusLine(full, { width: 30, colour: false }), "interlock hooks · 2 blocked");
});

test("colour only where it is wanted; hostile names stay inert and short", () => {
  assert.match(statusLine(full, { width: 120, colour: true }), /\u001b\[32minterlock hooks\u001b\[0m/);
  const hostile = statusLine({ ...full, intent: "\u001b]0;x\u0007\nINT\u202e", phase: "p".repeat(500) }, plain);
  assert.doesNotMatch(hostile, /[\u0000-\u001f\u202e]/);
  assert.ok(hostile.length < 150);
});

test("beside the user's own line where both fit, else below it", () => {
  assert.equal(joinedLines("", "own", 80), "own");
  assert.equal(joinedLines("mine\n", "own", 80), "mine | own");
  assert.equal(joinedLines("\u001b[31mmine\u001b[0m", "own", 10), "\u001b[31mmine\u001b[0m | own");
  assert.equal(joinedLines("a\nmine", "own", 8), "a\nmine\nown");
});
