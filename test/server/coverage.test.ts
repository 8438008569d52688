// The coverage figure on constructed sessions: calls with hooks off, by a sub-agent without hooks, through MCP are each
// listed, without a false alarm.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { coverage } from "../../src/health/coverage.js";
import { open } from "../../src/hook/open-project.js";
import { handleCall } from "../../src/hook/pipeline.js";
import { transcriptFolder } from "../../src/hosts/claude-code/protocol/transcript.js";
import { type Place, place } from "./server.js";

/** What the client writes down for a call that it turned away. */
const results: Record<string, string> = {
  "turned away": "<tool_use_error>InputValidationError: no</tool_use_error>",
  "failed closed":
    'PreToolUse:Bash hook error: [http://127.0.0.1:1/hook]: failed; blocking because onFailure is "block"' +
    "\nconnect ECONNREFUSED",
  "refused by the user": "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  "refused by a rule": "Permission to use Bash with command rm -rf x has been denied.",
};

let calls = 0;
let clock = Date.now() + 60_000;

/** A session as the client writes it down; `hooked` calls also reach Interlock, as they would through the hooks. */
class Session {
  readonly file: string;
  /** Where it began; undefined: its transcript does not say. */
  readonly cwd: string | undefined;
  constructor(
    private readonly at: Place,
    readonly id: string,
    private readonly agent?: string,
    more: { cwd?: string; folder?: string; below?: string } = {},
  ) {
    this.cwd = more.cwd;
    const folder = more.folder ?? transcriptFolder(more.cwd ?? at.project, join(at.base, ".claude"));
    const below = join(folder, id, "subagents", more.below ?? "");
    this.file = agent ? join(below, `agent-${agent}.jsonl`) : join(folder, `${id}.jsonl`);
    mkdirSync(dirname(this.file), { recursive: true });
    this.line({ type: "summary", summary: "what went before" });
  }

  text(): string {
    return readFileSync(this.file, "utf8");
  }

  line(value: object | string): void {
    appendFileSync(this.file, `${typeof value === "string" ? value : JSON.stringify(value)}\n`);
  }

  say(type: "assistant" | "user", content: object[]): void {
    const who = { sessionId: this.id, ...(this.agent ? { agentId: this.agent, isSidechain: true } : {}) };
    this.line({
      type,
      ...who,
      ...(this.cwd && { cwd: this.cwd }),
      uuid: `u-${++calls}`,
      timestamp: new Date((clock += 10)).toISOString(),
      message: { role: type, content },
    });
  }

  async call(tool: string, hooked: boolean, result = "ok"): Promise<string> {
    const id = `toolu_${++calls}`;
    this.say("assistant", [
      { type: "text", text: 'I will use "tool_use" now' },
      { type: "tool_use", id, name: tool, input: { file_path: join(this.at.project, "a.ts") } },
    ]);
    if (hooked) await this.hook("PreToolUse", { tool_name: tool, tool_input: {}, tool_use_id: id });
    const text = results[result] ?? (["ok", "failed"].includes(result) ? "fine" : result);
    if (result !== "open")
      this.say("user", [
        {
          type: "tool_result",
          tool_use_id: id,
          is_error: result !== "ok",
          content: calls % 2 ? text : [{ type: "text", text }],
        },
      ]);
    return id;
  }

  hook(event: string, more: object) {
    const payload = {
      session_id: this.id,
      transcript_path: this.file,
      cwd: this.cwd ?? this.at.project,
      hook_event_name: event,
      ...(this.agent ? { agent_id: this.agent } : {}),
      ...more,
    };
    const env = { ...this.at.env, CLAUDE_PROJECT_DIR: this.cwd ?? this.at.project };
    return handleCall({ bytes: Buffer.from(JSON.stringify(payload)), env, registered: event, home: this.at.home });
  }
}

const coverageOf = async (at: Place) => coverage(await open(at.project, { env: at.env, home: at.home }));

