// interlock compact: compresses the closed segments of this project's record. Loses nothing.

import { parseOptions } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { withProgress } from "../lib/progress.js";
import { say } from "../lib/wrap.js";

export const usage = `Usage: interlock compact [--close] [--json]
Compresses the closed parts of this project's record to about a fifth of their size.
Interlock does the same by itself, one part at the end of a turn. Nothing is lost: interlock verify,
why, log and seal read both forms.
  --close   close the newest part too
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { close: "flag", json: "flag", cwd: "text", home: "text" }, usage);
  const { store } = await openHere(values);
  const segments = await withProgress("compressing", () => store.compact(Number.POSITIVE_INFINITY, values.close));
  if (values.json) printJson({ segments });
  else say(segments ? `compressed ${segments} segment${segments === 1 ? "" : "s"}` : "nothing to compress");
  return 0;
}
