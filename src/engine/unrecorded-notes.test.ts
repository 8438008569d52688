// Events that nobody could record are named by the next record of their project, once, without words.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { guardPack } from "../packs/guard/index.js";
import { verify } from "../store/index.js";
import { stage } from "../testing/stage.js";
import { noteOfPayload, notesFolder, noteUnrecorded } from "./unrecorded-notes.js";

test("the next event of the project records the notes, once; others and broken ones stay", async (t) => {
  const s = stage(t, { packs: [guardPack], files: { "sub/a": "1" } });
  const payload = (cwd: string, id: string) =>
    Buffer.from(JSON.stringify({ session_id: "s9", tool_use_id: id, cwd, prompt: "zebra", hook_event_name: "x" }));
  const note = (cwd: string, id: string) => noteUnrecorded(s.home, noteOfPayload("PostToolUse", payload(cwd, id))!);
  note(s.root, "toolu_1");
  note(join(s.root, "sub"), "toolu_2");
  note(`${s.root}-other`, "toolu_3");
  note(s.root, "zebra in an id");
  mkdirSync(notesFolder(s.home), { recursive: true });
  writeFileSync(join(notesFolder(s.home), "half"), '{"cwd":');
  assert.equal(noteOfPayload("Stop", Buffer.from("[")), undefined);
  await s.prompt("go on");
  await s.prompt("go on");
  const records = [...s.store.records()].filter(({ type }) => type === "unrecorded");
  assert.equal(records.length, 1);
  const events = records[0]!.body["events"] as { id?: string; session: string; hostEvent: string; at: string }[];
  assert.deepEqual(
    events.map(({ hostEvent, session, id }) => [hostEvent, session, id]),
    ["toolu_1", "toolu_2", undefined].map((id) => ["PostToolUse", "s9", id]),
  );
  assert.ok(!JSON.stringify(records[0]).includes("zebra") && !JSON.stringify(records[0]).includes(s.root));
  assert.equal(readdirSync(notesFolder(s.home)).length, 2);
  assert.equal(verify(s.store.place).verdict, "intact");
});
