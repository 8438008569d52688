// interlock trace reconcile: attributes commits that no hook of ours saw.

import { counted } from "../../../model/text.js";
import { reconcile } from "../../../trace/reconcile.js";
import { atMost, UsageError } from "../args.js";
import { printJson } from "../current-project.js";
import { shown } from "../paint.js";
import { withProgress } from "../progress.js";
import { say } from "../wrap.js";
import { type TraceOptions, tracePlace } from "./trace-place.js";

export async function showReconcile(values: TraceOptions, words: readonly string[], usage: string): Promise<number> {
  atMost(words, 1, usage);
  const [range = "HEAD"] = words;
  if (range.startsWith("-")) throw new UsageError(`"${range}" is no range of commits\n${usage}`);
  const found = await withProgress("reading commits", (line) =>
    reconcile(tracePlace(values), range, Date.now(), (done, total) => line.at(done, total)),
  );
  if (!found) throw new UsageError(`git knows no commits "${shown(range, 100)}"; try main~10..main`);
  if (values.json) printJson({ ...found });
  else {
    for (const { commit, subject, lines } of found.changed)
      say(`${commit.slice(0, 12)} ${counted(lines, "line")}  ${shown(subject, 80)}`);
    say(`${counted(found.commits, "commit")} looked at, ${found.changed.length} got attribution`);
  }
  return 0;
}
