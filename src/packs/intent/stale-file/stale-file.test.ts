// intent/stale-file: a file that changed since this agent saw it is refused, and reading it again opens the gate.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Verdict } from "../../../model/verdict.js";
import { intentStage, select } from "../../../testing/intent-stage.js";
import type { Stage } from "../../../testing/stage.js";

const gate = "intent/stale-file";
const file = "src/auth/login.ts";
const edit = { file_path: file, old_string: "1", new_string: "2" };

const reads = (s: Stage) => s.run("Read", { file_path: file }, { file: { content: "x" } });
const refused = (verdict: Verdict) => verdict.gate === gate;

async function ready(t: Parameters<typeof intentStage>[0]): Promise<Stage> {
  const s = intentStage(t);
  await select(s, "INT-001");
  return s;
}

test("changed since it was read: STALE_FILE, and a re-read refreshes", async (t) => {
  const s = await ready(t);
  await reads(s);
  s.write(file, "export const login = 1; // by a person\n");
  const verdict = await s.call("Edit", edit);
  assert.ok(refused(verdict), verdict.text);
  assert.match(verdict.text!, /STALE_FILE: it was changed since you read it\nnext: read it again/);
  const { opinion } = verdict.opinions.find((o) => o.gate === gate)!;
  const data = opinion.kind === "deny" ? opinion.data! : {};
  assert.equal(data["resolution"], "RE_READ_REQUIRED");
  assert.notEqual(data["expected_hash"], data["actual_hash"]);
  await reads(s);
  assert.equal((await s.call("Edit", edit)).outcome, "pass");
});

test("a file that was only touched, or rewritten with the same text, is not stale", async (t) => {
  const s = await ready(t);
  await reads(s);
  s.write(file, "export const login = 1;\n");
  assert.equal((await s.call("Edit", edit)).outcome, "pass");
});

test("own writes refresh, by file tools and by commands that name the file", async (t) => {
  const s = await ready(t);
  await reads(s);
  await s.call("Edit", edit);
  s.write(file, "export const login = 2;\n");
  await s.done("Edit", edit, {});
  assert.equal((await s.call("Edit", edit)).outcome, "pass");
  const command = { command: `sed -i s/2/3/ ${file}` };
  await s.call("Bash", command);
  s.write(file, "export const login = 3;\n");
  await s.done("Bash", command, "");
  assert.equal((await s.call("Edit", edit)).outcome, "pass");
});

test("deleted since it was read", async (t) => {
  const s = await ready(t);
  await reads(s);
  rmSync(join(s.root, file));
  const verdict = await s.call("Write", { file_path: file, content: "x" });
  assert.match(verdict.text!, /STALE_FILE: it is gone since you read it/);
});

test("shell writes with an exact path are checked, and cat counts as reading", async (t) => {
  const s = await ready(t);
  await s.run("Bash", { command: `cat ${file}` }, "text");
  s.write(file, "other\n");
  assert.ok(refused(await s.call("Bash", { command: `echo x > ${file}` })));
  await s.run("Bash", { command: `cat ${file}` }, "other");
  assert.equal((await s.call("Bash", { command: `echo x > ${file}` })).outcome, "pass");
});

test("files nobody read are not checked", async (t) => {
  const s = await ready(t);
  assert.equal((await s.call("Write", { file_path: "src/auth/new.ts", content: "x" })).outcome, "pass");
});

test("parallel sub-agents: the second to write is stopped until it reads again", async (t) => {
  const s = await ready(t);
  const as = (id: string) => (s.agent = { id, type: "general-purpose" });
  as("a");
  await reads(s);
  as("b");
  await reads(s);
  as("a");
  await s.call("Edit", edit);
  s.write(file, "export const login = 2;\n");
  await s.done("Edit", edit, {});
  assert.equal((await s.call("Edit", edit)).outcome, "pass", "its own write is no surprise to it");
  as("b");
  assert.ok(refused(await s.call("Edit", edit)));
  await reads(s);
  assert.equal((await s.call("Edit", edit)).outcome, "pass");
});

test("parallel sessions: the second to write is stopped", async (t) => {
  const s = await ready(t);
  await reads(s);
  s.session = "session-2";
  await select(s, "INT-001");
  await reads(s);
  await s.call("Edit", edit);
  s.write(file, "export const login = 2;\n");
  await s.done("Edit", edit, {});
  s.session = "session-1";
  assert.ok(refused(await s.call("Edit", edit)));
});

test("a hash the caller gives itself is compared", async (t) => {
  const s = await ready(t);
  const input = { path: file, expected_content_hash: `sha256:${"0".repeat(64)}` };
  assert.ok(refused(await s.call("mcp__fs__write_file", input)));
});
