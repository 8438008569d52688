import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import { type Answer, contextLimit, encode, encodeRefusal } from "./encode.js";
import { hostEvent, hostEvents, registeredEvents } from "./events.js";

const base: Answer = { outcome: "pass", context: [], messages: [] };
const pass = base;
const denied: Answer = { ...base, outcome: "deny", text: "no: because" };
const asked: Answer = { ...base, outcome: "ask", text: "sure?" };
const noted: Answer = { ...base, context: ["c1", "c2"] };
const told: Answer = { ...base, messages: ["m1", "m2"] };
const rewritten: Answer = { ...base, rewrite: { gate: "g/x", input: { command: "ls" }, why: "w" } };
const deniedNoted: Answer = { ...denied, context: ["c1"], messages: ["m1"], rewrite: rewritten.rewrite };

const out = (answer: Answer, event: string) => JSON.parse(encode(answer, event)) as JsonObject;
const specific = (hookEventName: string, fields: JsonObject) => ({ hookSpecificOutput: { hookEventName, ...fields } });

type Shape = (event: string) => JsonObject;
interface Row {
  events: string[];
  deny: Shape;
  ask: Shape;
  context: Shape;
  rewrite: Shape;
}
const nothing: Shape = () => ({});
const block =
  (reason: string): Shape =>
  () => ({ decision: "block", reason });
const message =
  (systemMessage: string): Shape =>
  () => ({ systemMessage });
const context =
  (additionalContext: string): Shape =>
  (e) =>
    specific(e, { additionalContext });

const rows: Row[] = [
  {
    events: ["PreToolUse"],
    deny: (e) => specific(e, { permissionDecision: "deny", permissionDecisionReason: "no: because" }),
    ask: (e) => specific(e, { permissionDecision: "ask", permissionDecisionReason: "sure?" }),
    context: context("c1\n\nc2"),
    rewrite: (e) => specific(e, { updatedInput: { command: "ls" } }),
  },
  {
    events: ["PreModelSwitch"],
    deny: (e) => specific(e, { permissionDecision: "deny", permissionDecisionReason: "no: because" }),
    ask: (e) => specific(e, { permissionDecision: "ask", permissionDecisionReason: "sure?" }),
    context: nothing,
    rewrite: nothing,
  },
  {
    events: ["PermissionRequest"],
    deny: (e) => specific(e, { decision: { behavior: "deny", message: "no: because" } }),
    ask: message("sure?"),
    context: nothing,
    rewrite: nothing,
  },
  {
    events: ["PostToolUse", "UserPromptSubmit", "UserPromptExpansion"],
    deny: block("no: because"),
    ask: block("sure?"),
    context: context("c1\n\nc2"),
    rewrite: nothing,
  },
  {
    events: [
      "Stop",
      "SubagentStop",
      "PreCompact",
      "TeammateIdle",
      "TaskCreated",
      "TaskCompleted",
      "ConfigChange",
      "WorktreeCreate",
    ],
    deny: block("no: because"),
    ask: block("sure?"),
    context: nothing,
    rewrite: nothing,
  },
  {
    events: [
      "PostToolUseFailure",
      "PostToolBatch",
      "SessionStart",
      "Setup",
      "SubagentStart",
      "PostModelSwitch",
      "Notification",
    ],
    deny: context("no: because"),
    ask: context("sure?"),
    context: context("c1\n\nc2"),
    rewrite: nothing,
  },
  {
    events: ["Elicitation", "ElicitationResult"],
    deny: (e) => ({ systemMessage: "no: because", ...specific(e, { action: "decline" }) }),
    ask: (e) => ({ systemMessage: "sure?", ...specific(e, { action: "decline" }) }),
    context: nothing,
    rewrite: nothing,
  },
  {
    events: [
      "PermissionDenied",
      "SessionEnd",
      "StopFailure",
      "PostCompact",
      "InstructionsLoaded",
      "CwdChanged",
      "FileChanged",
      "DirectoryAdded",
      "WorktreeRemove",
      "MessageDisplay",
    ],
    deny: message("no: because"),
    ask: message("sure?"),
    context: nothing,
    rewrite: nothing,
  },
  { events: ["SomethingNew"], deny: block("no: because"), ask: block("sure?"), context: nothing, rewrite: nothing },
];

