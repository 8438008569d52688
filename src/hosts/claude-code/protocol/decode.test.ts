import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Event, eventKinds, type ToolCall, toolKinds } from "../../../model/event.js";
import type { Json, JsonObject } from "../../../model/json.js";
import { decode } from "./decode.js";
import { hostEvents } from "./events.js";

const common = {
  session_id: "e2b4",
  transcript_path: "/home/u/.claude/projects/p/e2b4.jsonl",
  cwd: "/home/u/proj",
  prompt_id: "807c",
  permission_mode: "bypassPermissions",
};
const read = (payload: JsonObject, env: Record<string, string> = {}, wanted: string[] = []): Event =>
  decode({ ...common, ...payload }, env, wanted);
const tool = (tool_name: string, tool_input: JsonObject, more: JsonObject = {}): ToolCall =>
  read({ hook_event_name: "PreToolUse", tool_name, tool_input, tool_use_id: "t1", ...more }).tool!;
const after = (tool_name: string, tool_response: Json, more: JsonObject = {}) =>
  read({ hook_event_name: "PostToolUse", tool_name, tool_input: {}, tool_response, ...more }).outcome!;

test("each event of the client has its kind", () => {
  const kinds = Object.fromEntries(hostEvents.map((name) => [name, read({ hook_event_name: name }).kind]));
  assert.deepEqual(kinds, {
    PreToolUse: "tool.before",
    PermissionRequest: "permission.ask",
    PermissionDenied: "permission.denied",
    PostToolUse: "tool.after",
    PostToolUseFailure: "tool.failed",
    PostToolBatch: "tool.batch",
    UserPromptSubmit: "prompt",
    UserPromptExpansion: "prompt.expand",
    SessionStart: "session.start",
    SessionEnd: "session.end",
    Setup: "other",
    Stop: "turn.end",
    StopFailure: "turn.failed",
    SubagentStart: "agent.start",
    SubagentStop: "agent.end",
    PreCompact: "compact.before",
    PostCompact: "compact.after",
    PreModelSwitch: "model.before",
    PostModelSwitch: "model.after",
    Notification: "other",
    TeammateIdle: "other",
    TaskCreated: "task.before",
    TaskCompleted: "other",
    Elicitation: "elicitation",
    ElicitationResult: "elicitation",
    ConfigChange: "config.change",
    InstructionsLoaded: "other",
    CwdChanged: "other",
    FileChanged: "other",
    DirectoryAdded: "other",
    WorktreeCreate: "worktree.create",
    WorktreeRemove: "other",
    MessageDisplay: "other",
  });
  assert.equal(read({ hook_event_name: "SomethingNew" }).kind, "other");
  assert.equal(read({ hook_event_name: "constructor" }).kind, "other");
});

test("the fields every event has", () => {
  const event = read(
    {
      hook_event_name: "PreToolUse",
      tool_name: "Read",
      tool_input: {},
      agent_id: "a139",
      agent_type: "general-purpose",
    },
    { CLAUDE_PROJECT_DIR: "/home/u", TDD_PHASE: "red", SECRET: "x" },
    ["TDD_PHASE", "RUN_ID", "toString"],
  );
  assert.equal(event.host, "claude-code");
  assert.equal(event.hostEvent, "PreToolUse");
  assert.equal(event.session, "e2b4");
  assert.equal(event.promptId, "807c");
  assert.equal(event.cwd, "/home/u/proj");
  assert.equal(event.projectDir, "/home/u");
  assert.equal(event.transcript, common.transcript_path);
  assert.equal(event.permissionMode, "bypassPermissions");
  assert.deepEqual(event.agent, { id: "a139", type: "general-purpose" });
  assert.deepEqual({ ...event.env }, { TDD_PHASE: "red" });
});

test("agent_type without agent_id is the main thread of a session with --agent", () => {
  assert.equal(read({ hook_event_name: "Stop", agent_type: "reviewer" }).agent, undefined);
});

