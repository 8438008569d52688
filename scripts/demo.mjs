// `npm run demo`: a misbehaving agent in a scratch project, played through the real hook; `-- --claude` plays it
// through the real client. Everything happens in temporary folders. Exits 1 when a call is not answered as expected.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { session, task } from "../demo/session.mjs";
import { build } from "./build.mjs";
import { root, transpile } from "./transpile.mjs";

const args = process.argv.slice(2);
const keep = args.includes("--keep");
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
const [red, green, dim, bold] = [31, 32, 2, 1].map(paint);

if (!process.env.INTERLOCK_BUILT) await build();
const interlock = join(root, "dist", "interlock.cjs");
const folder = mkdtempSync(join(tmpdir(), "interlock-demo-"));
const project = join(folder, "greeter");
const home = join(folder, "home");
const env = {
  PATH: process.env.PATH,
  HOME: home,
  LANG: "C.UTF-8",
  INTERLOCK_SERVER: "off",
  NO_COLOR: colour ? undefined : "1",
  GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
};
if (!colour) env.NO_COLOR = "1";

try {
  makeProject();
  for (const words of [
    ["init", "--yes", "--door", "command"],
    ["lifecycle", "init"],
    ["lifecycle", "start", "fix", "--branch", "loud greeting"],
  ]) {
    console.log(bold(`interlock ${words.join(" ")}`));
    show(run(words));
  }
  const wrong = args.includes("--claude") ? await throughClaude() : throughHooks();
  console.log(`\n${bold("interlock verify")}`);
  const verified = run(["verify"]);
  show(verified);
  console.log(bold("What next"));
  console.log("  in your own project:   npx agent-interlock init");
  console.log("  one refusal explained: interlock why v-<number>      what is enforced: interlock status");
  if (keep) console.log(`  this one is kept in:   ${project}`);
  if (wrong || verified.status !== 0) process.exitCode = 1;
  if (wrong) console.log(red(`${wrong} call(s) were not answered as expected`));
} finally {
  if (!keep) rmSync(folder, { recursive: true, force: true });
}

function makeProject() {
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(
    env.GIT_CONFIG_GLOBAL,
    "[user]\n\tname = Demo\n\temail = demo@example.invalid\n[init]\n\tdefaultBranch = main\n",
  );
  writeFileSync(join(project, "package.json"), '{ "name": "greeter", "type": "module", "private": true }\n');
  writeFileSync(join(project, "greeter.dmg"), "not signed\n");
  writeFileSync(join(project, "src/main.js"), 'import { log } from "./log.js";\nlog("start");\n');
  writeFileSync(
    join(project, "src/log.js"),
    "export const log = (...words) => process.stderr.write(`${words.join(' ')}\\n`);\n",
  );
  mkdirSync(join(project, "test"));
  writeFileSync(
    join(project, "test/greet.test.js"),
    `import assert from "node:assert";
import { test } from "node:test";
import { greet } from "../src/greet.js";
test("it is loud", () => assert.equal(greet("you"), "HELLO YOU"));
`,
  );
  cpSync(join(root, "demo/interlock.yaml"), join(project, "interlock.yaml"));
  mkdirSync(join(home, ".config/interlock"), { recursive: true });
  cpSync(join(root, "demo/user.yaml"), join(home, ".config/interlock/interlock.yaml"));
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-q", "-m", "start"],
  ])
    spawnSync("git", words, { cwd: project, env });
}

function run(words) {
  return spawnSync(process.execPath, [interlock, ...words], { cwd: project, env, encoding: "utf8" });
}

/** A command's output; the middle of a long difference is counted, not shown. */
function show({ stdout, stderr }) {
  const lines = `${stdout}${stderr}`.trimEnd().split("\n");
  const added = lines.filter((line) => line.startsWith("+"));
  let told = 0;
  for (const line of lines) {
    if (line.startsWith("+") && added.length > 30 && ++told > 14) {
      if (told === 15) console.log(dim(`  ... ${added.length - 14} more lines, one entry of this form per event`));
    } else console.log(`  ${line}`);
  }
}

