// The same stories through the built program: `interlock hook claude-code` as the client starts it, a process per event. One story of each group.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { type Agent, type Heard, play } from "./agent.js";
import { stories } from "./stories.js";

const program = join(process.cwd(), "dist", "interlock.cjs");

function hook(agent: Agent, payload: JsonObject): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, "hook", "claude-code"], { cwd: agent.root, env: agent.env });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done(out) : fail(new Error(`exit ${code}: ${out}`))));
    child.stdin.end(JSON.stringify(payload));
  });
}

/** State, shell, end of turn, person, files, release: what differs in how it reaches the gate. */
const groups = [
  "commands",
  "safemode",
  "research",
  "breaker",
  "plan",
  "documents",
  "sensitive-files",
  "inline-scripts",
  "file-size",
  "release",
  "verification",
  "session",
];
const whole = (h: Heard) => `${h.text}\n${h.context}\n${h.shown}`;

for (const story of stories.filter((s) => groups.includes(s.gate)))
  test(`spawned: ${story.gate}`, async (t) => {
    const a = play(t, {
      options: story.options,
      files: story.files,
      guard: story.guard,
      gates: [story.gate],
      ask: hook,
    });
    const first = await story.reach(a);
    assert.equal(first.outcome, story.how === "note" ? "pass" : story.how, whole(first));
    assert.match(whole(first), story.says);
    await story.remedy(a);
    assert.equal((await story.again(a)).outcome, "pass");
  });
