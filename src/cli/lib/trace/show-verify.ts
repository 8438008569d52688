// interlock trace verify: records and notes against the commits they name.

import { counted } from "../../../model/text.js";
import { verifyTrace } from "../../../trace/verify-trace.js";
import { atMost } from "../args.js";
import { printJson } from "../current-project.js";
import { green, red, shown } from "../paint.js";
import { withProgress } from "../progress.js";
import { say } from "../wrap.js";
import { type TraceOptions, tracePlace } from "./trace-place.js";

export async function showVerify(values: TraceOptions, words: readonly string[], usage: string): Promise<number> {
  atMost(words, 0, usage);
  const check = await withProgress("checking the trace", () => verifyTrace(tracePlace(values)));
  if (values.json) printJson({ ...check });
  else {
    for (const { where, problem, next } of check.findings)
      say(`${red("finding")} ${shown(where, 120)}: ${shown(problem, 200)}\n  next: ${shown(next, 160)}`);
    const found = check.findings.length;
    say(
      `${counted(check.records, "record")} (${check.final} of commits, ${check.open} of lines in no commit), ` +
        `${counted(check.notes, "note")}, ${check.goneCommits} about commits that are not here: ` +
        (found ? red(counted(found, "finding")) : green("in order")),
    );
  }
  return check.findings.length ? 1 : 0;
}
