// Bytes on disk for an event once its segment is closed: a project's whole folder after a day of ordinary events, its
// segments closed and compressed. Usage: disk.js [events]. Limit: 250 bytes an event. Exits 1 when it is passed.
// INTERLOCK_BENCH_COMMANDS names a file with one {"command"} a line: those are run instead of made-up ones.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { identify } from "../src/project/identify.js";
import { cleanEnv } from "./measure.js";
import { askServer, resident, script } from "./resident.js";

const events = Number(process.argv[2] ?? 6_000);
const limit = 250;
let lastId = "";
const calls: ((n: number) => object)[] = [
  (n) => ({ tool_name: "Read", tool_input: { file_path: join(root, `src/file-${n % 90}.ts`) } }),
  (n) => ({ tool_name: "Bash", tool_input: { command: `git diff src/file-${n % 90}.ts | head -${n % 50}` } }),
  (n) => ({ tool_name: "Grep", tool_input: { pattern: `total${n % 70}`, path: join(root, "src") } }),
  (n) => ({ tool_name: "Bash", tool_input: { command: `npm test -- totals-${n % 30}`, description: "run the tests" } }),
  (n) => ({
    tool_name: "Edit",
    tool_input: { file_path: join(root, `src/file-${n % 90}.ts`), old_string: `a = ${n}`, new_string: `a = ${n + 1}` },
  }),
];
const given = process.env["INTERLOCK_BENCH_COMMANDS"];
const real = given
  ? readFileSync(given, "utf8")
      .split("\n")
      .flatMap((line) => (line ? [String((JSON.parse(line) as { command?: string }).command ?? "")] : []))
  : [];
const server = await resident();
const root = server.projects[0]!;
try {
  for (let i = 0; i < events; i++) await askServer(server.door, eventOf(i));
  const folder = join(server.home, "projects", identify(root).id);
  const before = sizeOf(folder);
  const { status, stderr } = spawnSync(process.execPath, [script, "compact", "--close", "--home", server.home], {
    cwd: root,
    env: cleanEnv({ HOME: server.base }),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  // The reserve is there once, however many events there are.
  const rows = readdirSync(folder).map((name) => [name, sizeOf(join(folder, name)) / events] as const);
  const after = rows.reduce((sum, [name, size]) => (name === "reserve" ? sum : sum + size), 0);
  console.log(`| | bytes an event |\n|---|---|\n| before | ${(before / events).toFixed(0)} |`);
  for (const [name, size] of rows) console.log(`| after: ${name} | ${size.toFixed(0)} |`);
  console.log(`| after, without the reserve | ${after.toFixed(0)} (limit ${limit}) |`);
  if (after > limit) process.exitCode = 1;
} finally {
  await server.end();
}

function sizeOf(path: string): number {
  // The server may be about to end its last event: a lock goes while we look.
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Sessions of sixty events: a prompt, then calls and their ends. */
function eventOf(i: number): [string, string] {
  const k = i % 60;
  const session = `5f0c2a${String(Math.floor(i / 60)).padStart(2, "0")}-7d1e-4c55-9b1a-3f8e6d2c4b19`;
  const common = {
    session_id: session,
    transcript_path: join(server.base, ".claude/projects/p", `${session}.jsonl`),
    cwd: root,
    permission_mode: "default",
  };
  if (k === 0) return wrap("UserPromptSubmit", { ...common, prompt: `Fix the rounding in src/totals-${i % 17}.ts` });
  if (k === 59) return wrap("Stop", { ...common, stop_hook_active: false, last_assistant_message: "Done." });
  const made = calls[(i >> 1) % calls.length]!(i >> 1) as { tool_name: string };
  const command = real[(i >> 1) % real.length];
  const call = made.tool_name === "Bash" && command ? { ...made, tool_input: { command } } : made;
  const name = k % 2 ? "PreToolUse" : "PostToolUse";
  if (k % 2) lastId = `toolu_01${randomBytes(16).toString("base64url").slice(0, 22)}`;
  const end = { tool_response: { stdout: `ok ${i}\n`, stderr: "", interrupted: false } };
  return wrap(name, { ...common, ...call, tool_use_id: lastId, ...(k % 2 ? {} : end) });
}

function wrap(name: string, payload: object): [string, string] {
  return [name, JSON.stringify({ ...payload, hook_event_name: name })];
}
