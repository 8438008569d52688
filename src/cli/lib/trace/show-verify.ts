// interlock trace verify: records and notes against the commits they name.
import { verifyTrace } from "../../../trace/verify-trace.js";
import { atMost } from "../args.js";
import { printJson } from "../current-project.js";
import { green, red, shown } from "../paint.js";
import { type TraceOptions, tracePlace } from "./trace-place.js";

export async function showVerify(values: TraceOptions, words: readonly string[], usage: string): Promise<number> {
  atMost(words, 0, usage);
  const check = await verifyTrace(tracePlace(values));
  if (values.json) printJson({ ...check });
  else {
    for (const { where, problem, next } of check.findings)
      console.log(`${red("finding")} ${shown(where, 120)}: ${shown(problem, 200)}\n  next: ${shown(next, 160)}`);
    const found = check.findings.length;
    console.log(
      `${check.records} records (${check.final} of commits, ${check.open} of lines in no commit), ` +
        `${check.notes} notes, ${check.goneCommits} about commits that are not here: ` +
        (found ? red(`${found} findings`) : green("in order")),
    );
  }
  return check.findings.length ? 1 : 0;
}
