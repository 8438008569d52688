// A scripted agent for `interlock kit --runtime`: does what plan.json says for its phase, and asks the hook before each
// call as Claude Code does. A refused call is not made. Prints a capsule unless told not to.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const prompt = readFileSync(0, "utf8");
const phase = process.env.TDD_PHASE || process.env.EXP_PHASE || process.env.MATH_PHASE;
const plan = JSON.parse(readFileSync("plan.json", "utf8"));
const kit = process.env.TDD_PHASE ? "tdd" : process.env.EXP_PHASE ? "research" : "math";
const own = plan[`${kit}.${phase}`] ?? plan[phase] ?? {};
const artifacts = join(process.env.RUN_ROOT, "artifacts");
writeFileSync(join(artifacts, `${phase}-prompt.txt`), prompt);
writeFileSync(join(artifacts, `${phase}-env.json`), JSON.stringify(process.env));

const session = `${process.env.RUN_ID}-${phase}-${process.pid}`;
let calls = 0;
function hook(event, payload) {
  const given = {
    session_id: session,
    transcript_path: join(process.env.HOME, "transcript.jsonl"),
    cwd: process.cwd(),
    permission_mode: "bypassPermissions",
    hook_event_name: event,
    ...payload,
  };
  const out = spawnSync(process.execPath, [process.env.INTERLOCK_KIT_PROGRAM, "hook", "claude-code"], {
    input: JSON.stringify(given),
    encoding: "utf8",
  });
  return JSON.parse(out.stdout).hookSpecificOutput ?? {};
}

function call(tool, input, act) {
  const id = `toolu_${phase}_${++calls}`;
  const payload = { tool_name: tool, tool_input: input, tool_use_id: id };
  let answer = hook("PreToolUse", payload);
  if (answer.permissionDecision === "deny") {
    appendFileSync(join(artifacts, `${phase}-refused.txt`), `${answer.permissionDecisionReason}\n`);
    if (!own.allowed) return;
    // Plays the person who looks on.
    const id = /\[(v-\d+)\]/.exec(answer.permissionDecisionReason)[1];
    spawnSync(process.execPath, [own.allowed, id], { stdio: "inherit" });
    answer = hook("PreToolUse", payload);
    if (answer.permissionDecision === "deny") return;
  }
  const response = act();
  hook("PostToolUse", { ...payload, tool_response: response });
}

for (const step of own.steps ?? []) {
  if (step.bash !== undefined)
    call("Bash", { command: step.bash, description: "a step" }, () => {
      const { stdout, stderr } = spawnSync("sh", ["-c", step.bash], { encoding: "utf8" });
      return { stdout, stderr, interrupted: false, isImage: false };
    });
  else if (step.read !== undefined)
    call("Read", { file_path: join(process.cwd(), step.read) }, () => ({
      type: "text",
      file: { filePath: step.read },
    }));
  else {
    const path = join(process.cwd(), step.write);
    call("Write", { file_path: path, content: step.text }, () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, step.text);
      return { type: "create", filePath: path };
    });
  }
}
/** Written behind everyone's back, as a program the agent starts may do. */
for (const [path, text] of Object.entries(own.sneak ?? {})) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
if (own.once && existsSync(own.once)) process.exit(0);
if (!own.silent)
  console.log(`working
===CAPSULE===
Goal: ${phase}
What happened: ${own.says ?? "the phase was done"}
Current status: done
Next action requested (exactly one): go on
Evidence pointers: plan.json
If blocked: not blocked
===/CAPSULE===`);
process.exit(own.exit ?? 0);
