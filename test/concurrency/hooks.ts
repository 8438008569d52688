// 64 real hook processes at once on one project: every answered event is recorded once and the chain holds, also with a
// stale lock. Called from burst.test.ts: two bursts at the same time would only measure each other.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { test as Test, TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { limits } from "../../src/model/limits.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { verify } from "../../src/store/verify/verify.js";

const script = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));
const processes = 64;

function place(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "interlock-many-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  for (const part of ["refs", "objects"]) mkdirSync(join(root, ".git", part), { recursive: true });
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  return { root, home: join(folder, "interlock") };
}

function payloadOf(i: number, root: string): { event: string; payload: object; refused: boolean } {
  const call = (tool: string, input: object) => ({ tool_name: tool, tool_input: input, tool_use_id: `toolu_${i}` });
  const rows: [string, object, boolean][] = [
    ["PreToolUse", call("Write", { file_path: join(root, `src/${i}.ts`), content: "x" }), false],
    ["PreToolUse", call("Write", { file_path: join(root, ".claude/settings.json"), content: "{}" }), true],
    ["PreToolUse", call("Bash", { command: `echo ${i} | tee out-${i}.log` }), false],
    ["PostToolUse", { ...call("Read", { file_path: "a" }), tool_response: { type: "text" } }, false],
    ["PostToolUseFailure", { ...call("Bash", { command: "false" }), error: "Exit code 1", is_interrupt: false }, false],
    ["UserPromptSubmit", { prompt: `task ${i}` }, false],
    ["Stop", { stop_hook_active: false, last_assistant_message: "done" }, false],
  ];
  const [event, payload, refused] = rows[i % rows.length]!;
  return { event, payload: { session_id: `s${i % 5}`, cwd: root, hook_event_name: event, ...payload }, refused };
}

function run(i: number, root: string, home: string): Promise<{ i: number; answer: string; ms: number }> {
  const { event, payload } = payloadOf(i, root);
  const start = performance.now();
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, "hook", "claude-code", "--event", event, "--home", home], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: join(home, "..") },
    });
    let answer = "";
    child.stdout.on("data", (chunk) => (answer += chunk));
    child.on("error", fail);
    child.on("close", (code) =>
      code === 0
        ? done({ i, answer, ms: performance.now() - start })
        : fail(new Error(`process ${i} ended with ${code}`)),
    );
    child.stdin.end(JSON.stringify(payload));
  });
}

async function burst(root: string, home: string): Promise<void> {
  const answers = await Promise.all(Array.from({ length: processes }, (_, i) => run(i, root, home)));
  for (const { i, answer, ms } of answers) {
    // On a machine so busy that a hook does not end in time, its call is refused, and for no other reason.
    const late = answer.includes("BLOCKED interlock/timeout");
    if (late) assert.ok(ms >= limits.host - limits.margin, `${i} was refused after ${ms} ms: ${answer}`);
    else assert.equal(/"permissionDecision":"deny"/.test(answer), payloadOf(i, root).refused, `${i}: ${answer}`);
    assert.doesNotMatch(answer, /could not write its record/, `${i}`);
  }
}

export function hookBursts(test: typeof Test): void {
  test("64 hook processes at once: no event is lost or recorded twice, the chain is valid", async (t) => {
    const { root, home } = place(t);
    await burst(root, home);
    const where = { home, id: identify(root).id };
    const numbers = [...openStore(where).records()].map((r) => r.seq);
    assert.deepEqual(
      numbers,
      Array.from({ length: processes }, (_, i) => i + 1),
    );
    assert.equal(verify(where).verdict, "intact");
  });

  test("64 hook processes at once find a stale lock: no event is lost or recorded twice", async (t) => {
    const { root, home } = place(t);
    await run(0, root, home);
    const where = { home, id: identify(root).id };
    const folder = join(home, "projects", where.id);
    assert.ok(readdirSync(folder).length > 0);
    writeFileSync(
      join(folder, "lock"),
      JSON.stringify({ pid: 999_999_999, start: "1", boot: "gone", host: "elsewhere", nonce: "00" }),
    );
    writeFileSync(join(folder, "lock"), "not a lock at all");
    await burst(root, home);
    // A PostToolUse whose call never passed is recorded as forged.
    const events = [...openStore(where).records()].filter((r) => r.type === "event" || r.type === "forged-event");
    assert.equal(events.length, processes + 1);
    assert.equal(new Set([...openStore(where).records()].map((r) => r.seq)).size, processes + 1);
    assert.notEqual(verify(where).verdict, "tampered");
  });
}
