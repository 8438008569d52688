// A hook that gives up its place in the queue: what can't be refused passes, and the next record says so.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { turnsFolder } from "../../src/hook/turn.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { bareProject } from "../../src/testing/hook-crowd.js";
import { temporary } from "../../src/testing/temporary.js";

const script = join(process.cwd(), "dist/interlock.cjs");

test("the end of a call turned away in a crowd is in the record with the next event", () => {
  const place = temporary("turned");
  const [root, home] = [join(place, "project"), join(place, "interlock")];
  bareProject(root);
  const hook = (event: string, more: object) => {
    const input = JSON.stringify({ session_id: "s1", cwd: root, hook_event_name: event, ...more });
    const args = [script, "hook", "claude-code", "--event", event, "--home", home, "--alone", "1"];
    return spawnSync(process.execPath, args, {
      input,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: place },
    });
  };
  // More hooks than may work at once came earlier; all of them live as long as this process.
  mkdirSync(turnsFolder(home), { recursive: true });
  for (let i = 0; i < 400; i++)
    writeFileSync(join(turnsFolder(home), `${String(i).padStart(18, "0")}-${process.pid}`), "");
  const call = { tool_name: "Read", tool_input: { file_path: join(root, "a") }, tool_use_id: "toolu_7" };
  const ended = hook("PostToolUse", { ...call, tool_response: "x" });
  assert.match(ended.stdout, /still at work/);
  for (const name of readdirSync(turnsFolder(home))) rmSync(join(turnsFolder(home), name));
  assert.equal(hook("UserPromptSubmit", { prompt: "go on" }).status, 0);
  const records = [...openStore({ home, id: identify(root).id }).records()];
  assert.deepEqual(
    records.map(({ type }) => type),
    ["event", "unrecorded"],
  );
  const [event] = records[1]!.body["events"] as { hostEvent: string; id: string; session: string }[];
  assert.deepEqual([event!.hostEvent, event!.id, event!.session], ["PostToolUse", "toolu_7", "s1"]);
});
