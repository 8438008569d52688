// 64 real hook processes at once on one project, mixed events: each answers, each is recorded once, the chain is whole.
// Called from burst.test.ts, so that no two bursts compete for the processors.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { test as Test } from "node:test";
import { openStore, verify } from "../../src/store/index.js";

const command = join(process.cwd(), "dist/interlock.cjs");

function project() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "interlock-hooks-")));
  const repository = join(root, "repo");
  mkdirSync(join(root, "home"), { recursive: true });
  execFileSync("git", ["init", "-q", repository]);
  writeFileSync(join(repository, "a.txt"), "a\n");
  const env = { PATH: process.env["PATH"], HOME: join(root, "home"), INTERLOCK_HOME: join(root, "state") };
  return { root, repository, env };
}

const kinds: ((n: number, cwd: string) => object)[] = [
  (n, cwd) => ({
    hook_event_name: "PreToolUse",
    tool_name: "Read",
    tool_input: { file_path: join(cwd, "a.txt") },
    tool_use_id: `toolu_${n}`,
  }),
  (n, cwd) => ({
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: join(cwd, "a.txt") },
    tool_response: "a",
    tool_use_id: `toolu_${n}`,
  }),
  (n) => ({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: `echo ${n}` },
    tool_use_id: `toolu_${n}`,
  }),
  (n) => ({ hook_event_name: "UserPromptSubmit", prompt: `do ${n}` }),
  (_, cwd) => ({
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    tool_input: { file_path: join(cwd, ".claude/settings.json"), content: "{}" },
  }),
];

function hook(place: ReturnType<typeof project>, n: number): Promise<string> {
  const event = {
    session_id: `s${n}`,
    cwd: place.repository,
    transcript_path: "/nowhere",
    ...kinds[n % kinds.length]!(n, place.repository),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, "hook", "claude-code"], { env: place.env, cwd: place.repository });
    let out = "";
    let err = "";
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`hook ${n}: ${code} ${err}`))));
    child.stdin.end(JSON.stringify(event));
  });
}

async function burst(place: ReturnType<typeof project>, count: number) {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => hook(place, n)));
  for (const [n, answer] of answers.entries()) {
    assert.doesNotThrow(() => JSON.parse(answer), `hook ${n} answered ${answer}`);
    assert.ok(!/could not write its record/.test(answer), answer);
    if (n % kinds.length === 4) assert.match(answer, /"deny"/, `hook ${n} let a protected file through`);
  }
  const [id] = readdirSync(join(place.env.INTERLOCK_HOME, "projects"));
  const where = { home: place.env.INTERLOCK_HOME, id: id! };
  const records = [...openStore(where).records()];
  const events = records.filter((one) => one.type === "event");
  assert.deepEqual(
    events.map((one) => one.session).sort(),
    answers.map((_, n) => `s${n}`).sort(),
    "an event was lost or came twice",
  );
  assert.equal(new Set(records.map((one) => one.seq)).size, records.length);
  const report = verify(where);
  assert.equal(report.verdict, "intact", report.findings.map((one) => one.what).join(" "));
  return where;
}

export function hookBursts(test: typeof Test): void {
  test("64 hooks at once on a project never seen before", async () => {
    const place = project();
    await burst(place, 64);
    rmSync(place.root, { recursive: true });
  });

  test("32 hooks at once with a dead process's lock lying there", async () => {
    const place = project();
    await hook(place, 0);
    const [id] = readdirSync(join(place.env.INTERLOCK_HOME, "projects"));
    const folder = join(place.env.INTERLOCK_HOME, "projects", id!);
    rmSync(folder, { recursive: true });
    rmSync(join(place.env.INTERLOCK_HOME, "marks"), { recursive: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "lock"),
      `${JSON.stringify({ pid: 1, start: "1", boot: "0", host: "gone", nonce: "00112233445566aa" })}\n`,
    );
    execFileSync("touch", ["-d", "2 hours ago", join(folder, "lock")]);
    await burst(place, 32);
    rmSync(place.root, { recursive: true });
  });
}