test("tools become kinds with the views gates read", async (t) => {
  const rows: [string, JsonObject, Partial<ToolCall>][] = [
    ["Bash", { command: "ls" }, { kind: "shell", command: "ls" }],
    ["Bash", { command: "ls", run_in_background: true }, { kind: "shell", command: "ls", background: true }],
    ["Monitor", { command: "tail -f x", timeout_ms: 1 }, { kind: "shell", command: "tail -f x", background: true }],
    ["Monitor", { ws: { url: "ws://h/x" } }, { kind: "web", url: "ws://h/x", background: true }],
    ["Monitor", {}, { kind: "unknown" }],
    ["PowerShell", { command: "rm x" }, { kind: "script" }],
    ["Workflow", { script: "x", scriptPath: "/p/w.js" }, { kind: "script", path: "/p/w.js", background: true }],
    ["Read", { file_path: "/a" }, { kind: "read", path: "/a" }],
    ["Read", { file_path: "/a", offset: 3, limit: 9 }, { kind: "read", path: "/a", range: { offset: 3, limit: 9 } }],
    ["Write", { file_path: "/a", content: "x" }, { kind: "write", path: "/a", content: "x" }],
    [
      "Edit",
      { file_path: "/a", old_string: "o", new_string: "n", replace_all: true },
      { kind: "edit", path: "/a", edits: [{ old: "o", new: "n", all: true }] },
    ],
    [
      "MultiEdit",
      { file_path: "/a", edits: [{ old_string: "o", new_string: "n" }, 3, { new_string: "z" }] },
      {
        kind: "edit",
        path: "/a",
        edits: [
          { old: "o", new: "n", all: false },
          { old: "", new: "z", all: false },
        ],
      },
    ],
    [
      "NotebookEdit",
      { notebook_path: "/n.ipynb", new_source: "s" },
      { kind: "notebook", path: "/n.ipynb", content: "s" },
    ],
    ["Glob", { pattern: "*.ts", path: "src" }, { kind: "search", path: "src", query: "*.ts" }],
    ["Grep", { pattern: "x" }, { kind: "search", query: "x" }],
    ["LS", { path: "/d" }, { kind: "search", path: "/d" }],
    ["WebFetch", { url: "https://h", prompt: "p" }, { kind: "web", url: "https://h", query: "p" }],
    ["WebSearch", { query: "q" }, { kind: "web", query: "q" }],
    [
      "Agent",
      { description: "d", prompt: "p", subagent_type: "Explore", model: "haiku", run_in_background: false },
      {
        kind: "agent",
        agent: { type: "Explore", prompt: "p", model: "haiku", description: "d" },
        background: false,
      },
    ],
    ["Task", { prompt: "p" }, { kind: "agent", background: true }],
    ["RemoteTrigger", { action: "run" }, { kind: "agent", agent: {}, background: true }],
    ["RemoteTrigger", { action: "list" }, { kind: "control" }],
    ["Skill", { skill: "pdf" }, { kind: "skill", skill: "pdf" }],
    ["SlashCommand", { command: "/review 3" }, { kind: "skill", skill: "/review 3" }],
    ["CronCreate", { cron: "* * * * *", prompt: "p" }, { kind: "control" }],
    ["CronCreate", { cron: "* * * * *", prompt: "p", durable: true }, { kind: "unknown" }],
    [
      "ReadMcpResourceTool",
      { server: "s", uri: "file:///x" },
      { kind: "mcp", mcp: { server: "s", tool: "resource" }, url: "file:///x" },
    ],
    ["EnterPlanMode", {}, { kind: "plan" }],
    ["AskUserQuestion", {}, { kind: "ask" }],
    ["KillShell", {}, { kind: "control" }],
    ["TodoWrite", {}, { kind: "control" }],
    ["ToolSearch", {}, { kind: "control" }],
    ["EnterWorktree", {}, { kind: "unknown" }],
    ["bash", { command: "ls" }, { kind: "unknown" }],
    ["constructor", {}, { kind: "unknown" }],
    ["Bash", { command: 7 }, { kind: "shell" }],
    ["Write", { file_path: ["/a"], content: null }, { kind: "write" }],
    ["mcp__my-srv__write_thing", {}, { kind: "mcp", mcp: { server: "my-srv", tool: "write_thing" } }],
    ["mcp__srv__a__b", {}, { kind: "mcp", mcp: { server: "srv", tool: "a__b" } }],
    ["mcp__srv", {}, { kind: "mcp", mcp: { server: "srv", tool: "" } }],
    [
      "mcp__plugin_kit_db__query",
      {},
      { kind: "mcp", mcp: { server: "plugin_kit_db", tool: "query", source: "plugin" } },
    ],
  ];
  for (const [name, input, expected] of rows)
    await t.test(`${name} ${JSON.stringify(input)}`, () => {
      const call = tool(name, input);
      assert.equal(call.id, "t1");
      assert.deepEqual(call.input, input);
      const { id: _, name: __, input: ___, ...views } = call;
      if (name === "Task") assert.equal(views.agent?.prompt, "p");
      else if (views.agent) assert.deepEqual({ ...views, agent: JSON.parse(JSON.stringify(views.agent)) }, expected);
      else assert.deepEqual(views, expected);
    });
});