test("calls without a record are listed, recorded calls are not", async (t) => {
  const at = place(t);
  const main = new Session(at, "session-main");
  await main.hook("SessionStart", { source: "startup" });
  for (const tool of ["Bash", "Write", "Read", "mcp__notes__write_note"]) await main.call(tool, true);
  const wanted = [await main.call("mcp__notes__write_note", false)];
  const governed = new Session(at, "session-main", "a1");
  await governed.call("Bash", true);
  const free = new Session(at, "session-main", "a2");
  wanted.push(await free.call("Write", false), await free.call("Bash", false, "failed"));
  const off = new Session(at, "session-off");
  wanted.push(await off.call("Bash", false), await off.call("Edit", false));
  const { calls: all, governed: known, missing } = await coverageOf(at);
  assert.deepEqual(missing.map((call) => call.id).sort(), wanted.sort());
  assert.equal(known, 5);
  assert.equal(all, 10);
  assert.deepEqual(missing.filter((call) => call.agent === "a2").length, 2);

  const status = at.interlock("status");
  assert.match(status.stdout, /5 of 10 calls governed/);
  assert.match(status.stdout, /no record: Bash toolu_\d+ in session session-/);
  const verify = at.interlock("verify", "--json");
  assert.equal(verify.status, 1);
  assert.equal(JSON.parse(verify.stdout).completeness.transcripts.missing.length, wanted.length);
});

test("a hundred clean sessions raise no false alarm", async (t) => {
  const at = place(t);
  const before = new Session(at, "session-before");
  clock = Date.now() - 86_400_000;
  await before.call("Bash", false);
  clock = Date.now() + 60_000;
  let ran = 0;
  for (let i = 0; i < 100; i++) {
    const session = new Session(at, `session-${i}`);
    await session.hook("SessionStart", { source: "startup" });
    await session.hook("UserPromptSubmit", { prompt: "go", prompt_id: `p-${i}` });
    session.say("user", [{ type: "text", text: 'please call "tool_use" toolu_none' }]);
    await session.call("Bash", true);
    await session.call("Read", true, "failed");
    await session.call("NoSuchTool", false, "turned away");
    await session.call("Edit", false, "turned away");
    await session.call("Bash", true, "open");
    await session.call("Bash", false, "open");
    ran += 2;
    if (i % 3 === 0) {
      const sub = new Session(at, `session-${i}`, `agent-${i}`);
      await sub.call("mcp__notes__read_notes", true);
      ran++;
    }
    if (i % 5 === 0) writeFileSync(join(dirname(session.file), `session-${i}-resumed.jsonl`), session.text());
    session.line("not JSON at all");
    session.line({ type: "system", subtype: "compact_boundary", content: "tool_use" });
    session.line({ type: "assistant", message: { content: "tool_use as text" } });
    appendFileSync(session.file, '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_torn","na');
  }
  const found = await coverageOf(at);
  assert.deepEqual(found.missing, []);
  assert.equal(found.calls, ran);
  assert.equal(found.governed, ran);
  const verify = at.interlock("verify");
  assert.equal(verify.status, 0, verify.stdout);
  assert.match(verify.stdout, new RegExp(`${ran} of ${ran} calls governed`));
});

const missingIn = async (at: Place) => (await coverageOf(at)).missing.map((call) => call.id).sort();

test("refused calls are no gap, even while the server is down", async (t) => {
  const at = place(t);
  const session = new Session(at, "session-1", undefined, { cwd: at.project });
  await session.call("Bash", true);
  for (const how of Object.keys(results)) await session.call("Bash", false, how);
  const ran = await session.call(
    "Bash",
    false,
    "it printed: The user doesn't want to proceed, PreToolUse:Bash hook error",
  );
  assert.deepEqual(await missingIn(at), [ran]);
});

