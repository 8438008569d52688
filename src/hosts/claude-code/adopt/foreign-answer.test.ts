import assert from "node:assert/strict";
import { test } from "node:test";
import type { Opinion } from "../../../model/verdict.js";
import { type Ended, readAnswer } from "./foreign-answer.js";

const pre = (fields: object) => JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
const ended = (fields: Partial<Ended>): Ended => ({
  name: "lint.sh",
  hostEvent: "PreToolUse",
  code: 0,
  stdout: "",
  stderr: "",
  ...fields,
});

/** One word per opinion, with what it says. */
const brief = (opinion: Opinion): string =>
  opinion.kind === "note"
    ? `${opinion.to}: ${opinion.text}`
    : opinion.kind === "rewrite"
      ? `rewrite ${JSON.stringify(opinion.input)}`
      : `${opinion.kind}: ${opinion.why}`;

const rows: [string, Partial<Ended>, string[]][] = [
  ["nothing said", {}, []],
  ["text on exit 0 is for the log", { stdout: "fine" }, []],
  ["text before a prompt is context", { hostEvent: "UserPromptSubmit", stdout: "remember x\n" }, ["agent: remember x"]],
  ["text at the start is context", { hostEvent: "SessionStart", stdout: "hi" }, ["agent: hi"]],
  ["deny", { stdout: pre({ permissionDecision: "deny", permissionDecisionReason: "no" }) }, ["deny: no"]],
  [
    "deny with code 1 still counts",
    { code: 1, stdout: pre({ permissionDecision: "deny", permissionDecisionReason: "no" }) },
    ["deny: no"],
  ],
  ["deny without a reason", { stdout: pre({ permissionDecision: "deny" }) }, ["deny: it gave no reason"]],
  ["ask", { stdout: pre({ permissionDecision: "ask", permissionDecisionReason: "sure?" }) }, ["ask: sure?"]],
  ["defer is a question", { stdout: pre({ permissionDecision: "defer" }) }, ["ask: it gave no reason"]],
  ["allow grants nothing", { stdout: pre({ permissionDecision: "allow" }) }, []],
  ["approve grants nothing", { stdout: '{"decision":"approve"}' }, []],
  ["the older form", { stdout: '{"decision":"block","reason":"no"}' }, ["deny: no"]],
  ["exit 2", { code: 2, stderr: "not here\n" }, ["deny: not here"]],
  ["exit 2 beats an allow", { code: 2, stdout: pre({ permissionDecision: "allow" }), stderr: "no" }, ["deny: no"]],
  [
    "exit 2 with a deny: its reason",
    { code: 2, stdout: pre({ permissionDecision: "deny", permissionDecisionReason: "said" }), stderr: "no" },
    ["deny: said"],
  ],
  [
    "a reason of several lines",
    { code: 2, stderr: "one\n  two" },
    ["deny: one two", "agent: The hook lint.sh said:\none\n  two"],
  ],
  ["control characters in a reason", { code: 2, stderr: "a\u001b[2Jb" }, ["deny: a [2Jb"]],
  ["rewrite", { stdout: pre({ updatedInput: { command: "ls" } }) }, ['rewrite {"command":"ls"}']],
  [
    "context and a message",
    {
      stdout: JSON.stringify({
        systemMessage: "m",
        hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "c" },
      }),
    },
    ["agent: c", "person: m"],
  ],
  [
    "continue:false is only told",
    { stdout: '{"continue":false,"stopReason":"enough"}' },
    ["both: the hook lint.sh asks to stop here: enough"],
  ],
  ["Stop block", { hostEvent: "Stop", stdout: '{"decision":"block","reason":"tests first"}' }, ["deny: tests first"]],
  [
    "PermissionRequest",
    {
      hostEvent: "PermissionRequest",
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}',
    },
    ["deny: no"],
  ],
  ["exit 1", { code: 1, stderr: "Traceback" }, ["person: the adopted hook lint.sh ended with code 1: Traceback"]],
  ["a signal", { code: null, signal: "SIGSEGV" }, ["person: the adopted hook lint.sh ended with signal SIGSEGV"]],
  [
    "timeout",
    { code: null, timedOut: true },
    ["person: the adopted hook lint.sh did not answer in time and was ended"],
  ],
  ["not there", { code: null, trouble: "ENOENT" }, ["person: the adopted hook lint.sh could not be started: ENOENT"]],
  [
    "broken JSON",
    { stdout: '{"a": {bad' },
    ["person: the adopted hook lint.sh answered with text that is not one JSON object"],
  ],
  [
    "text after the JSON",
    { stdout: `${pre({ permissionDecision: "deny" })} done` },
    ["person: the adopted hook lint.sh answered with text that is not one JSON object"],
  ],
  [
    "a flat decision",
    { stdout: '{"permissionDecision":"deny"}' },
    ["person: the adopted hook lint.sh put permissionDecision outside hookSpecificOutput, where it is ignored"],
  ],
  [
    "a wrong word",
    { stdout: pre({ permissionDecision: "block" }) },
    ['person: the adopted hook lint.sh answered with the unknown permissionDecision "block"'],
  ],
  [
    "a wrong event name",
    { stdout: '{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"deny"}}' },
    ["person: the adopted hook lint.sh answered with a wrong or missing hookEventName"],
  ],
  [
    "a wrong legacy word",
    { stdout: '{"decision":"deny"}' },
    ['person: the adopted hook lint.sh answered with the unknown decision "deny"'],
  ],
  ["in the background", { stdout: '{"async":true}' }, []],
];

for (const [name, fields, expected] of rows)
  test(`a foreign hook's answer: ${name}`, () => {
    assert.deepEqual(readAnswer(ended(fields)).map(brief), expected);
  });
