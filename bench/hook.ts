// The command hook against a bare `node -e 0`, side by side; the size of what a hook call can load; and which files one event loads.
// Limits (issue 1): 1.3 without a shell command, 1.6 with one, 400 KB. Exits 1 when one is passed.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Contender, cleanEnv, sideBySide } from "./measure.js";

const rounds = Number(process.argv[2] ?? 40);
const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const script = join(dist, "interlock.cjs");
const folder = mkdtempSync(join(tmpdir(), "interlock-bench-"));
const root = join(folder, "project");
const home = join(folder, "interlock");
mkdirSync(join(root, ".git", "refs"), { recursive: true });
mkdirSync(join(root, ".git", "objects"));

const payload = (event: string, more: object) =>
  JSON.stringify({
    session_id: "bench",
    transcript_path: "/nowhere/t.jsonl",
    cwd: root,
    prompt_id: "p",
    permission_mode: "default",
    hook_event_name: event,
    ...more,
  });
const text = "const a = 1;\n".repeat(120);
const call = (tool: string, input: object) => ({ tool_name: tool, tool_input: input, tool_use_id: "toolu_1" });
const hook = (name: string, input: string): Contender => ({
  name,
  command: process.execPath,
  args: [script, "hook", "claude-code", "--event", "PreToolUse", "--home", home],
  input,
  env: cleanEnv(),
  cwd: root,
});
const contenders: Contender[] = [
  { name: "node -e 0", command: process.execPath, args: ["-e", "0"] },
  hook("hook: Write, 2 KB", payload("PreToolUse", call("Write", { file_path: join(root, "src/a.ts"), content: text }))),
  hook("hook: Read", payload("PreToolUse", call("Read", { file_path: join(root, "src/a.ts") }))),
  hook(
    "hook: Bash",
    payload(
      "PreToolUse",
      call("Bash", { command: "npm test 2>&1 | tail -20 && git status --short", description: "test" }),
    ),
  ),
];

try {
  const rows = sideBySide(contenders, rounds);
  console.log("| | median ms | p99 ms | ratio | ratio when quiet |\n|---|---|---|---|---|");
  for (const r of rows)
    console.log(
      `| ${r.name} | ${r.medianMs.toFixed(1)} | ${r.p99Ms.toFixed(1)} | ${r.ratio.toFixed(2)} | ${r.quietRatio.toFixed(2)} |`,
    );
  const size = readdirSync(dist)
    .filter((f) => /\.c?js$/.test(f))
    .reduce((sum, f) => sum + statSync(join(dist, f)).size, 0);
  const hookSize = hookFiles().reduce((sum, f) => sum + statSync(join(dist, f)).size, 0);
  console.log(
    `\nall of dist: ${Math.round(size / 1024)} KB; what the hook calls above load: ${Math.round(hookSize / 1024)} KB`,
  );
  const failed = rows.slice(1).filter((r) => r.ratio > (r.name.includes("Bash") ? 1.6 : 1.3));
  for (const r of failed) console.log(`over its limit: ${r.name}`);
  if (failed.length || hookSize > 400 * 1024) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The files of dist that these hook calls load: each is started in a home of its own, where it leaves the code it loaded. */
function hookFiles(): string[] {
  const loaded = new Set(["interlock.cjs"]);
  for (const { args, input } of contenders.slice(1)) {
    const own = mkdtempSync(join(folder, "home-"));
    // The first call also makes the configuration; what the second loads is what every call loads.
    for (let i = 0; i < 2; i++) {
      rmSync(join(own, "cache"), { recursive: true, force: true });
      spawnSync(process.execPath, [...args.slice(0, -1), own], { input, env: cleanEnv(), cwd: root });
    }
    for (const file of readdirSync(join(own, "cache"))) loaded.add(file.replace(/^\w+-\w+-\w+-v[\d.]+-/, ""));
  }
  return [...loaded];
}