test("the table has a row for each of the 33 events", () => {
  assert.equal(hostEvents.length, 33);
  assert.deepEqual(rows.flatMap((r) => r.events).sort(), [...hostEvents, "SomethingNew"].sort());
});

for (const row of rows)
  for (const event of row.events)
    test(`${event}: each outcome has its exact shape`, () => {
      assert.deepEqual(out(pass, event), {});
      assert.deepEqual(out(denied, event), row.deny(event));
      assert.deepEqual(out(asked, event), row.ask(event));
      assert.deepEqual(out(noted, event), row.context(event));
      assert.deepEqual(out(told, event), { systemMessage: "m1\nm2" });
      assert.deepEqual(out(rewritten, event), row.rewrite(event));
      assert.deepEqual(JSON.parse(encodeRefusal(event, "no: because")), row.deny(event));
    });

test("rules that hold for every event and every answer", () => {
  for (const event of [...hostEvents, "SomethingNew", "constructor", "__proto__", ""])
    for (const answer of [pass, denied, asked, noted, told, rewritten, deniedNoted, { ...denied, text: " " }]) {
      const text = encode(answer, event);
      const shape = JSON.parse(text) as JsonObject;
      assert.doesNotMatch(text, /"allow"|"approve"|"continue"|"defer"|"interrupt"/);
      if (shape.decision) assert.ok(String(shape.reason).length > 0);
      const inner = shape.hookSpecificOutput as JsonObject | undefined;
      if (!inner) continue;
      assert.equal(inner.hookEventName, event);
      if (inner.permissionDecision) assert.ok(String(inner.permissionDecisionReason).length > 0);
      if (inner.additionalContext) assert.ok(hostEvent(event).context);
    }
});

test("a refused call is told with its context and its message, without the rewrite", () => {
  assert.deepEqual(out(deniedNoted, "PreToolUse"), {
    systemMessage: "m1",
    ...specific("PreToolUse", {
      permissionDecision: "deny",
      permissionDecisionReason: "no: because",
      additionalContext: "c1",
    }),
  });
});

test("where context has no place of its own it is said with the refusal, and a pass stays silent", () => {
  assert.deepEqual(out({ ...denied, context: ["c1"] }, "Stop"), { decision: "block", reason: "no: because\n\nc1" });
  assert.deepEqual(out(noted, "Stop"), {});
});

test("a question may come with a rewrite", () => {
  const shape = out({ ...asked, rewrite: rewritten.rewrite }, "PreToolUse").hookSpecificOutput as JsonObject;
  assert.equal(shape.permissionDecision, "ask");
  assert.deepEqual(shape.updatedInput, { command: "ls" });
});

test("context stays below the size the client puts in a file, and no character is halved", () => {
  const shape = out({ ...base, context: [`x${"😀".repeat(9_000)}`] }, "PostToolUse").hookSpecificOutput as JsonObject;
  const text = String(shape.additionalContext);
  assert.ok(text.length <= contextLimit && text.length > contextLimit - 20);
  assert.match(text, /😀\n\[cut\]$/u);
});

test("init registers no event where silence would change what the client does", () => {
  assert.ok(registeredEvents.includes("PreToolUse") && registeredEvents.includes("ConfigChange"));
  for (const event of ["WorktreeCreate", "WorktreeRemove", "MessageDisplay", "Elicitation"])
    assert.ok(!registeredEvents.includes(event), event);
});

test("a failing hook closes the events that guard an action and no stop event", () => {
  const closed = hostEvents.filter((event) => hostEvent(event).failClosed);
  assert.deepEqual(closed, ["PreToolUse", "PermissionRequest", "PreModelSwitch", "TaskCreated", "ConfigChange"]);
});
