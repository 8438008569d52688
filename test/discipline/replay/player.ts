// Plays a session through the real hook with every gate enforced, as an agent that does the step a refusal names once.
// Invariant: what a refusal asks for is done as it says; nothing is done that it does not name.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { JsonObject } from "../../../src/model/json.js";
import { type Agent, type Heard, passing } from "../agent.js";
import { loopCli } from "../story.js";
import type { Step } from "./recording.js";

export interface Refused {
  gate: string;
  /** The call, the prompt's end or the command that was refused, cut. */
  what: string;
  text: string;
  /** Refusals of the same call so far, this one included. */
  row: number;
  /** A refused end: whether tests had been run since the last edit and passed, as the recording shows. */
  tested?: boolean;
}

export interface Played {
  calls: number;
  ends: number;
  prompts: number;
  asked: Refused[];
  refusedCalls: Refused[];
  refusedEnds: Refused[];
  /** Calls made only because a refusal named them. */
  steps: number;
}

const mostTries = 6;

export async function playSteps(a: Agent, steps: readonly Step[]): Promise<Played> {
  const out: Played = { calls: 0, ends: 0, prompts: 0, asked: [], refusedCalls: [], refusedEnds: [], steps: 0 };
  let tested: boolean | undefined;
  for (const step of steps) {
    if (step.kind === "prompt") {
      out.prompts++;
      await a.prompt(step.text);
      continue;
    }
    if (step.kind === "end") {
      out.ends++;
      for (let row = 1; row <= 3; row++) {
        const said = await a.stop(step.message, row > 1);
        if (said.outcome === "pass") break;
        out.refusedEnds.push({ ...refusedAs(said, step.message.slice(-200), row), tested: tested === true });
        out.steps += await follow(a, said);
      }
      continue;
    }
    out.calls++;
    prepare(step);
    for (let row = 1; row <= mostTries; row++) {
      const said = await a.before(step.tool, step.input);
      if (said.outcome === "ask") out.asked.push(refusedAs(said, shown(step), row));
      if (said.outcome !== "deny") {
        if (!step.declined) await finish(a, step);
        break;
      }
      out.refusedCalls.push(refusedAs(said, shown(step), row));
      if (!said.text.includes("discipline/")) break;
      const done = await follow(a, said);
      out.steps += done;
      if (done === 0 || instead.has(said.gate)) break;
    }
    if (step.tool === "Edit" || step.tool === "Write" || step.tool === "MultiEdit") tested = undefined;
    else if (testing.test(String(step.input["command"] ?? "")) && !step.declined) tested = !step.failed;
  }
  return out;
}

const testing = /\b(?:tests?|pytest|vitest|jest|nextest|rspec|spec|ci|check)\b/;

/** Gates whose step replaces the call. */
const instead = new Set(["inline-scripts", "file-size", "research-only", "blocked-paths"]);

const refusedAs = (said: Heard, what: string, row: number): Refused => ({
  gate: said.gate,
  what,
  text: said.text,
  row,
});

const shown = (step: Extract<Step, { kind: "call" }>): string =>
  `${step.tool} ${String(step.input["command"] ?? step.input["file_path"] ?? JSON.stringify(step.input)).slice(0, 160)}`;

type Call = Extract<Step, { kind: "call" }>;

/** The file as the recording shows that it was before the call. */
function prepare({ tool, input, response }: Call): void {
  const path = input["file_path"];
  if (typeof path !== "string" || !path.startsWith("/") || (tool !== "Edit" && tool !== "MultiEdit")) return;
  const before = (response as JsonObject | null)?.["originalFile"];
  const old = String(input["old_string"] ?? "");
  const now = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (now?.includes(old)) return;
  put(path, typeof before === "string" ? before : `${now ?? ""}\n${old}\n`);
}

function put(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch {
    // Outside the scratch folder: the recording's machine had a place there, this one has not.
  }
}

async function finish(a: Agent, step: Call): Promise<void> {
  const { tool, input, text, failed, response } = step;
  const path = String(input["file_path"] ?? "");
  if (!failed && path.startsWith(a.root)) {
    if (tool === "Write") put(path, String(input["content"] ?? ""));
    if (tool === "Edit" && existsSync(path)) {
      const [old, next] = [String(input["old_string"]), String(input["new_string"])];
      const whole = readFileSync(path, "utf8");
      put(path, input["replace_all"] === true ? whole.split(old).join(next) : whole.replace(old, () => next));
    }
  }
  if (failed) await a.failed(tool, input, text);
  else await a.after(tool, input, (response ?? text) as JsonObject);
  if (tool === "Task" || tool === "Agent") {
    // What a sub-agent did is not in its parent's record; it read something.
    a.agent = { id: `agent-${a.calls}`, type: "Explore" };
    await a.grep("x", "src/a.ts:1:x", ".");
    await a.send("SubagentStop", { stop_hook_active: false, last_assistant_message: text || "Done." });
    a.agent = undefined;
  }
}

/** Does what a refusal names; returns how many calls that took. */
async function follow(a: Agent, { gate, text }: Heard): Promise<number> {
  switch (gate) {
    case "research": {
      const missing = /not yet researched for this task: ([\w, ]+)/.exec(text)?.[1]?.split(", ") ?? [];
      for (const category of missing) {
        if (category.startsWith("docs")) await a.docs();
        if (category.startsWith("web")) await a.search();
        if (category.startsWith("github")) await a.github();
        if (category.startsWith("local")) await a.grep("x", "src/a.ts:1:x", ".");
      }
      return missing.length;
    }
    case "documents": {
      const names = /unread \(\d+ of \d+ read\): (.*?)(?:\n|$|;)/.exec(text)?.[1]?.split(", ") ?? [];
      for (const name of names) await a.read(name.trim());
      return names.length;
    }
    case "loop": {
      await a.bash('interlock loop start "the task" --criterion "tests pass"', "Loop started");
      await loopCli(a, "start", "the task", "--criterion", "tests pass");
      return 1;
    }
    case "plan":
      await a.stop("The plan: first this, then that, then the tests, then the documentation.");
      await a.prompt("pa+");
      return 1;
    case "breaker":
      await a.docs(`https://docs.example.org/${a.calls}`);
      await a.search(`why ${a.calls}`);
      return 2;
    case "research-only":
      await a.prompt("yes, do it");
      return 1;
    case "verification": {
      const command = /run `([^`]+)`/.exec(text)?.[1] ?? "npm test";
      await a.bash(command, `${passing(12)}ok  \tpkg\t0.1s\n12 passed in 0.1s\ntest result: ok. 12 passed; 0 failed\n`);
      return 1;
    }
    case "requirements":
      if (/commit/.test(text)) await a.bash("git commit -am done", "[main 1] done");
      if (/push/.test(text)) await a.bash("git push", "done");
      if (/tests/.test(text)) await a.bash("npm test", passing(3));
      if (/documentation/.test(text)) await a.write("docs/x.md", `# ${a.calls}\n`);
      return 1;
    default:
      return instead.has(gate) ? 1 : 0;
  }
}
