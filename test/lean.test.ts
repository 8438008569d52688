// What a command hook loads: of Node only what every event needs, of our own files none that the event has no use for.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../dist/interlock.cjs", import.meta.url));
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
function loadedBy(tool: string, input: object): { node: string[]; ours: string[] } {
  const home = mkdtempSync(join(place, "home-"));
  const list = join(home, "..", "loaded.txt");
  const payload = { session_id: "s", cwd: project, hook_event_name: "PreToolUse", tool_name: tool, tool_input: input };
  for (let i = 0; i < 2; i++) {
    rmSync(join(home, "cache"), { recursive: true, force: true });
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["-r", probe, script, "hook", "claude-code", "--event", "PreToolUse", "--home", home],
      {
        input: JSON.stringify({ ...payload, tool_use_id: "toolu_1" }),
        env: { PATH: process.env["PATH"], HOME: place, LOADED: list },
        encoding: "utf8",
      },
    );
    assert.doesNotThrow(() => JSON.parse(stdout), stderr);
  }
  const node = readFileSync(list, "utf8").split("\n");
  const ours = readdirSync(join(home, "cache")).map((file) => file.replace(/^\w+-\w+-\w+-v[\d.]+-/, ""));
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

for (const [tool, input, files] of [
  ["Read", { file_path: join(project, "a.ts") }, ["core.js"]],
  ["Write", { file_path: join(project, "a.ts"), content: "const a = 1;\n" }, ["core.js"]],
  ["Bash", { command: "npm test 2>&1 | tail -20 && git status --short" }, ["core.js", "shell.js"]],
] as const)
  test(`${tool} loads ${files.join(" and ")} and nothing heavy of Node`, () => {
    const { node, ours } = loadedBy(tool, input);
    const already = loads(bare());
    assert.deepEqual(
      loads(node).filter((name) => !already.includes(name)),
      [],
    );
    assert.deepEqual(ours.sort(), [...files]);
  });