test("mcp_server says the server's own name and where it comes from", () => {
  const named = (name: string, mcp_server: JsonObject) => tool(name, {}, { mcp_server }).mcp;
  assert.deepEqual(named("mcp__my-srv__w", { name: "my-srv", source: "dynamic" }), {
    server: "my-srv",
    tool: "w",
    source: "dynamic",
  });
  assert.deepEqual(named("mcp__a__b__w", { name: "a__b", source: "user" }), {
    server: "a__b",
    tool: "w",
    source: "user",
  });
  assert.deepEqual(named("mcp__plugin_kit_db__q", { name: "plugin:kit:db", source: "plugin" }), {
    server: "plugin:kit:db",
    tool: "q",
    source: "plugin",
  });
});

test("what became of a call", async (t) => {
  const bash = { stdout: "out\nerr", stderr: "", interrupted: false, isImage: false };
  const file = { filePath: "/a", content: "line", numLines: 1, startLine: 1, totalLines: 1 };
  const rows: [string, () => unknown, JsonObject][] = [
    [
      "Bash",
      () => after("Bash", bash, { duration_ms: 57 }),
      { ok: true, text: "out\nerr", exitCode: 0, durationMs: 57 },
    ],
    ["Bash, both streams", () => after("Bash", { stdout: "o", stderr: "e" }), { ok: true, text: "o\ne", exitCode: 0 }],
    [
      "Bash, interrupted",
      () => after("Bash", { ...bash, interrupted: true }),
      { ok: false, text: "out\nerr", interrupted: true },
    ],
    [
      "Bash, harmless code",
      () => after("Bash", { ...bash, returnCodeInterpretation: "No matches found" }),
      { ok: true, text: "out\nerr" },
    ],
    [
      "Bash, in the background",
      () => after("Bash", { ...bash, backgroundTaskId: "b1" }),
      { ok: true, text: "out\nerr" },
    ],
    ["Bash, code given", () => after("Bash", { ...bash, exitCode: 3 }), { ok: false, text: "out\nerr", exitCode: 3 }],
    ["Read", () => after("Read", { type: "text", file }), { ok: true, text: "line" }],
    [
      "Read of an image",
      () => after("Read", { type: "image", file: { base64: "AAAA" } }),
      { ok: true, text: "[image]" },
    ],
    ["Write", () => after("Write", { type: "create", filePath: "/a", content: "x" }), { ok: true, text: "create /a" }],
    ["Edit", () => after("Edit", { filePath: "/a", oldString: "o" }), { ok: true, text: "update /a" }],
    ["Grep", () => after("Grep", { mode: "content", content: "a:1:x", filenames: [] }), { ok: true, text: "a:1:x" }],
    ["Glob", () => after("Glob", { filenames: ["a", "b"], numFiles: 2 }), { ok: true, text: "a\nb" }],
    ["WebFetch", () => after("WebFetch", { code: 200, result: "page" }), { ok: true, text: "page" }],
    [
      "Agent",
      () => after("Agent", { status: "completed", content: [{ type: "text", text: "done" }] }),
      { ok: true, text: "done" },
    ],
    [
      "MCP content",
      () => after("mcp__s__t", [{ type: "text", text: "a" }, { type: "image", data: "AAAA" }, "b"]),
      { ok: true, text: "a\n[image]\nb" },
    ],
    [
      "MCP error",
      () => after("mcp__s__t", { isError: true, content: [{ type: "text", text: "bad" }] }),
      { ok: false, text: "bad" },
    ],
    ["a plain string", () => after("Bash", "out"), { ok: true, text: "out" }],
    ["nothing", () => after("Bash", null), { ok: true, text: "" }],
    ["an unknown shape", () => after("New", { a: { b: 1 } }), { ok: true, text: '{"a":{"b":1}}' }],
  ];
  for (const [name, run, expected] of rows)
    await t.test(name, () => {
      const { response: _, ...outcome } = run() as { response: unknown };
      assert.deepEqual(outcome, expected);
    });
});

test("tool_result is read as tool_response", () => {
  const event = read({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: {},
    tool_result: { stdout: "o" },
  });
  assert.equal(event.outcome?.text, "o");
});

test("a call that went to the background says so", () => {
  const response = { stdout: "", backgroundTaskId: "b1" };
  const event = read({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: {}, tool_response: response });
  assert.equal(event.tool?.background, true);
});

