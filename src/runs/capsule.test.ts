// Capsules: found in any output, held to their form, made from facts when the agent gave none.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { temporary } from "../testing/temporary.js";
import {
  capsuleFindings,
  capsuleFor,
  capsuleLabels,
  capsuleLimits,
  lastCapsule,
  madeCapsule,
  type PhaseFacts,
  readCapsule,
  writeCapsule,
} from "./capsule.js";

const good = [
  "Goal: parse dates",
  "What happened: wrote 4 tests, all fail",
  "Current status: red",
  "Next action requested (exactly one): run green",
  "Evidence pointers:",
  "  tests/date.test.ts",
  "If blocked: not blocked",
];
const block = (lines: readonly string[]) => `===CAPSULE===\n${lines.join("\n")}\n===/CAPSULE===`;
const facts: PhaseFacts = {
  kit: "tdd",
  phase: "green",
  goal: "make the date tests pass",
  exitCode: 1,
  changed: ["src/date.ts"],
  refused: [{ gate: "kits/tdd-green", times: 2 }],
  tests: { passed: 3, failed: 1, skipped: 0 },
  pointers: ["runs/x/manifests/tdd_green.json"],
  log: "runs/x/logs/tdd_green.log",
};
const line = (value: object) => JSON.stringify(value);

const outputs: [string, string, string | undefined][] = [
  ["plain output", `thinking\n${block(good)}\nbye`, good.join("\n")],
  ["the last of two blocks", `${block(["old"])}\n${block(good)}`, good.join("\n")],
  ["a block that never ends", `===CAPSULE===\n${good.join("\n")}`, undefined],
  ["an end without a start after a whole block", `${block(good)}\n===/CAPSULE===`, good.join("\n")],
  ["a start inside a block", `===CAPSULE===\nx\n${block(good)}`, good.join("\n")],
  ["the marker in the middle of a line", `print ===CAPSULE=== then\n===/CAPSULE===`, undefined],
  ["windows line ends", block(good).replaceAll("\n", "\r\n"), good.join("\n")],
  [
    "an assistant message of stream-JSON",
    line({ type: "assistant", message: { content: [{ type: "text", text: block(good) }] } }),
    good.join("\n"),
  ],
  [
    "the result of stream-JSON",
    `${line({ type: "system" })}\n${line({ type: "result", result: block(good) })}`,
    good.join("\n"),
  ],
  [
    "not what a tool printed",
    line({ type: "user", message: { content: [{ type: "tool_result", content: block(good) }] } }),
    undefined,
  ],
  [
    "not what a subagent said",
    line({
      type: "assistant",
      parent_tool_use_id: "toolu_1",
      message: { content: [{ type: "text", text: block(good) }] },
    }),
    undefined,
  ],
  [
    "a message of another agent's stream",
    line({ type: "item.completed", item: { type: "agent_message", text: block(good) } }),
    good.join("\n"),
  ],
];
for (const [what, output, found] of outputs)
  test(`capsule in ${what}`, () => assert.equal(lastCapsule(output)?.replaceAll("\r", ""), found));

const faults: [string, string[], RegExp][] = [
  ["31 lines", [...good, ...Array(24).fill("x")], /31 lines/],
  ["9 KB", [...good, "x".repeat(9_000)], /bytes, at most 8192/],
  ["a code fence", [...good, "```ts"], /code fence/],
  ["a stack trace", [...good, "    at parse (/src/a.ts:10:4)"], /raw log/],
  ["a traceback", [...good, "Traceback (most recent call last):"], /raw log/],
  ["a log line", [...good, "2026-02-13 09:15:00 ERROR boom"], /raw log/],
  ["no goal", good.slice(1), /"Goal:"/],
  ["a label twice", [...good, "Goal: another"], /stands 2 times/],
  [
    "no next action",
    good.map((l) => (l.startsWith("Next") ? "Next action requested (exactly one):" : l)),
    /no next action/,
  ],
  [
    "two next actions",
    good.flatMap((l) =>
      l.startsWith("Next") ? ["Next action requested (exactly one):", "- run green", "- run ship"] : [l],
    ),
    /2 next actions/,
  ],
];
for (const [what, lines, problem] of faults)
  test(`${what} is not a valid capsule`, () => {
    const findings = capsuleFindings(`${lines.join("\n")}\n`);
    assert.match(findings.map((f) => f.problem).join("; "), problem);
    assert.ok(findings.every((f) => f.remedy && f.line));
    const made = capsuleFor(block(lines), facts);
    assert.equal(made.source, "interlock");
    assert.match(made.reason!, /not valid/);
    assert.deepEqual(capsuleFindings(made.text), []);
  });

test("a good one is taken as it is, list marks and bold before labels aside", () => {
  assert.deepEqual(capsuleFindings(`${good.join("\n")}\n`), []);
  const decorated = good.map((l) => l.replace(/^([A-Z][^:]*:)/, "- **$1**"));
  const taken = capsuleFor(block(["", ...decorated, ""]), facts);
  assert.deepEqual(taken, { text: `${good.join("\n")}\n`, source: "agent" });
});

test("a missing one is made from facts and says so", () => {
  const { text, source, reason } = capsuleFor("I am done, everything passes!", facts);
  assert.equal(source, "interlock");
  assert.equal(reason, "the agent printed no capsule");
  assert.match(text, /^Made by Interlock: the agent printed no capsule$/m);
  assert.match(text, /3 passed, 1 failed, 0 skipped/);
  assert.match(text, /refused by kits\/tdd-green \(2\)/);
  assert.match(text, /Current status: blocked/);
  assert.match(text, /interlock query-log errors runs\/x\/logs\/tdd_green\.log/);
  assert.doesNotMatch(text, /everything passes/);
});

test("failing tests are what red is for", () => {
  const red = { ...facts, phase: "red", exitCode: 0, refused: [], next: undefined };
  const { text } = madeCapsule(red, "the agent printed no capsule");
  assert.match(text, /Current status: done/);
  assert.match(text, /\(exactly one\): run tdd green/);
  assert.match(madeCapsule({ ...red, phase: "green" }, "none").text, /Current status: failed/);
});

test("however much there is to say, a made capsule is valid and keeps its labelled lines", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary", maxLength: 300 }), { maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 900 }),
      (names, words) => {
        const { text } = madeCapsule(
          {
            ...facts,
            goal: words,
            next: words || "x",
            changed: names,
            pointers: names,
            refused: [{ gate: words, times: 1 }],
          },
          words,
        );
        assert.deepEqual(capsuleFindings(text), [], text);
        for (const label of capsuleLabels) assert.ok(text.includes(`\n${label}`));
        assert.ok(text.split("\n").length <= capsuleLimits.lines + 1);
      },
    ),
    { numRuns: 300 },
  );
});

test("checked when written and again when read", () => {
  const file = join(temporary("capsule"), "tdd_red.md");
  assert.throws(() => writeCapsule(file, { text: "nothing\n", source: "agent" }), /not valid/);
  writeCapsule(file, madeCapsule(facts, "no capsule"));
  assert.deepEqual(readCapsule(file).findings, []);
  assert.equal(readCapsule(file).madeByInterlock, true);
  writeFileSync(file, "tampered\n");
  assert.ok(readCapsule(file).findings.length);
});
