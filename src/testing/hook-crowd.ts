// Many real hook processes at once on one project, for tests and benchmarks: what each was asked and what it answered.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface CrowdAnswer {
  i: number;
  answer: string;
  /** The answer was a refusal. */
  denied: boolean;
  ms: number;
}

/** A folder that counts as a git repository, without running git. */
export function bareProject(root: string): void {
  for (const part of ["refs", "objects"]) mkdirSync(join(root, ".git", part), { recursive: true });
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
}

export interface CrowdEvent {
  event: string;
  payload: object;
  refused: boolean;
}

/** The i-th event of a crowd: calls of every kind, one of them refused by a gate. */
export function crowdEvent(i: number, root: string): CrowdEvent {
  const call = (tool: string, input: object) => ({ tool_name: tool, tool_input: input, tool_use_id: `toolu_${i}` });
  const rows: [string, object, boolean][] = [
    ["PreToolUse", call("Write", { file_path: join(root, `src/${i}.ts`), content: "x" }), false],
    ["PreToolUse", call("Write", { file_path: join(root, ".claude/settings.json"), content: "{}" }), true],
    ["PreToolUse", call("Bash", { command: `echo ${i} | tee out-${i}.log` }), false],
    ["PostToolUse", { ...call("Read", { file_path: "a" }), tool_response: { type: "text" } }, false],
    ["PostToolUseFailure", { ...call("Bash", { command: "false" }), error: "Exit code 1", is_interrupt: false }, false],
    ["UserPromptSubmit", { prompt: `task ${i}` }, false],
    ["Stop", { stop_hook_active: false, last_assistant_message: "done" }, false],
  ];
  const [event, payload, refused] = rows[i % rows.length]!;
  return { event, payload: { session_id: `s${i % 5}`, cwd: root, hook_event_name: event, ...payload }, refused };
}

export interface CrowdPlace {
  script: string;
  root: string;
  home: string;
}

export function runOneHook(i: number, { script, root, home }: CrowdPlace): Promise<CrowdAnswer> {
  const { event, payload } = crowdEvent(i, root);
  const start = performance.now();
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, "hook", "claude-code", "--event", event, "--home", home], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: join(home, "..") },
    });
    let answer = "";
    let talk = "";
    child.stdout.on("data", (chunk) => (answer += chunk));
    child.stderr.on("data", (chunk) => (talk += chunk));
    child.on("error", fail);
    child.on("close", (code) => {
      if (code !== 0) return fail(new Error(`process ${i} ended with ${code}: ${talk}`));
      const denied = /"permissionDecision":"deny"|"decision":"block"/.test(answer);
      done({ i, answer, denied, ms: performance.now() - start });
    });
    child.stdin.on("error", () => {}); // it answered without reading: seen in its answer
    child.stdin.end(JSON.stringify(payload));
  });
}

export const runCrowd = (processes: number, place: CrowdPlace): Promise<CrowdAnswer[]> =>
  Promise.all(Array.from({ length: processes }, (_, i) => runOneHook(i, place)));
