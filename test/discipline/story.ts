// The story of one gate, played against the real hook: it is reached and refuses (or tells), its own remedy opens it,
// and it stays open or closes again as its page says under window and reset.
// Invariant: a story asserts on answers only, as the agent gets them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { run as loopCommand } from "../../src/cli/commands/loop.js";
import type { JsonObject } from "../../src/model/json.js";
import { type Agent, type AgentOptions, type Heard, play } from "./agent.js";

export interface Story {
  /** The gate's id. */
  gate: `discipline/${string}`;
  /** Refuses, asks, or only tells. */
  how: "deny" | "ask" | "note";
  /** Play it through the built program as well, one process per event. */
  spawned?: true;
  options?: JsonObject;
  files?: Record<string, string>;
  guard?: JsonObject;
  /** Brings the gate to speak; the answer is its own. */
  reach(a: Agent): Promise<Heard>;
  says: RegExp;
  /** What the gate's page names as its remedy. */
  remedy(a: Agent): Promise<unknown>;
  /** The same call again. */
  again(a: Agent): Promise<Heard>;
  /** What happens later; at least one, some of which pass. */
  later: readonly [Later, ...Later[]];
}

export interface Later {
  when: string;
  run(a: Agent): Promise<Heard>;
  outcome: Heard["outcome"];
  says?: RegExp;
}

const nameOf = ({ gate }: Story): string => gate.slice("discipline/".length);
const whole = (h: Heard): string => `${h.text}\n${h.context}\n${h.shown}`;

export function story(s: Story): void {
  test(`${s.gate}: reached, ${s.how === "note" ? "tells" : "refuses"}, remedy, then as documented`, async (t) => {
    const a = await untilOpen(t, s);
    for (const { when, run, outcome, says } of s.later) {
      const heard = await run(a);
      assert.equal(heard.outcome, outcome, `${when}: ${whole(heard)}`);
      if (says) assert.match(whole(heard), says, when);
    }
  });
  if (s.spawned)
    test(`${s.gate}: reached, refuses and opens through the built program`, async (t) => {
      await untilOpen(t, s, spawnedHook);
    });
}

/** Reaches the gate, sees it refuse or tell, does the remedy, sees it open. */
async function untilOpen(t: TestContext, s: Story, ask?: AgentOptions["ask"]): Promise<Agent> {
  const a = play(t, {
    ...(s.options && { options: s.options }),
    ...(s.files && { files: s.files }),
    ...(s.guard && { guard: s.guard }),
    gates: [nameOf(s)],
    ...(ask && { ask }),
  });
  const first = await s.reach(a);
  assert.equal(first.outcome, s.how === "note" ? "pass" : s.how, whole(first));
  if (s.how === "deny") assert.equal(first.gate, nameOf(s), first.text);
  assert.match(whole(first), s.says);
  assert.ok(first.text.split("\n").length <= 5, "at most five lines");
  await s.remedy(a);
  const second = await s.again(a);
  assert.equal(second.outcome, "pass", whole(second));
  if (s.how === "note") assert.doesNotMatch(whole(second), s.says);
  return a;
}

/** `interlock hook claude-code` as the client starts it. */
export function spawnedHook(agent: Agent, payload: JsonObject): Promise<string> {
  const program = join(process.cwd(), "dist", "interlock.cjs");
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, "hook", "claude-code"], { cwd: agent.root, env: agent.env });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done(out) : fail(new Error(`exit ${code}: ${out}`))));
    child.stdin.end(JSON.stringify(payload));
  });
}

export const edit = (a: Agent) => a.edit("src/a.ts", "a = ", "a = ");
export const fix = "Fix the wrong constant in the settings reader";
export const other = "Implement CSV export for the reporting dashboard";

/** `interlock loop`, run in this process without its output. */
export async function loopCli(a: Agent, ...words: string[]): Promise<number> {
  const { log, error } = console;
  console.log = console.error = () => undefined;
  try {
    return await loopCommand([...words, "--cwd", a.root, "--home", join(a.home, "interlock")]);
  } finally {
    Object.assign(console, { log, error });
  }
}
