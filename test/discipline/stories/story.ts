// What a gate's story is, and what several stories do.
import { join } from "node:path";
import { run as loopCommand } from "../../../src/cli/commands/loop.js";
import type { JsonObject } from "../../../src/model/json.js";
import type { Agent, Heard } from "../agent.js";

export interface Story {
  gate: string;
  /** Refuses, asks, or only tells. */
  how: "deny" | "ask" | "note";
  options?: JsonObject;
  files?: Record<string, string>;
  guard?: JsonObject;
  /** Other gates that must be on for the story. */
  with?: readonly string[];
  /** Brings the gate to speak; the answer is its own. */
  reach(a: Agent): Promise<Heard>;
  says: RegExp;
  /** What the gate's page names as its remedy. */
  remedy(a: Agent): Promise<unknown>;
  /** The same call again. */
  again(a: Agent): Promise<Heard>;
  /** What happens later, as the page says under window and reset. */
  later: readonly { when: string; run(a: Agent): Promise<Heard>; outcome: Heard["outcome"]; says?: RegExp }[];
}

export const edit = (a: Agent) => a.edit("src/a.ts", "a = ", "a = ");
export const fix = "Fix the wrong constant in the settings reader";
export const other = "Implement CSV export for the reporting dashboard";

export async function loopCli(a: Agent, ...words: string[]): Promise<number> {
  const { log, error } = console;
  console.log = console.error = () => undefined;
  try {
    return await loopCommand([...words, "--cwd", a.root, "--home", join(a.home, "interlock")]);
  } finally {
    Object.assign(console, { log, error });
  }
}