test("failures arrive in PostToolUseFailure only", async (t) => {
  const rows: [JsonObject, JsonObject][] = [
    [
      { error: "Exit code 3", is_interrupt: false },
      { ok: false, text: "Exit code 3", exitCode: 3 },
    ],
    [
      { error: "Exit code 127\nsh: x: not found", duration_ms: 4 },
      { ok: false, text: "Exit code 127\nsh: x: not found", exitCode: 127, durationMs: 4 },
    ],
    [{ error: "Error: Exit code 1" }, { ok: false, text: "Error: Exit code 1", exitCode: 1 }],
    [{ error: "said: Exit code 9" }, { ok: false, text: "said: Exit code 9" }],
    [
      { error: "stopped", is_interrupt: true },
      { ok: false, text: "stopped", interrupted: true },
    ],
    [{ error: { message: "odd" } }, { ok: false, text: "odd" }],
    [{}, { ok: false, text: "" }],
  ];
  for (const [payload, expected] of rows)
    await t.test(JSON.stringify(payload), () => {
      const event = read({ hook_event_name: "PostToolUseFailure", tool_name: "Bash", tool_input: {}, ...payload });
      const { response: _, ...outcome } = event.outcome!;
      assert.deepEqual(outcome, expected);
    });
});

test("prompts a machine made", async (t) => {
  const rows: [JsonObject, boolean][] = [
    [{ prompt: "fix it" }, false],
    [{ prompt: "fix it", source: "user" }, false],
    [{ prompt: "fix it", source: "system" }, true],
    [{ prompt: "fix it", source: "loop_wakeup" }, true],
    [{ prompt: "fix it", source: "sdk" }, true],
    [{ prompt: "fix it", source: "something_new" }, true],
    [{ prompt: "fix it", source: 3 }, false],
    [{ prompt: "<task-notification>\n<task-id>1" }, true],
    [{ prompt: "\n<system-reminder>x" }, true],
    [{ prompt: "<local-command-stdout>x" }, true],
    [{ prompt: "what does <system-reminder> mean?" }, false],
    [{ prompt: "<channels> are broken" }, false],
    [{ prompt: "Stop hook feedback:\nx" }, true],
    [{ prompt: null }, false],
  ];
  for (const [payload, machine] of rows)
    await t.test(JSON.stringify(payload), () => {
      assert.equal(read({ hook_event_name: "UserPromptSubmit", ...payload }).prompt?.machine, machine);
    });
});

test("turns, sessions and settings", () => {
  const stop = read({
    hook_event_name: "Stop",
    stop_hook_active: true,
    last_assistant_message: "done",
    background_tasks: [{}, {}],
  });
  assert.deepEqual(stop.turn, { again: true, lastMessage: "done", backgroundTasks: 2 });
  assert.deepEqual(read({ hook_event_name: "SubagentStop" }).turn, { again: false, backgroundTasks: 0 });
  assert.equal(read({ hook_event_name: "SessionStart", source: "resume" }).reason, "resume");
  assert.equal(read({ hook_event_name: "SessionEnd", reason: "clear" }).reason, "clear");
  assert.equal(read({ hook_event_name: "PreCompact", trigger: "auto" }).reason, "auto");
  const change = read({
    hook_event_name: "ConfigChange",
    source: "local_settings",
    file_path: "/p/.claude/settings.local.json",
  });
  assert.deepEqual(change.config, { source: "local_settings", path: "/p/.claude/settings.local.json" });
});

test("a payload without an event name is judged by its registration, else as the most it can be", () => {
  assert.equal(decode({ tool_name: "Bash" }, {}, [], "PostToolUse").hostEvent, "PostToolUse");
  assert.equal(decode({ tool_name: "Bash", hook_event_name: 5 }, {}, []).hostEvent, "PreToolUse");
  assert.equal(decode({ tool_name: "Bash", tool_response: "" }, {}, []).hostEvent, "PostToolUse");
  assert.equal(decode({ tool_name: "Bash", error: "" }, {}, []).hostEvent, "PostToolUseFailure");
  assert.equal(decode({ prompt: "x" }, {}, []).hostEvent, "UserPromptSubmit");
  assert.equal(decode({}, {}, []).kind, "other");
});

test("without a cwd the project's folder is used", () => {
  assert.equal(decode({ cwd: 3 }, { CLAUDE_PROJECT_DIR: "/p" }, []).cwd, "/p");
});

test("no payload makes it throw, and kinds stay in their lists", () => {
  const field = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }));
  const keys = [
    "tool_input",
    "tool_response",
    "tool_result",
    "error",
    "mcp_server",
    "prompt",
    "source",
    "cwd",
    "agent_id",
  ];
  const payloads = fc.record(
    {
      hook_event_name: fc.oneof(fc.constantFrom(...hostEvents), field),
      tool_name: fc.oneof(fc.constantFrom("Bash", "Edit", "MultiEdit", "Agent", "Monitor", "mcp__a__b", "Read"), field),
      ...Object.fromEntries(keys.map((key) => [key, field])),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(payloads, (payload) => {
      const event = decode(payload as JsonObject, {}, []);
      assert.ok(eventKinds.includes(event.kind));
      if (event.tool) assert.ok(toolKinds.includes(event.tool.kind));
    }),
    { numRuns: 2_000 },
  );
});
