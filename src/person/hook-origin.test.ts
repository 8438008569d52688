// Who gave the agent its prompt: a person at the keyboard, or a program, a script, another agent.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { hookOriginOf } from "./hook-origin.js";
import { agentIn, ancestry, type Process } from "./process-tree.js";

const node = "/usr/bin/node";
const cli = "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js";
const sdk = "/p/node_modules/@anthropic-ai/claude-agent-sdk/cli.js";
/** Each word list is one process, the hook first and its starter last. */
const chain = (...lines: string[][]): Process[] =>
  [["node", "interlock.cjs", "hook"], ["sh", "-c", "interlock hook claude-code"], ...lines].map((argv, i) => ({
    pid: i + 10,
    program:
      argv[0]!.startsWith("/") || argv[0] === "node" ? (argv[0] === "node" ? node : argv[0]!) : `/bin/${argv[0]}`,
    argv,
  }));

const person: [name: string, ...lines: string[][]][] = [
  ["claude", ["claude"], ["bash"]],
  ["claude --resume", ["claude", "--resume"], ["zsh"]],
  ["claude -c", ["claude", "-c"], ["fish"]],
  ["a first prompt that speaks of -p", ["claude", "explain the -p option"], ["bash"]],
  ["claude --permission-mode plan", ["claude", "--permission-mode", "plan"], ["bash"]],
  ["through npx", ["node", cli], ["npm exec @anthropic-ai/claude-code"], ["bash"]],
  ["a launcher that stays", ["node", cli], ["claude"], ["bash"]],
  ["in tmux", ["claude"], ["bash"], ["tmux", "new", "-s", "work"]],
  ["by ssh", ["claude"], ["bash"], ["sshd"]],
  ["in an editor", ["claude"], ["bash"], ["/usr/share/code/code"]],
];

const nested: [name: string, ...lines: string[][]][] = [
  ["claude -p", ["claude", "-p", "s-"], ["bash"]],
  ["claude --print", ["claude", "--print", "s-"], ["bash"]],
  ["the prompt before the option", ["claude", "s-", "-p"], ["bash"]],
  ["claude -c -p", ["claude", "-c", "-p", "s-"], ["bash"]],
  ["claude -cp", ["claude", "-cp", "s-"], ["bash"]],
  ["claude -pc", ["claude", "-pc", "s-"], ["bash"]],
  ["claude -dp", ["claude", "-dp"], ["bash"]],
  ["npx ... -p", ["node", cli, "-p", "s-"], ["npm exec @anthropic-ai/claude-code -p s-"], ["bash"]],
  ["env", ["claude", "-p", "s-"], ["env", "A=b", "claude", "-p", "s-"]],
  ["timeout", ["claude", "-p", "s-"], ["timeout", "60", "claude"], ["bash"], ["claude"]],
  ["xargs", ["claude", "-p", "s-"], ["xargs", "claude", "-p"], ["bash"]],
  ["a heredoc", ["claude", "--print"], ["bash", "-c", "claude --print <<E\ns-\nE"], ["claude"]],
  ["an interactive one below an agent", ["claude"], ["script", "-qc", "claude"], ["bash"], ["claude"]],
  ["below codex", ["claude"], ["bash"], ["codex", "exec", "x"]],
  ["below gemini", ["claude"], ["sh"], ["node", "/x/node_modules/@google/gemini-cli/dist/index.js", "-p"]],
  ["below opencode", ["claude"], ["sh"], ["opencode", "run", "x"]],
  ["below a launcher", ["node", cli], ["claude"], ["bash"], ["claude"]],
];

/** A person in an editor, or a program: the transcript says which. */
const open: [name: string, ...lines: string[][]][] = [
  ["--output-format stream-json", ["claude", "--output-format", "stream-json", "--verbose"], ["node", "run.js"]],
  ["--input-format=stream-json", ["claude", "--input-format=stream-json"], ["python3", "run.py"]],
  ["the Agent SDK", ["node", sdk, "--output-format", "stream-json", "--input-format", "stream-json"], ["node", "a.js"]],
];

const outside = () => false;
for (const [name, ...lines] of person)
  test(`a person's: ${name}`, () => assert.equal(hookOriginOf(chain(...lines), outside).kind, "genuine"));
for (const [name, ...lines] of nested)
  test(`no person's: ${name}`, () => {
    const { kind, nested } = hookOriginOf(chain(...lines), outside);
    assert.deepEqual([kind, nested], ["unknown", true]);
  });

for (const [name, ...lines] of open)
  test(`not known before the transcript says it: ${name}`, () => {
    const { kind, nested } = hookOriginOf(chain(...lines), outside);
    assert.deepEqual([kind, nested], ["unknown", undefined]);
  });

test("no person's: an agent that left the tree and was started from an agent's shell", () => {
  const left = chain(["claude"], ["tmux", "new-session", "-d"]);
  assert.equal(hookOriginOf(left, outside).kind, "genuine");
  assert.equal(hookOriginOf(left, (pid) => pid === 12).nested, true);
});

test("no person's: through the built program, by what the agent's process inherited", {
  skip: process.platform !== "linux",
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-origin-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync("/bin/sh", join(folder, "claude"));
  const program = join(process.cwd(), "dist/interlock.cjs");
  /** What Interlock says to "s+" typed to an agent that was started like this. */
  const said = (env: Record<string, string>, ...more: string[]): string => {
    const input = JSON.stringify({ session_id: "s", cwd: folder, hook_event_name: "UserPromptSubmit", prompt: "s+" });
    // The agent must stay above the hook.
    const script = `'${process.execPath}' '${program}' hook claude-code; true`;
    return spawnSync(join(folder, "claude"), ["-c", script, "claude", ...more], {
      input,
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"]!, HOME: folder, INTERLOCK_HOME: join(folder, "i"), ...env },
    }).stdout;
  };
  // An agent above this test run would be one above the client as well.
  if (!ancestry()?.some((above) => agentIn(above))) assert.match(said({}), /safemode is on/i);
  assert.doesNotMatch(said({}, "-p", "s+"), /safemode is on/i);
  assert.doesNotMatch(said({}, "--output-format", "stream-json"), /safemode is on/i);
  assert.doesNotMatch(said({ CLAUDECODE: "1" }), /safemode is on/i);
});