test("exactly the calls made while hooks were off are listed", async (t) => {
  const at = place(t);
  const session = new Session(at, "session-1", undefined, { cwd: at.project });
  for (let i = 0; i < 3; i++) await session.call("Read", true);
  const gap = [await session.call("Read", false), await session.call("Write", false)];
  const both = ["toolu_left", "toolu_right"];
  session.say(
    "assistant",
    both.map((id) => ({ type: "tool_use", id, name: "Bash", input: {} })),
  );
  await session.hook("PreToolUse", { tool_name: "Bash", tool_input: {}, tool_use_id: both[0] });
  session.say(
    "user",
    both.map((id) => ({ type: "tool_result", tool_use_id: id, content: "fine" })),
  );
  await session.call("Read", true);
  assert.deepEqual(await missingIn(at), [...gap, both[1]!].sort());
});

test("sessions started in a subfolder, another work tree or by a sub-agent count", async (t) => {
  const at = place(t);
  await new Session(at, "session-1", undefined, { cwd: at.project }).call("Read", true);
  const below = join(at.project, "packages/a");
  mkdirSync(below, { recursive: true });
  const tree = join(at.base, "elsewhere");
  at.run("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first"]);
  assert.equal(at.run("git", ["worktree", "add", "-q", tree]).status, 0);
  const wanted = [
    await new Session(at, "session-2", undefined, { cwd: below }).call("Bash", false),
    await new Session(at, "session-3", undefined, { cwd: tree }).call("Bash", false),
    await new Session(at, "session-1", "w1", { cwd: at.project, below: "workflows/7" }).call("Bash", false),
  ];
  assert.deepEqual(await missingIn(at), wanted.sort());
});

test("sessions of other projects with the same folder name do not count", async (t) => {
  const at = place(t);
  const mine = new Session(at, "session-1", undefined, { cwd: at.project });
  await mine.call("Read", true);
  // "/x/project-b" and "/x/project/b" are one name to the client.
  const sibling = `${at.project}-b`;
  const nested = join(at.project, "b");
  for (const folder of [sibling, nested]) {
    mkdirSync(folder);
    at.run("git", ["init", "-q", folder]);
    await new Session(at, `of-${folder.length}`, undefined, { cwd: folder }).call("Bash", false);
  }
  // A session of another project that once spoke of this one.
  const guest = new Session(at, "guest", undefined, { cwd: sibling });
  await guest.call("Bash", false);
  await handleCall({
    bytes: Buffer.from(
      JSON.stringify({ session_id: "guest", transcript_path: guest.file, cwd: at.project, hook_event_name: "Stop" }),
    ),
    env: { ...at.env, CLAUDE_PROJECT_DIR: at.project },
    registered: "Stop",
    home: at.home,
  });
  assert.deepEqual(await missingIn(at), []);
});

test("a line without a time gets the time of the line before; a transcript of 60 MB is read", async (t) => {
  const at = place(t);
  const session = new Session(at, "session-1", undefined, { cwd: at.project });
  await session.call("Read", true);
  const filler = JSON.stringify({ type: "user", message: { content: "x".repeat(1 << 20) } });
  for (let i = 0; i < 60; i++) session.line(filler);
  const timeless = (type: string, block: object) =>
    session.line({ type, sessionId: "session-1", message: { content: [block] } });
  timeless("assistant", { type: "tool_use", id: "toolu_timeless", name: "Bash", input: {} });
  timeless("user", { type: "tool_result", tool_use_id: "toolu_timeless", content: "fine" });
  assert.deepEqual(await missingIn(at), ["toolu_timeless"]);
});

test("a forked session repeats earlier calls: each call counts once", async (t) => {
  const at = place(t);
  const first = new Session(at, "session-1", undefined, { cwd: at.project });
  await first.call("Read", true);
  const lost = await first.call("Bash", false);
  const fork = first.text().replaceAll("session-1", "session-fork");
  writeFileSync(join(dirname(first.file), "session-fork.jsonl"), fork);
  const found = await coverageOf(at);
  assert.equal(found.calls, 2);
  assert.deepEqual(
    found.missing.map((call) => call.id),
    [lost],
  );
});
