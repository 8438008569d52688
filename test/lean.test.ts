// What a command hook costs to start: which of Node's modules it loads, and how much compiled code it keeps.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readPrompt } from "../src/facts/prompts/prompt.js";
import { temporary } from "../src/testing/temporary.js";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const script = join(dist, "interlock.cjs");
const place = temporary("lean");
const project = join(place, "project");
mkdirSync(join(project, ".git", "objects"), { recursive: true });
mkdirSync(join(project, ".git", "refs"));
writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
const listModules = join(place, "list-modules.cjs");
writeFileSync(
  listModules,
  'process.on("exit",()=>require("fs").writeFileSync(process.env.LOADED,process.moduleLoadList.join("\\n")))',
);

/** Runs one event twice: the first also makes the key and compiles the configuration. Reports on the second. */
function loadedBy(event: string, more: object): { node: string[]; files: string[]; cacheKB: number } {
  const home = mkdtempSync(join(place, "home-"));
  const list = join(place, "loaded.txt");
  const payload = { session_id: "s", cwd: project, hook_event_name: event, ...more };
  for (let i = 0; i < 2; i++) {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["-r", listModules, script, "hook", "claude-code", "--event", event, "--home", home],
      {
        input: JSON.stringify(payload),
        env: { PATH: process.env["PATH"], HOME: place, LOADED: list },
        encoding: "utf8",
      },
    );
    assert.doesNotThrow(() => JSON.parse(stdout), stderr);
  }
  const caches = readdirSync(join(home, "cache"));
  const bytes = caches.map((name) => statSync(join(home, "cache", name)).size);
  return {
    node: readFileSync(list, "utf8").split("\n"),
    files: caches.map((name) => /(\w+\.cjs)-/.exec(name)?.[1] ?? name).sort(),
    cacheKB: Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1024),
  };
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
const heavyIn = (node: string[]) => heavy.filter((name) => node.includes(`NativeModule ${name}`));
const bareNode = () =>
  spawnSync(process.execPath, ["-e", "console.log(process.moduleLoadList.join('\\n'))"], {
    encoding: "utf8",
  }).stdout.split("\n");

const call = (tool: string, input: object) => ({ tool_name: tool, tool_input: input, tool_use_id: "toolu_1" });
const file = join(project, "a.ts");
const command = "npm test 2>&1 | tail -20 && git status --short";

for (const [what, event, more, limitKB, parts] of [
  ["a read", "PreToolUse", call("Read", { file_path: file }), 690, []],
  ["a write", "PreToolUse", call("Write", { file_path: file, content: "const a = 1;\n" }), 730, []],
  ["a shell command", "PreToolUse", call("Bash", { command }), 1530, ["shell.cjs"]],
  ["a prompt", "UserPromptSubmit", { prompt: "please fix the login bug" }, 850, ["prompt.cjs"]],
  ["the start of a session", "SessionStart", { source: "startup" }, 650, []],
  ["the end of a turn", "Stop", { last_assistant_message: "Done." }, 650, []],
] as const)
  test(`${what} loads only the files it needs, no heavy module of Node and ${limitKB} KB of compiled code`, () => {
    const { node, files, cacheKB } = loadedBy(event, more);
    assert.deepEqual(files, ["hook.cjs", ...parts]);
    const already = heavyIn(bareNode());
    assert.deepEqual(
      heavyIn(node).filter((name) => !already.includes(name)),
      [],
    );
    assert.ok(cacheKB <= limitKB, `${cacheKB} KB`);
    console.log(`${what}: ${cacheKB} KB of compiled code`);
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
