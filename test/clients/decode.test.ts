// The payloads a real client sends, decoded: the session below is seen in our words, with nothing lost on the way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode } from "../../src/hosts/claude-code/protocol/decode.js";
import { hostEvents } from "../../src/hosts/claude-code/protocol/events.js";
import { runClaude } from "../../src/live/claude.js";
import { callId } from "../../src/live/model.js";
import type { JsonObject } from "../../src/model/json.js";
import { agent, bash, binary, call, needsClient, notesServer, workplace } from "./workplace.js";

// A hook there replaces the client's own work, so even a silent one changes what happens.
const notWatched = ["WorktreeCreate", "WorktreeRemove"];

test("a real session is decoded event by event", needsClient, async (t) => {
  const place = workplace(t);
  const file = place.path("w.txt");
  const log = place.path("payloads.jsonl");
  const command = `{ cat; echo; } >> '${log}'`;
  const watched = hostEvents.filter((event) => !notWatched.includes(event));
  const run = await runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    mcpServers: notesServer(place),
    settings: {
      hooks: Object.fromEntries(
        watched.map((event) => [event, [{ hooks: [{ type: "command", command, timeout: 10 }] }]]),
      ),
    },
    scripts: [
      {
        marker: "main",
        steps: [
          bash("echo out; exit 3"),
          call("Write", { file_path: file, content: "one\n" }),
          call("Edit", { file_path: file, old_string: "one", new_string: "two" }),
          call("Read", { file_path: file }),
          call("mcp__notes__write_note", { text: "hello" }),
          agent("[sub] work"),
          { text: "all done" },
        ],
      },
      { marker: "[sub]", steps: [bash("true"), { text: "part done" }] },
    ],
  });
  assert.equal(run.exitCode, 0, run.stderr);

  const payloads = place
    .read("payloads.jsonl")!
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);
  const events = payloads.map((payload) => decode(payload, { CLAUDE_PROJECT_DIR: place.project }, []));
  assert.deepEqual(
    events.filter((event) => !event.session || event.cwd !== place.project || !event.transcript),
    [],
  );
  const tool = (kind: string, id: string) => {
    const event = events.find((each) => each.kind === kind && each.tool?.id === id);
    assert.ok(event?.tool, `no ${kind} for ${id}`);
    return event as typeof event & { tool: NonNullable<typeof event.tool> };
  };

  const failed = tool("tool.failed", callId("main", 0));
  assert.equal(failed.tool.command, "echo out; exit 3");
  assert.equal(failed.outcome?.ok, false);
  assert.equal(failed.outcome?.exitCode, 3);
  assert.match(failed.outcome!.text, /out/);
  const written = tool("tool.after", callId("main", 1));
  assert.deepEqual([written.tool.kind, written.tool.path, written.tool.content], ["write", file, "one\n"]);
  assert.equal(written.outcome?.ok, true);
  const edited = tool("tool.before", callId("main", 2));
  assert.deepEqual([edited.tool.kind, edited.tool.path], ["edit", file]);
  assert.deepEqual(edited.tool.edits, [{ old: "one", new: "two", all: false }]);
  assert.equal(tool("tool.before", callId("main", 3)).tool.kind, "read");
  const noted = tool("tool.before", callId("main", 4));
  assert.equal(noted.tool.kind, "mcp");
  assert.deepEqual(noted.tool.mcp, { server: "notes", tool: "write_note", source: "dynamic" });
  const delegated = tool("tool.before", callId("main", 5));
  assert.equal(delegated.tool.kind, "agent");
  assert.equal(delegated.tool.agent?.prompt, "[sub] work");
  const inside = tool("tool.after", callId("[sub]", 0));
  assert.ok(inside.agent?.id);
  assert.equal(inside.agent?.type, "general-purpose");
  assert.equal(inside.tool.kind, "shell");
  assert.equal(delegated.agent, undefined);

  const kinds = new Set(events.map((event) => event.kind));
  for (const kind of ["session.start", "prompt", "agent.start", "agent.end", "tool.batch", "turn.end", "session.end"])
    assert.ok(kinds.has(kind as never), `${kind} was not seen`);
  const prompt = events.find((event) => event.kind === "prompt");
  assert.deepEqual([prompt?.prompt?.text, prompt?.prompt?.machine], ["main", false]);
  assert.equal(events.find((event) => event.kind === "turn.end")?.turn?.lastMessage, "all done");
});
