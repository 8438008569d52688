// intent/handshake: selecting, completing, asking for scope and lessons happen in the hook; contexts are told once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import { intentStage, select } from "../../../testing/intent-stage.js";
import type { Stage } from "../../../testing/stage.js";
import { type RequestState, scopeRequests } from "../requests-memory.js";
import { projectSelection } from "../selection-memory.js";

const gate = "intent/handshake";
const yamlOf = (s: Stage) => readFileSync(join(s.root, ".orchestration/active_intents.yaml"), "utf8");
const own = (s: Stage, tool: string, input: JsonObject) => s.run(`mcp__interlock__${tool}`, input, {});
const after = async (s: Stage, tool: string, input: JsonObject) => {
  await s.call(`mcp__interlock__${tool}`, input);
  return s.done(`mcp__interlock__${tool}`, input, {});
};

test("selecting takes a PENDING intent up: recorded, amended, comments and order kept", async (t) => {
  const s = intentStage(t);
  const before = yamlOf(s);
  const verdict = await after(s, "select_active_intent", { intent_id: "INT-002" });
  assert.match(verdict.context.join(), /INT-002 was PENDING and is IN_PROGRESS now/);
  const text = yamlOf(s);
  const [first, second] = [before, text].map((y) => y.split("\n"));
  const changed = second!.filter((line) => !first!.includes(line));
  assert.deepEqual(changed, [], "no line but the status differs");
  assert.equal(text.length, before.length + "IN_PROGRESS".length - "PENDING".length);
  assert.equal(text.match(/status: IN_PROGRESS/g)!.length, before.match(/status: IN_PROGRESS/g)!.length + 1);
  const record = [...s.store.records()].at(-1)!;
  assert.deepEqual(
    (record.body["amended"] as string[]).map((p) => p.slice(s.root.length + 1)),
    [".orchestration/active_intents.yaml"],
  );
});

for (const [id, why] of [
  ["INT-003", /it is COMPLETED, and that is final/],
  ["INT-006", /it is BLOCKED; a person reopens it/],
  ["INT-009", /it is PENDING and a person takes it up: interlock intent approve INT-009/],
  ["nope", /there is no such intent/],
] as const)
  test(`selecting ${id} does nothing and says why`, async (t) => {
    const s = intentStage(t);
    const before = yamlOf(s);
    const verdict = await after(s, "select_active_intent", { intent_id: id });
    assert.match(verdict.context.join(), why);
    assert.equal(yamlOf(s), before);
  });

test("approval: person in the settings holds for every PENDING intent", async (t) => {
  const s = intentStage(t, { options: { approval: "person" } });
  assert.match(
    (await after(s, "select_active_intent", { intent_id: "INT-002" })).context.join(),
    /a person takes it up/,
  );
});

test("a failed call selects nothing", async (t) => {
  const s = intentStage(t);
  await s.call("mcp__interlock__select_active_intent", { intent_id: "INT-001" });
  await s.failed("mcp__interlock__select_active_intent", { intent_id: "INT-001" }, "boom");
  assert.equal((await s.call("Write", { file_path: "src/auth/a.ts", content: "" })).gate, "intent/gatekeeper");
});

test("completing: open criteria need a person", async (t) => {
  const s = intentStage(t);
  const evidence = [{ criterion: 1, evidence: "npm test: 12 passed" }];
  const verdict = await after(s, "complete_intent", { intent_id: "INT-001", evidence });
  assert.match(verdict.context.join(), /a person ticks the open criteria \(1\. Unit tests pass\)/);
  assert.match(yamlOf(s), /name: Refactor the auth middleware\n {4}status: IN_PROGRESS/);
});

test("completing with evidence where the user lets agents tick", async (t) => {
  const s = intentStage(t, { options: { completion: "evidence" } });
  assert.match((await after(s, "complete_intent", { intent_id: "INT-001" })).context.join(), /give evidence for each/);
  const evidence = [{ criterion: 1, evidence: "npm test: 12 passed" }];
  await own(s, "complete_intent", { intent_id: "INT-001", evidence });
  const text = yamlOf(s);
  assert.match(
    text,
    /status: COMPLETED[^]*criterion: Unit tests pass\n +met: true\n +evidence: "npm test: 12 passed"\n +by: agent/,
  );
  await select(s, "INT-001");
  assert.equal((await s.call("Write", { file_path: "src/auth/a.ts", content: "" })).gate, "intent/gatekeeper");
});

test("an intent without open criteria is completed", async (t) => {
  const s = intentStage(t);
  await own(s, "complete_intent", { intent_id: "INT-005" });
  assert.match(yamlOf(s), /id: INT-005, name: Payments, status: COMPLETED/);
});

test("a scope request is recorded once and grants nothing", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  const input = { intent_id: "INT-001", paths: ["src/other.ts"], reason: "the middleware imports it" };
  await own(s, "request_scope_expansion", input);
  await own(s, "request_scope_expansion", input);
  const { requests } = (s.store.read().state as JsonObject)[scopeRequests.id] as unknown as RequestState;
  assert.deepEqual(
    requests.map((r) => [r.id, r.intent, r.paths]),
    [["sr-1", "INT-001", ["src/other.ts"]]],
  );
  assert.equal((await s.call("Write", { file_path: "src/other.ts", content: "" })).gate, "intent/gatekeeper");
});

test("record_lesson appends to AGENT.md, which no tool writes", async (t) => {
  const s = intentStage(t, { files: { ".orchestration/AGENT.md": "# Ours\n\nBe kind.\n" } });
  await select(s, "INT-001");
  await own(s, "record_lesson", { lesson: "Tokens expire in <b>UTC</b>", files: ["src/auth/login.ts"] });
  const text = readFileSync(join(s.root, ".orchestration/AGENT.md"), "utf8");
  assert.match(text, /^# Ours\n\nBe kind\.\n\n## Lessons Learned\n/);
  assert.match(
    text,
    /- \d{4}-\d\d-\d\d Tokens expire in ‹b>UTC‹\/b> \{INT-001\} \[src\/auth\/login\.ts\] <!-- lesson:/,
  );
});

test("a session is told of intents at its start, and of one a person selected once", async (t) => {
  const s = intentStage(t);
  const start = await s.verdict("SessionStart", { source: "startup" });
  assert.match(start.context.join(), /call select_active_intent with one of: INT-001 \(Refactor the auth middleware\)/);
  s.store.append(() => ({ type: "t", body: {}, patch: { [projectSelection.id]: { id: "INT-001", at: Date.now() } } }));
  const first = await s.prompt("go on with the work");
  assert.match(
    first.context.join(),
    /<intent_context>\n {2}<intent_id>INT-001<\/intent_id>[^]*<path>src\/auth\/\*\*<\/path>/,
  );
  assert.equal((await s.prompt("and more")).context.join(), "");
  assert.match((await s.verdict("SessionStart", { source: "compact" })).context.join(), /<intent_context>/);
  assert.equal((await s.call("Write", { file_path: "src/auth/a.ts", content: "" })).outcome, "pass", gate);
});
