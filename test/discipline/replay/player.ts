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
  /** The position of the call or end among the recording's steps. */
  at: number;
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
  /** Refused calls that were made again once everything named was done. */
  again: number;
}

const mostTries = 6;

export async function playSteps(a: Agent, steps: readonly Step[]): Promise<Played> {
  const out: Played = {
    calls: 0,
    ends: 0,
    prompts: 0,
    asked: [],
    refusedCalls: [],
    refusedEnds: [],
    steps: 0,
    again: 0,
  };
  let tested: boolean | undefined;
  for (const [at, step] of steps.entries()) {
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
        out.refusedEnds.push({ ...refusedAs(said, step.message.slice(-200), row, at), tested: tested === true });
        out.steps += await follow(a, said);
      }
      continue;
    }
    out.calls++;
    prepare(step);
    for (let row = 1; row <= mostTries; row++) {
      const said = await a.before(step.tool, step.input);
      if (said.outcome === "ask") out.asked.push(refusedAs(said, shown(step), row, at));
      if (said.outcome !== "deny") {
        if (!step.declined) await finish(a, step);
        break;
      }
      out.refusedCalls.push(refusedAs(said, shown(step), row, at));
      if (!said.text.includes("discipline/")) break;
      const done = await follow(a, said);
      out.steps += done;
      if (done === 0 || instead.has(said.gate) || /the limit is \d|on the command line/.test(said.text)) break;
      out.again++;
    }
    if (step.tool === "Edit" || step.tool === "Write" || step.tool === "MultiEdit") tested = undefined;
    else if (testing.test(String(step.input["command"] ?? "")) && !step.declined)
      tested = !step.failed && !failures.test(step.text);
  }
  return out;
}

/** Commands that people run tests with, told apart from paths that only contain the word. */
const runners = "go test|cargo (?:test|nextest)|pytest|vitest|jest|rspec|mocha|phpunit";
const managers = "npm|pnpm|yarn|bun|mise|just|task|make|turbo|nx";
const testing = new RegExp(
  String.raw`(?:^|[;&|]\s*|\s)(?:${runners}|(?:${managers})\s(?:\S+\s){0,4}?(?:run\s)?(?:\S*:)?tests?(?::\S+)?)` +
    String.raw`(?=\s|$|;|&|\|)`,
);

/** A pipe shows a good exit code; the counts tell. */
const failures = /\b[1-9]\d* (?:fail|failed|failing|failures)\b|^(?:--- )?FAIL\b/m;

/** Gates whose step replaces the call. */
const instead = new Set(["inline-scripts", "file-size", "research-only", "blocked-paths"]);

const refusedAs = (said: Heard, what: string, row: number, at: number): Refused => ({
  gate: said.gate,
  what,
  text: said.text,
  row,
  at,
});

const shown = ({ tool, input }: Call): string =>
  `${tool} ${String(input["command"] ?? input["file_path"] ?? JSON.stringify(input)).slice(0, 160)}`;

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

/** Does everything a refusal names; returns how many calls that took. */
export async function follow(a: Agent, { gate, text }: Heard): Promise<number> {
  const steps: [RegExp, (found: RegExpExecArray) => Promise<number>][] = [
    [/unread \(\d+ of \d+ read\): (.*?)(?:;|\n|$)/, ([, names]) => readAll(a, names!.split(", "))],
    [/read or search (\d+) more places? of the code concerned/, ([, n]) => lookAround(a, Number(n))],
    [
      // "read or search 2 more places; or ..." is done by looking; without the "or" both are asked for.
      /not yet researched for this task: ([\w, ]+)(?![^]*read or search \d+ more places? of the code concerned; or )/,
      ([, names]) =>
        research(
          a,
          names!
            .trim()
            .split(", ")
            .filter((c) => c !== "local" || !/more place/.test(text)),
        ),
    ],
    [/no loop with acceptance criteria is active/, () => startLoop(a)],
    [
      /the loop has used its \d+ iterations/,
      () =>
        loopCli(a, "cancel")
          .then(() => startLoop(a))
          .then((n) => n + 1),
    ],
    [/the plan|needs a plan/, () => showPlan(a)],
    [/the breaker is tripped/, () => research(a, ["docs", "web"])],
    [/the user asked to investigate/, () => a.prompt("yes, do it").then(() => 1)],
    [/since the last successful verification/, () => verify(a, /run `([^`]+)`/.exec(text)?.[1] ?? "npm test")],
    [/the prompt also asked for: (.*)/, ([, what]) => doWhatWasAsked(a, what!)],
  ];
  let calls = 0;
  for (const [says, act] of steps) {
    const found = says.exec(text);
    if (found) calls += await act(found);
  }
  return calls || (instead.has(gate) ? 1 : 0);
}

async function readAll(a: Agent, names: string[]): Promise<number> {
  for (const name of names) await a.read(name.trim());
  return names.length;
}

async function research(a: Agent, missing: string[]): Promise<number> {
  for (const category of missing) {
    if (category === "docs") await a.docs(`https://docs.example.org/${a.calls}`);
    if (category === "web") await a.search(`how ${a.calls}`);
    if (category === "github") await a.github();
    if (category === "local") await a.grep("x", "src/a.ts:1:x", ".");
  }
  return missing.length;
}

async function lookAround(a: Agent, places: number): Promise<number> {
  for (let i = 0; i < places; i++) await a.grep(`place ${a.calls}`, "src/a.ts:1:x", ".");
  return places;
}

async function startLoop(a: Agent): Promise<number> {
  await a.bash('interlock loop start "the task" --criterion "tests pass"', "Loop started");
  await loopCli(a, "start", "the task", "--criterion", "tests pass");
  return 1;
}

async function showPlan(a: Agent): Promise<number> {
  await a.stop("The plan: first this, then that, then the tests, then the documentation.");
  await a.prompt("pa+");
  return 1;
}

const anyRunner = `${passing(12)}ok  \tpkg\t0.1s\n12 passed in 0.1s\ntest result: ok. 12 passed; 0 failed\n`;

async function verify(a: Agent, command: string): Promise<number> {
  await a.bash(command, anyRunner);
  return 1;
}

async function doWhatWasAsked(a: Agent, what: string): Promise<number> {
  if (/commit/.test(what)) await a.bash("git commit -am done", "[main 1] done");
  if (/push/.test(what)) await a.bash("git push", "done");
  if (/tests/.test(what)) await a.bash("npm test", passing(3));
  if (/documentation/.test(what)) await a.write("docs/x.md", `# ${a.calls}\n`);
  return 1;
}
