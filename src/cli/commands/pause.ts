// interlock pause: a person suspends refusals for a while. Invariant: what no override lifts is refused all the same.
import { pause } from "../../engine/overrides/grant.js";
import { parseOptions } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { clock, yellow } from "../lib/paint.js";
import { say } from "../lib/wrap.js";
import { personsWish } from "./allow.js";

export const usage = `Usage: interlock pause --reason "<why>" [--for 10m] [--json]

  Lifts the refusals of this project until the time is over (90s, 10m, 2h; at most 8h) or interlock resume.
  Each lifted refusal is still recorded. What protects Interlock itself is refused all the same.
  A person has to type it in a terminal that is not the agent's.
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(
    args,
    { reason: "text", for: "text", json: "flag", cwd: "text", home: "text" },
    usage,
  );
  const wish = personsWish(values, usage);
  if (!wish) return 1;
  const { store } = await openHere(values);
  const seq = pause(store, wish);
  const until = new Date(wish.now + wish.ms);
  if (values.json) printJson({ paused: true, until: until.toISOString(), seq });
  else say(yellow(`Paused until ${clock(until)}. End it with: interlock resume`));
  return 0;
}
