// The command hook against a bare `node -e 0`, side by side, with a server and without one. Limits with a server: 1.3,
// and 1.6 for a shell command; without one: 2.2. Exits 1 when one is passed.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { type Contender, cleanEnv, printRows, sideBySide } from "./measure.js";
import { resident, script } from "./resident.js";

const rounds = Number(process.argv[2] ?? 40);
const dist = join(script, "..");
const server = await resident();
const root = server.projects[0]!;
/** A home that never had a server. */
const alone = join(server.base, "alone");
mkdirSync(alone);

const payload = (tool: string, input: object) =>
  JSON.stringify({
    session_id: "bench",
    transcript_path: "/nowhere/t.jsonl",
    cwd: root,
    prompt_id: "p",
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_1",
  });
const env = cleanEnv({ HOME: server.base, CLAUDE_PROJECT_DIR: root });
const hook = (name: string, home: string, input: string): Contender => ({
  name,
  command: process.execPath,
  args: [script, "hook", "claude-code", "--event", "PreToolUse", "--home", home],
  input,
  env,
  cwd: root,
});
const events: [string, string][] = [
  ["Write, 2 KB", payload("Write", { file_path: join(root, "src/a.ts"), content: "const a = 1;\n".repeat(120) })],
  ["Read", payload("Read", { file_path: join(root, "src/a.ts") })],
  ["Bash", payload("Bash", { command: "npm test 2>&1 | tail -20 && git status --short", description: "test" })],
];
const served = events.map(([name, input]) => hook(`hook, served: ${name}`, server.home, input));
const single = events.map(([name, input]) => hook(`hook, no server: ${name}`, alone, input));
function limitOf(name: string): number | undefined {
  if (name.includes("no server")) return 2.2;
  if (name.includes("served")) return name.includes("Bash") ? 1.6 : 1.3;
  return undefined;
}

try {
  const rows = sideBySide(
    [{ name: "node -e 0", command: process.execPath, args: ["-e", "0"] }, ...served, ...single],
    rounds,
  );
  printRows(rows, limitOf);
  console.log(`\nload ${loadavg()[0]!.toFixed(1)}; dist/hook.cjs: ${kilobytes(join(dist, "hook.cjs"))} KB`);
  for (const name of readdirSync(join(alone, "cache")))
    console.log(`code cache ${name.split("-").slice(4).join("-")}: ${kilobytes(join(alone, "cache", name))} KB`);
  const failed = rows.filter((r) => r.ratio > (limitOf(r.name) ?? Number.POSITIVE_INFINITY));
  for (const r of failed) console.log(`over its limit: ${r.name}`);
  if (failed.length) process.exitCode = 1;
} finally {
  await server.end();
}

function kilobytes(file: string): number {
  return Math.round(statSync(file).size / 1024);
}
