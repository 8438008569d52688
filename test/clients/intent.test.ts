// Intents with the real Claude Code and the real MCP server: a write is refused, the agent selects an intent, the write
// passes and is traced; a second agent on the same file is stopped as stale.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readAddress } from "../../src/hook/server-address.js";
import { runClaude } from "../../src/live/claude.js";
import { callId, type ModelStep } from "../../src/live/model.js";
import { until } from "../../src/testing/until.js";
import { checkTrace, metadataKey, type TraceRecord } from "../../src/trace/trace-record.js";
import { type Installed, installed } from "./installed.js";
import { agent, bash, binary, call, needsClient, toldOf, type Workplace } from "./workplace.js";

const intents = `# ours
active_intents:
  - id: INT-001
    name: Refactor the auth middleware
    status: PENDING # waits
    owned_scope: [src/auth/**]
    constraints: [keep the public API]
    acceptance_criteria: [unit tests pass]
`;

const prepare = (place: Workplace) => {
  place.put(".orchestration/active_intents.yaml", intents);
  place.put("src/auth/login.ts", "export const a = 1;\nexport const b = 2;\nexport const c = 3;\n");
};

const server = (place: Installed) => ({
  interlock: { type: "stdio", command: process.execPath, args: [place.script, "mcp"] },
});

const own = (tool: string, input: Record<string, unknown>) => call(`mcp__interlock__${tool}`, input);

function traceOf(place: Installed): TraceRecord[] {
  const lines = (place.read(".orchestration/agent_trace.jsonl") ?? "").split("\n").filter(Boolean);
  return lines.map((line) => {
    const record = JSON.parse(line) as TraceRecord;
    assert.deepEqual(checkTrace(record), []);
    return record;
  });
}

const rangesOf = ({ files }: TraceRecord): string[] =>
  files.flatMap((f) => f.conversations.flatMap((c) => c.ranges.map((r) => `${f.path}:${r.start_line}-${r.end_line}`)));

test("refused, selected, written, traced", needsClient, async (t) => {
  const place = installed(t, "", { prepare });
  const write = (path: string) => call("Write", { file_path: place.path(path), content: "export const x = 1;\n" });
  const rows: [step: ModelStep, refused?: RegExp, told?: RegExp][] = [
    [
      write("src/auth/new.ts"),
      /intent\/gatekeeper[^]*MISSING_OR_INVALID_INTENT: You must cite a valid active Intent ID/,
    ],
    [bash("echo x > src/auth/new.ts"), /MISSING_OR_INVALID_INTENT/],
    [bash("git status"), undefined],
    [own("list_intents", {}), undefined, /"id": "INT-001"/],
    [own("select_active_intent", { intent_id: "INT-999" }), /There is no intent "INT-999"\. Available: INT-001/],
    [
      own("select_active_intent", { intent_id: "INT-001" }),
      undefined,
      /<intent_context>[^]*<path>src\/auth\/\*\*<\/path>/,
    ],
    [write("src/auth/new.ts")],
    [call("Read", { file_path: place.path("src/auth/login.ts") })],
    [
      call("Edit", {
        file_path: place.path("src/auth/login.ts"),
        old_string: "export const b = 2;",
        new_string: "export const b = 22;\nexport const bb = 222;",
      }),
    ],
    [write("src/other.ts"), /SCOPE_VIOLATION[^]*request_scope_expansion/],
    [bash("sed -i s/PENDING/COMPLETED/ .orchestration/active_intents.yaml"), /control file/],
    [own("request_scope_expansion", { intent_id: "INT-001", paths: ["src/other.ts"], reason: "imported" })],
    [bash("printf 'made\\n' > src/auth/shell.txt")],
    [own("complete_intent", { intent_id: "INT-001" }), /a person ticks the open criteria/],
    [own("record_lesson", { lesson: "login has three constants", files: ["src/auth/login.ts"] })],
    [own("interlock_status", {}), undefined, /"intent": "enforce"/],
  ];
  const run = await runClaude({
    binary,
    project: place.project,
    home: place.home,
    mode: "bypassPermissions",
    scripts: [{ marker: "intents", steps: [...rows.map(([step]) => step), { text: "done" }] }],
    mcpServers: server(place),
  });
  assert.equal(run.exitCode, 0, run.stderr);
  for (const [n, [step, refused, told]] of rows.entries()) {
    const answer = toldOf(run, callId("intents", n));
    assert.equal(answer.isError, refused !== undefined, `${JSON.stringify(step)}: ${answer.text}`);
    if (refused ?? told) assert.match(answer.text, (refused ?? told)!);
  }
  assert.match(place.read(".orchestration/active_intents.yaml")!, /^# ours\n[^]*status: IN_PROGRESS # waits/);
  assert.match(place.read(".orchestration/AGENT.md")!, /login has three constants/);
  assert.match(place.read(".orchestration/intent_map.md")!, /## INT-001: Refactor the auth middleware/);
  const records = traceOf(place);
  assert.deepEqual(records.flatMap(rangesOf), [
    "src/auth/new.ts:1-1",
    "src/auth/login.ts:2-3",
    "src/auth/shell.txt:1-1",
  ]);
  assert.deepEqual([...new Set(records.map((r) => r.metadata?.[metadataKey]?.intent_id))], ["INT-001"]);
  assert.ok(records.every((r) => r.files[0]!.conversations[0]!.contributor?.type === "ai"));
  assert.match(place.interlock("intent", "scope", "list").stdout, /sr-1 {2}open {2}INT-001 wants src\/other\.ts/);
});

test("two agents in parallel: the second to write is stopped as stale until it reads again", needsClient, async (t) => {
  const place = installed(t, "", { prepare, door: "http" });
  const file = place.path("src/auth/login.ts");
  const read = call("Read", { file_path: file });
  const edit = (from: string, to: string) => call("Edit", { file_path: file, old_string: from, new_string: to });
  const both: ModelStep = { calls: [...agent("do part-one").calls!, ...agent("do part-two").calls!] };
  const isEdited = () => place.read("src/auth/login.ts")!.includes("a = 11");
  let ended = false;
  const run = await runClaude({
    binary,
    project: place.project,
    home: place.home,
    mode: "bypassPermissions",
    scripts: [
      { marker: "parallel", steps: [own("select_active_intent", { intent_id: "INT-001" }), both, { text: "done" }] },
      { marker: "part-one", steps: [read, edit("a = 1;", "a = 11;"), { text: "done" }] },
      {
        marker: "part-two",
        steps: [
          read,
          bash("echo 'export const c = 0;' > src/auth/login.ts"),
          read,
          edit("c = 3;", "c = 33;"),
          { text: "done" },
        ],
      },
    ],
    // Both have read it before one writes, and that one has ended before the other tries.
    async between({ marker, step }) {
      if (marker === "part-one" && step === 2) ended = true;
      if (marker === "part-two" && step === 1) await until(() => ended && isEdited(), "the first agent's edit");
    },
    mcpServers: server(place),
    ports: [readAddress(join(place.home, ".local/state/interlock"))!.port],
  });
  assert.equal(run.exitCode, 0, run.stderr);
  const stale = toldOf(run, callId("part-two", 1));
  assert.match(stale.text, /intent\/stale-file[^]*STALE_FILE: it was changed since you read it/);
  assert.equal(stale.isError, true);
  assert.equal(place.read("src/auth/login.ts"), "export const a = 11;\nexport const b = 2;\nexport const c = 33;\n");
  assert.deepEqual(traceOf(place).flatMap(rangesOf), ["src/auth/login.ts:1-1", "src/auth/login.ts:3-3"]);
});