/** The hook exactly as `init` registered it. */
function hook(event, payload) {
  const settings = JSON.parse(readFileSync(join(project, ".claude/settings.local.json"), "utf8"));
  const handler = settings.hooks[event][0].hooks[0];
  const base = {
    session_id: "demo",
    transcript_path: join(home, "transcript.jsonl"),
    cwd: project,
    hook_event_name: event,
    prompt_id: "demo-1",
    permission_mode: "bypassPermissions",
  };
  const input = JSON.stringify({ ...base, ...payload });
  const options = { cwd: project, env: { ...env, CLAUDE_PROJECT_DIR: project }, input, encoding: "utf8" };
  const { stdout } = handler.args
    ? spawnSync(handler.command, handler.args, options)
    : spawnSync(handler.command, { ...options, shell: "/bin/sh" });
  return JSON.parse(stdout || "{}");
}

function throughHooks() {
  console.log(
    `\n${bold("The session")} ${dim(`(${session.length} calls, each through the hook that init registered)`)}`,
  );
  hook("SessionStart", { source: "startup" });
  hook("UserPromptSubmit", { prompt: task });
  let wrong = 0;
  session.forEach((step, i) => {
    if (step.stop) {
      const { decision, reason } = hook("Stop", { stop_hook_active: false, last_assistant_message: step.stop });
      wrong += tell(i, step, decision === "block", reason) ? 0 : 1;
      return;
    }
    const input = absolute(step.input);
    const call = { tool_name: step.tool, tool_input: input, tool_use_id: `toolu_${i}` };
    const answer = hook("PreToolUse", call).hookSpecificOutput ?? {};
    const denied = answer.permissionDecision === "deny";
    wrong += tell(i, step, denied, answer.permissionDecisionReason) ? 0 : 1;
    if (denied || step.harmless === false) return;
    const result = perform(step.tool, input);
    if (result.failed) hook("PostToolUseFailure", { ...call, error: result.failed, is_interrupt: false });
    else hook("PostToolUse", { ...call, tool_response: result.response, duration_ms: 5 });
  });
  hook("SessionEnd", { reason: "other" });
  return wrong;
}

function tell(i, step, denied, reason) {
  const right = denied === (step.expect === "deny") && (!step.gate || String(reason).includes(step.gate));
  console.log(`\n${dim(String(i + 1).padStart(2))} ${dim(`"${step.stop ?? step.say}"`)}`);
  const what = step.stop ? bold("end of the turn") : `${bold(step.tool)} ${brief(step.input)}`;
  console.log(`   ${what}  ${denied ? red("REFUSED") : green("passed")}${right ? "" : red("  (not as expected)")}`);
  if (denied) for (const line of reason.split("\n")) console.log(`     ${line}`);
  return right;
}

function brief(input) {
  return (input.command ?? input.file_path ?? input.subagent_type ?? JSON.stringify(input))
    .replace(/\s+/g, " ")
    .slice(0, 100);
}

function absolute(input) {
  return input.file_path ? { ...input, file_path: resolve(project, input.file_path) } : input;
}

/** What the agent's tool would do. */
function perform(tool, input) {
  if (tool === "Bash") {
    const { status, stdout, stderr } = spawnSync("bash", ["-c", input.command], {
      cwd: project,
      env,
      encoding: "utf8",
    });
    if (status !== 0) return { failed: `Exit code ${status}\n${stdout}${stderr}` };
    return { response: { stdout: stdout + stderr, stderr: "", interrupted: false, isImage: false } };
  }
  const path = input.file_path;
  if (tool === "Write") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, input.content);
    return { response: { type: "create", filePath: path, content: input.content, structuredPatch: [] } };
  }
  const before = readFileSync(path, "utf8");
  if (tool === "Read") {
    const lines = before.split("\n").length;
    return {
      response: {
        type: "text",
        file: { filePath: path, content: before, numLines: lines, startLine: 1, totalLines: lines },
      },
    };
  }
  writeFileSync(
    path,
    before.replace(input.old_string, () => input.new_string),
  );
  return {
    response: {
      filePath: path,
      oldString: input.old_string,
      newString: input.new_string,
      originalFile: before,
      structuredPatch: [],
    },
  };
}

async function throughClaude() {
  const { installClaude } = await import("./clients.mjs");
  const binary = installClaude();
  await transpile();
  const { playSession } = await import(pathToFileURL(join(root, "build/src/live/play-session.js")).href);
  const how = `(${session.length} calls, made by the real Claude Code against a scripted model on loopback)`;
  console.log(`\n${bold("The session")} ${dim(how)}`);
  const results = await playSession({
    binary,
    project,
    home,
    env,
    task,
    session: session.map((s) => (s.stop ? s : { ...s, input: absolute(s.input) })),
  });
  return results.map(({ denied, reason }, i) => tell(i, session[i], denied, reason)).filter((right) => !right).length;
}
