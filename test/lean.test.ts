// What a command hook loads: of Node only what every event needs, of our own files none that the event has no use for, never more than 400 KB.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readPrompt } from "../src/facts/prompts/prompt.js";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const script = join(dist, "interlock.cjs");
const place = mkdtempSync(join(tmpdir(), "interlock-lean-"));
after(() => rmSync(place, { recursive: true, force: true }));
const project = join(place, "project");
mkdirSync(join(project, ".git", "objects"), { recursive: true });
mkdirSync(join(project, ".git", "refs"));
writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
const probe = join(place, "probe.cjs");
writeFileSync(
  probe,
  'process.on("exit",()=>require("fs").writeFileSync(process.env.LOADED,process.moduleLoadList.join("\\n")))',
);

/** Runs one event twice (the first also makes key, configuration and code cache); says what the second loaded. */
function loadedBy(event: string, more: object): { node: string[]; ours: string[] } {
  const home = mkdtempSync(join(place, "home-"));
  const list = join(home, "..", "loaded.txt");
  const payload = { session_id: "s", cwd: project, hook_event_name: event, ...more };
  for (let i = 0; i < 2; i++) {
    rmSync(join(home, "cache"), { recursive: true, force: true });
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["-r", probe, script, "hook", "claude-code", "--event", event, "--home", home],
      {
        input: JSON.stringify(payload),
        env: { PATH: process.env["PATH"], HOME: place, LOADED: list },
        encoding: "utf8",
      },
    );
    assert.doesNotThrow(() => JSON.parse(stdout), stderr);
  }
  const node = readFileSync(list, "utf8").split("\n");
  const ours = readdirSync(join(home, "cache")).map((file) => file.replace(/^\w+-\w+-\w+-v[\d.]+-[\w.]+-/, ""));
  return { node, ours };
}

const heavy = [
  "child_process",
  "http",
  "https",
  "net",
  "tls",
  "os",
  "readline",
  "worker_threads",
  "zlib",
  "dns",
  "url",
];
const loads = (node: string[]) => heavy.filter((name) => node.includes(`NativeModule ${name}`));
const bare = () =>
  spawnSync(process.execPath, ["-e", "console.log(process.moduleLoadList.join('\\n'))"], {
    encoding: "utf8",
  }).stdout.split("\n");

const call = (tool: string, input: object) => ({ tool_name: tool, tool_input: input, tool_use_id: "toolu_1" });
const file = join(project, "a.ts");
const command = "npm test 2>&1 | tail -20 && git status --short";

for (const [what, event, more, files] of [
  ["a read", "PreToolUse", call("Read", { file_path: file }), ["core.js", "places.js"]],
  ["a write", "PreToolUse", call("Write", { file_path: file, content: "const a = 1;\n" }), ["core.js", "places.js"]],
  ["a command", "PreToolUse", call("Bash", { command }), ["core.js", "git.js", "npm.js", "shell.js"]],
  ["a prompt", "UserPromptSubmit", { prompt: "please fix the login bug" }, ["after.js", "core.js", "prompt.js"]],
  ["a session's start", "SessionStart", { source: "startup" }, ["after.js", "core.js"]],
  ["a turn's end", "Stop", { last_assistant_message: "Done." }, ["after.js", "core.js"]],
] as const)
  test(`${what} loads ${files.join(", ")} and nothing heavy of Node`, () => {
    const { node, ours } = loadedBy(event, more);
    const already = loads(bare());
    assert.deepEqual(
      loads(node).filter((name) => !already.includes(name)),
      [],
    );
    assert.deepEqual(ours.sort(), [...files]);
    const sizes = ["interlock.cjs", ...ours].map((name) => ({ name, bytes: statSync(join(dist, name)).size }));
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(total <= 400 * 1024, `${total} bytes: ${sizes.map((s) => `${s.name} ${s.bytes}`).join(", ")}`);
  });

test("the built program reads a prompt in another script as the source does", () => {
  const home = mkdtempSync(join(place, "home-"));
  const prompt = "这个函数是什么意思";
  spawnSync(process.execPath, [script, "hook", "claude-code", "--event", "UserPromptSubmit", "--home", home], {
    input: JSON.stringify({ session_id: "s", cwd: project, hook_event_name: "UserPromptSubmit", prompt }),
    env: { PATH: process.env["PATH"], HOME: place },
  });
  const [id] = readdirSync(join(home, "projects"));
  const record = readFileSync(join(home, "projects", id!, "ledger", "00000001.jsonl"), "utf8");
  assert.equal(/"latest":"([\w-]+)"/.exec(record)?.[1], readPrompt(prompt).kind);
  assert.equal(readPrompt(prompt).kind, "question");
});
