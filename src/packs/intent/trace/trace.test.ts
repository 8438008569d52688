// intent/trace: what a call really changed becomes trace records with the right lines, author and intent.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import { intentStage, select } from "../../../testing/intent-stage.js";
import type { Stage } from "../../../testing/stage.js";
import { checkTrace, metadataKey, type TraceRecord } from "../../../trace/trace-record.js";

const gate = "intent/trace";
const file = "src/auth/login.ts";

function records(s: Stage): TraceRecord[] {
  const path = join(s.root, ".orchestration/agent_trace.jsonl");
  if (!existsSync(path)) return [];
  const all = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TraceRecord);
  for (const one of all) assert.deepEqual(checkTrace(one), []);
  return all;
}

const linesOf = (record: TraceRecord): [string, number, number][] =>
  record.files.flatMap((f) =>
    f.conversations.flatMap((c) => c.ranges.map((r): [string, number, number] => [f.path, r.start_line, r.end_line])),
  );

/** A call that really does what it says. */
async function acts(s: Stage, tool: string, input: JsonObject, does: () => void): Promise<void> {
  assert.equal((await s.call(tool, input)).outcome, "pass");
  does();
  await s.done(tool, input, "");
}

const committed = (s: Stage) => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", s.root, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  git("add", "-A");
  git("commit", "-qm", "base");
};

test(`${gate}: an edit is one record with the changed lines, the intent and the model`, async (t) => {
  const s = intentStage(t);
  s.write(file, "one\ntwo\nthree\n");
  committed(s);
  await select(s, "INT-001");
  const folder = join(s.userHome, ".claude/projects/p");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${s.session}.jsonl`),
    '{"type":"assistant","message":{"role":"assistant","model":"claude-test-1","content":[]}}\n',
  );
  s.write(file, "one\ntyped by a person\ntwo\nthree\n");
  const input = { file_path: join(s.root, file), old_string: "three", new_string: "3\n4" };
  await acts(s, "Edit", input, () => s.write(file, "one\ntyped by a person\ntwo\n3\n4\n"));
  const [record, ...more] = records(s);
  assert.deepEqual(more, []);
  assert.deepEqual(linesOf(record!), [[file, 4, 5]]);
  const meta = record!.metadata![metadataKey]!;
  assert.equal(meta.intent_id, "INT-001");
  assert.equal(meta.session_id, "session-1");
  assert.equal(record!.files[0]!.conversations[0]!.contributor?.model_id, "anthropic/claude-test-1");
  assert.deepEqual(
    record!.files[0]!.conversations[0]!.related?.map((r) => r.url),
    ["intent:INT-001"],
  );
  assert.match(
    readFileSync(join(s.root, ".orchestration/intent_map.md"), "utf8"),
    /## INT-001: Refactor[^]*`src\/auth\/login\.ts`/,
  );
});

test(`${gate}: what a command changed without saying so is found by looking at the tree`, async (t) => {
  const s = intentStage(t);
  committed(s);
  await select(s, "INT-001");
  await acts(s, "Bash", { command: "bash gen.sh" }, () => s.write("src/auth/made.ts", "a\nb\n"));
  assert.deepEqual(records(s).map(linesOf), [[["src/auth/made.ts", 1, 2]]]);
});

test(`${gate}: a commit the agent makes is attributed without any git hook`, async (t) => {
  const s = intentStage(t);
  committed(s);
  await select(s, "INT-001");
  await acts(s, "Write", { file_path: file, content: "a\n" }, () => s.write(file, "a\n"));
  await acts(s, "Bash", { command: "git commit -qam work" }, () => committed(s));
  const note = execFileSync("git", ["-C", s.root, "notes", "--ref=interlock", "show", "HEAD"], { encoding: "utf8" });
  assert.match(note, /src\/auth\/login\.ts/);
  assert.match(note, /INT-001/);
});

test(`${gate}: a refused call, a call that changed nothing and a read leave no record`, async (t) => {
  const s = intentStage(t);
  await s.call("Write", { file_path: file, content: "x" });
  await select(s, "INT-001");
  await s.run("Read", { file_path: file });
  await acts(s, "Bash", { command: "npm test" }, () => undefined);
  assert.deepEqual(records(s), []);
});

test(`${gate}: without an intent, in observe mode, records have none`, async (t) => {
  const s = intentStage(t, { mode: "observe" });
  const input = { file_path: join(s.root, "src/new.ts"), content: "x\n" };
  await acts(s, "Write", input, () => s.write("src/new.ts", "x\n"));
  const [record] = records(s);
  assert.deepEqual(linesOf(record!), [["src/new.ts", 1, 1]]);
  assert.equal(record!.metadata![metadataKey]!.intent_id, undefined);
});

test(`${gate}: what another session wrote while a command ran is not the command's`, async (t) => {
  const s = intentStage(t);
  committed(s);
  await select(s, "INT-001");
  const slow = { tool_use_id: "toolu_slow", tool_name: "Bash", tool_input: { command: "bash slow.sh" } };
  await s.verdict("PreToolUse", slow);
  s.session = "session-2";
  await select(s, "INT-008");
  await acts(s, "Write", { file_path: join(s.root, "src/theirs.ts"), content: "x\n" }, () =>
    s.write("src/theirs.ts", "x\n"),
  );
  s.session = "session-1";
  s.write("src/auth/ours.ts", "y\n");
  const after = await s.verdict("PostToolUse", { ...slow, tool_response: { stdout: "", stderr: "" } });
  assert.deepEqual(
    records(s).map((r) => [linesOf(r)[0]![0], r.metadata![metadataKey]!.session_id]),
    [
      ["src/theirs.ts", "session-2"],
      ["src/auth/ours.ts", "session-1"],
    ],
  );
  assert.doesNotMatch(after.context.join(), /theirs/);
});

test(`${gate}: two commands of two sessions at once: what both may have done is nobody's`, async (t) => {
  const s = intentStage(t);
  committed(s);
  await select(s, "INT-001");
  const call = (id: string) => ({ tool_use_id: id, tool_name: "Bash", tool_input: { command: `bash ${id}.sh` } });
  const ends = { tool_response: { stdout: "", stderr: "" } };
  await s.verdict("PreToolUse", call("one"));
  s.session = "session-2";
  await select(s, "INT-001");
  await s.verdict("PreToolUse", call("two"));
  s.write("src/auth/made.ts", "x\n");
  await s.verdict("PostToolUse", { ...call("two"), ...ends });
  s.session = "session-1";
  await s.verdict("PostToolUse", { ...call("one"), ...ends });
  assert.deepEqual(records(s), []);
});

test(`${gate}: it can be switched off`, async (t) => {
  const s = intentStage(t, { mode: "observe", options: { trace: false } });
  await acts(s, "Write", { file_path: "src/new.ts", content: "x\n" }, () => s.write("src/new.ts", "x\n"));
  assert.deepEqual(records(s), []);
});
