// Hostile input: no crash, no hang, always one valid answer, never a pass on a protected target.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { engineOf, open, packsFor } from "../../src/hook/open-project.js";
import { handleCall } from "../../src/hook/pipeline.js";
import { decode } from "../../src/hosts/claude-code/protocol/decode.js";
import { encode } from "../../src/hosts/claude-code/protocol/encode.js";
import { parsePayload } from "../../src/hosts/claude-code/protocol/payload.js";
import { processorTime } from "../../src/testing/processor-time.js";
import { hostile, mutate, random, recorded } from "./hostile.js";

const nightly = Boolean(process.env["INTERLOCK_NIGHTLY"]);
const folder = mkdtempSync(join(tmpdir(), "interlock-fuzz-"));
const root = join(folder, "project");
mkdirSync(join(root, ".git"), { recursive: true });
const env = { HOME: join(folder, "home"), INTERLOCK_HOME: join(folder, "interlock"), PATH: process.env["PATH"] };
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Exactly one JSON object, and never a grant. */
function valid(text: string, from: Buffer): Record<string, unknown> {
  const parsed: unknown = JSON.parse(text);
  assert.ok(parsed !== null && typeof parsed === "object" && !Array.isArray(parsed), text);
  assert.doesNotMatch(
    text,
    /"permissionDecision":"allow"|"decision":"approve"|"continue":false/,
    from.toString("utf8", 0, 400),
  );
  return parsed as Record<string, unknown>;
}

const refused = (answer: Record<string, unknown>) =>
  (answer["hookSpecificOutput"] as Record<string, unknown> | undefined)?.["permissionDecision"] === "deny";

test("hostile payloads are judged without a fault or a hang", async () => {
  const count = nightly ? 1_000_000 : 10_000;
  const r = random(20261115);
  const payloads = recorded(root);
  const opened = await open(root, { env });
  const engine = engineOf(opened, await packsFor(opened));
  let judged = 0;
  let total = 0;
  let slowest: { cost: number; batch: readonly Buffer[] } = { cost: 0, batch: [] };
  const judgeOne = async (bytes: Buffer) => {
    const parsed = parsePayload(bytes);
    if (!parsed.ok) return assert.ok(parsed.reason.length > 0);
    const event = decode(parsed.payload, {}, []);
    // A payload that points outside the prepared project is judged by that project's engine all the same.
    const { verdict } = await engine.explain(event);
    valid(encode(verdict, event.hostEvent), bytes);
    judged++;
  };
  // Asking for the processor time has its price: once for many payloads.
  for (let done = 0; done < count; done += 25) {
    const batch = Array.from({ length: 25 }, () => hostile(r, payloads));
    const start = process.cpuUsage();
    for (const bytes of batch) await judgeOne(bytes);
    const { user, system } = process.cpuUsage(start);
    const cost = user + system;
    total += cost;
    if (cost > slowest.cost) slowest = { cost, batch };
  }
  assert.ok(judged > count / 2, `${judged} of ${count} could be judged`);
  let worst = 0;
  for (const bytes of slowest.batch) worst = Math.max(worst, await processorTime(() => judgeOne(bytes)));
  assert.ok(worst < total / 20, `one payload took ${worst} µs of ${total} µs`);
});

test("the hook answers hostile payloads and records what it can", async () => {
  const r = random(7);
  const payloads = recorded(root);
  for (let i = 0; i < (nightly ? 20_000 : 500); i++) {
    const bytes = hostile(r, payloads);
    const { text } = await handleCall({ bytes, env, registered: "PreToolUse" });
    valid(text, bytes);
  }
});

test("a write to a protected place is always refused, whatever surrounds it", async () => {
  const r = random(99);
  const targets = [
    `${root}/.claude/settings.json`,
    `${root}/src/../.claude/settings.local.json`,
    `${root}/.CLAUDE/Settings.json`,
    `${root}/.git/hooks/pre-commit`,
    `${root}/.mcp.json`,
    join(folder, "interlock", "key"),
    join(folder, "home", ".bashrc"),
  ];
  const [, write, edit] = recorded(root) as Record<string, { file_path?: string; content?: string }>[];
  for (let i = 0; i < (nightly ? 20_000 : 700); i++) {
    const payload = structuredClone(r() < 0.5 ? write! : edit!) as Record<string, unknown> & {
      tool_input: Record<string, unknown>;
    };
    const noise = mutate(r, {
      tool_input: {},
      extra: { a: [1] },
      permission_mode: "default",
      effort: {},
      agent_id: "a",
      agent_type: "b",
    }) as Record<string, unknown>;
    const bytes = Buffer.from(
      JSON.stringify({
        ...noise,
        ...payload,
        tool_input: { ...(mutate(r, payload.tool_input) as object), file_path: targets[i % targets.length] },
      }),
    );
    const { text } = await handleCall({ bytes, env, registered: "PreToolUse" });
    assert.ok(refused(valid(text, bytes)), `${bytes.toString("utf8", 0, 600)}\n-> ${text}`);
  }
});

test("the built program answers huge, deeply nested and very long payloads", async () => {
  const script = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));
  const pre = { session_id: "s", cwd: root, hook_event_name: "PreToolUse", tool_name: "Write" };
  const manyKeys = Array.from({ length: 400_000 }, (_, i) => `"k${i}":1`).join(",");
  const rows: [string, string, boolean][] = [
    [
      "7 MB of content",
      JSON.stringify({ ...pre, tool_input: { file_path: `${root}/a.txt`, content: "x".repeat(7_000_000) } }),
      false,
    ],
    [
      "more than 8 MB",
      JSON.stringify({ ...pre, tool_input: { file_path: `${root}/a.txt`, content: "x".repeat(9_000_000) } }),
      true,
    ],
    [
      "7 MB aimed at the settings",
      JSON.stringify({
        ...pre,
        tool_input: { file_path: `${root}/.claude/settings.json`, content: "x".repeat(7_000_000) },
      }),
      true,
    ],
    ["5,000,000 open brackets", "[".repeat(5_000_000), true],
    [
      "a deep object",
      `{"hook_event_name":"PreToolUse","tool_input":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
      true,
    ],
    ["400,000 keys", `{"hook_event_name":"PreToolUse","tool_input":{${manyKeys}}}`, true],
    ["nothing", "", true],
    ["NUL bytes", "\0".repeat(100_000), true],
  ];
  for (const [name, input, denied] of rows) {
    const { stdout, status } = spawnSync(process.execPath, [script, "hook", "claude-code", "--event", "PreToolUse"], {
      input,
      env,
      encoding: "utf8",
      timeout: 60_000,
      maxBuffer: 1 << 24,
    });
    assert.equal(status, 0, name);
    assert.equal(refused(valid(stdout, Buffer.from(name))), denied, `${name}: ${stdout.slice(0, 300)}`);
  }
});
