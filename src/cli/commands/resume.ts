// interlock resume: ends a pause and revokes unused overrides. It only tightens, so anybody may run it.
import { userInfo } from "node:os";
import { overridesOf, resume } from "../../engine/overrides/grant.js";
import type { JsonObject } from "../../model/json.js";
import { parseOptions } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { green } from "../lib/paint.js";
import { say } from "../lib/wrap.js";

export const usage = "Usage: interlock resume [--json]\n";

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { json: "flag", cwd: "text", home: "text" }, usage);
  const { store } = await openHere(values);
  const now = Date.now();
  const { pause, open } = overridesOf(store.read().state as JsonObject);
  const paused = pause !== undefined && pause.until > now;
  if (!paused && !open.some((o) => o.expires > now)) {
    if (values.json) printJson({ resumed: false });
    else say("Nothing to do: no refusal is lifted.");
    return 0;
  }
  resume(store, { reason: "resumed", by: userInfo().username, channel: "terminal", ms: 0, now });
  if (values.json) printJson({ resumed: true });
  else say(green("Interlock refuses again."));
  return 0;
}
