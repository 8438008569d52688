import assert from "node:assert/strict";
import { test } from "node:test";
import { hookOriginOf } from "./hook-origin.js";
import { agentIn, type Process } from "./process-tree.js";
import { type Circumstances, whoAsks } from "./terminal.js";

const p = (program: string, ...args: string[]): Process => ({ pid: 7, program, argv: [program, ...args] });
const own = p("/usr/bin/node", "/opt/interlock.cjs", "allow", "v-1");
const shell = p("/usr/bin/zsh");
const terminal = p("/usr/bin/gnome-terminal-server");
const init = p("/sbin/init");
const person: Circumstances = {
  env: { HOME: "/h" },
  chain: [own, shell, terminal, init],
  terminal: true,
  platform: "linux",
};

test("a person at a terminal of their own asks", () => {
  assert.equal(whoAsks("terminal", person).person, true);
});

const agents: [string, Process][] = [
  ["Claude Code", p("/home/u/.local/bin/claude", "-p", "go")],
  ["Claude Code by version", { pid: 7, program: "/home/u/.local/share/claude/versions/2.1.325", argv: ["node"] }],
  ["Claude Code by npm", p("/usr/bin/node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js")],
  ["the SDK", p("/usr/bin/node", "--no-warnings", "/app/node_modules/@anthropic-ai/claude-agent-sdk/cli.js")],
  ["Codex", p("/usr/local/bin/codex")],
  ["Gemini", p("/usr/bin/node", "/usr/local/bin/gemini")],
];
for (const [name, agent] of agents)
  test(`below ${name} nobody is a person`, () => {
    assert.ok(agentIn(agent));
    const asked = whoAsks("terminal", {
      ...person,
      chain: [own, shell, p("/usr/bin/script"), agent, shell, terminal, init],
    });
    assert.equal(asked.person, false);
    assert.match((asked as { why: string }).why, /below a coding agent/);
  });

const ordinary: [string, Process][] = [
  ["an editor on a file named after an agent", p("/usr/bin/vim", "claude.md")],
  ["a folder named after an agent", p("/usr/bin/node", "/home/u/claude/server.js")],
  ["grep for the package", p("/usr/bin/grep", "@anthropic-ai/claude-code", "x")],
  ["a shell with an agent's word", p("/bin/sh", "-c", "echo claude")],
];
for (const [name, process] of ordinary)
  test(`${name} is no agent`, () =>
    assert.equal(whoAsks("terminal", { ...person, chain: [own, process, init] }).person, true));

const rows: [string, Partial<Circumstances>, RegExp][] = [
  ["no terminal", { terminal: false }, /no terminal/],
  ["a shell an agent left behind", { env: { CLAUDECODE: "1" } }, /CLAUDECODE is set/],
  ["processes that can't be seen", { chain: undefined }, /can't be seen/],
];
for (const [name, change, why] of rows)
  test(`${name}: nobody is taken for a person`, () => {
    const asked = whoAsks("terminal", { ...person, ...change });
    assert.equal(asked.person, false);
    assert.match((asked as { why: string }).why, why);
  });

test("a person's script needs no terminal, an agent's is refused all the same", () => {
  assert.equal(whoAsks("script", { ...person, terminal: false }).person, true);
  assert.equal(
    whoAsks("script", { ...person, terminal: false, chain: [own, shell, p("/usr/bin/claude"), init] }).person,
    false,
  );
  assert.equal(whoAsks("script", { ...person, env: { CLAUDECODE: "1" } }).person, false);
});

const claude = p("/usr/bin/claude");
const hook = p("/usr/bin/node", "/opt/dist/interlock.cjs", "hook", "claude-code");
const toolShell = p(
  "/bin/bash",
  "-c",
  "source /h/.claude/shell-snapshots/s.sh && eval 'echo x | interlock hook claude-code'",
);
const standings: [string, Process[] | undefined, "genuine" | "forged" | "unknown"][] = [
  ["the agent in exec form", [hook, claude, shell], "genuine"],
  [
    "the agent by a shell",
    [hook, p("/bin/sh", "-c", "'/usr/bin/node' '/opt/dist/interlock.cjs' hook claude-code --event Stop"), claude],
    "genuine",
  ],
  ["the agent under its launcher", [hook, claude, p("/usr/bin/node", "/usr/bin/claude"), shell], "genuine"],
  ["our shim", [hook, p("/bin/sh", "/h/state/server/interlock.sh", "hook", "claude-code"), claude], "genuine"],
  ["a wrapper nobody knows", [hook, p("/usr/bin/timeout", "9", "node"), claude], "genuine"],
  ["the agent's shell tool", [hook, toolShell, claude, shell], "forged"],
  ["a script the agent runs", [hook, p("/bin/bash", "./go.sh"), claude], "forged"],
  ["a Python program the agent runs", [hook, p("/usr/bin/python3", "x.py"), toolShell, claude], "forged"],
  ["an MCP server", [hook, p("/usr/bin/node", "/srv/mcp.js"), claude], "forged"],
  ["an agent below an agent", [hook, claude, toolShell, p("/usr/bin/claude")], "unknown"],
  ["no agent", [hook, shell, terminal], "unknown"],
  ["nothing to be seen", undefined, "unknown"],
];
for (const [name, chain, kind] of standings)
  test(`a hook started by ${name} is ${kind}`, () => assert.equal(hookOriginOf(chain).kind, kind));
