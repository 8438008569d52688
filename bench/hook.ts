// The command hook against a bare `node -e 0`, side by side: with the resident server, as it is registered, and without one; the size of what a hook call
// can load; and which files one event loads. Limits (issue 1), with the server: 1.3 without a shell command, 1.6 with one; 400 KB. Exits 1 when one is passed.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { type Contender, cleanEnv, sideBySide } from "./measure.js";
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
const limitOf = (name: string): number => (name.includes("Bash") ? 1.6 : 1.3);

try {
  const rows = sideBySide(
    [{ name: "node -e 0", command: process.execPath, args: ["-e", "0"] }, ...served, ...single],
    rounds,
  );
  console.log("| | median ms | p99 ms | ratio | ratio when quiet | limit |\n|---|---|---|---|---|---|");
  for (const r of rows) {
    const figures = [r.medianMs.toFixed(1), r.p99Ms.toFixed(1), r.ratio.toFixed(2), r.quietRatio.toFixed(2)];
    const limit = r.name.includes("served") ? limitOf(r.name) : "";
    console.log(`| ${r.name} | ${figures.join(" | ")} | ${limit} |`);
  }
  const size = sizeOf(readdirSync(dist).filter((f) => /\.c?js$/.test(f)));
  const hookSize = sizeOf(hookFiles());
  console.log(
    `\nload ${loadavg()[0]!.toFixed(1)}; all of dist: ${size} KB; what hook calls without a server load: ${hookSize} KB`,
  );
  const failed = rows.filter((r) => r.name.includes("served") && r.ratio > limitOf(r.name));
  for (const r of failed) console.log(`over its limit: ${r.name}`);
  if (failed.length || hookSize > 400) process.exitCode = 1;
} finally {
  await server.end();
}

/** In KB. */
function sizeOf(files: readonly string[]): number {
  return Math.round(files.reduce((sum, f) => sum + statSync(join(dist, f)).size, 0) / 1024);
}

/** The files of dist that these hook calls load: each is started in a home of its own, where it leaves the code it loaded. */
function hookFiles(): string[] {
  const loaded = new Set(["interlock.cjs"]);
  for (const { args, input } of single) {
    const own = mkdtempSync(join(server.base, "home-"));
    // The first call also makes the configuration; what the second loads is what every call loads.
    for (let i = 0; i < 2; i++) {
      rmSync(join(own, "cache"), { recursive: true, force: true });
      spawnSync(process.execPath, [...args.slice(0, -1), own], { input, env, cwd: root });
    }
    for (const file of readdirSync(join(own, "cache"))) loaded.add(file.replace(/^\w+-\w+-\w+-v[\d.]+-[\w.]+-/, ""));
  }
  return [...loaded];
}
