// interlock trace stats: how many lines are whose.

import { counted } from "../../../model/text.js";
import { hookPlaces } from "../../../trace/git-hooks.js";
import { type LineCount, traceStats } from "../../../trace/trace-stats.js";
import { printJson } from "../current-project.js";
import { bold, dim, shown } from "../paint.js";
import { withProgress } from "../progress.js";
import { say } from "../wrap.js";
import { pathBelow, type TraceOptions, tracePlace } from "./trace-place.js";

export async function showStats(values: TraceOptions, words: readonly string[]): Promise<number> {
  const place = tracePlace(values);
  const below = words.map((word) => pathBelow(place, values, word));
  const wanted = (path: string) =>
    !below.length || below.some((one) => one === "" || path === one || path.startsWith(`${one}/`));
  const stats = await withProgress("reading the trace", (line) =>
    traceStats(place, wanted, (done, total) => line.at(done, total)),
  );
  if (values.json) {
    printJson({ ...stats });
    return 0;
  }
  say(`${bold(counted(stats.files, "file"))} ${row(stats.total)}`);
  list("intents", stats.intents);
  list("models", stats.models);
  for (const [folder, count] of Object.entries(stats.folders).sort(([a], [b]) => (a < b ? -1 : 1)))
    say(`  ${shown(folder, 40).padEnd(24)} ${row(count)}`);
  say(dim("outside: changed outside the observed calls, by a person, git or another tool; unknown: not seen"));
  if (!stats.total.ai && hookPlaces(place.root).every(({ state }) => state === "absent"))
    say(dim("No agent's line is traced in commits until the git hooks are there: interlock trace install-hooks"));
  return 0;
}

const row = ({ ai, outside, unknown }: LineCount): string => `agent ${ai}, outside ${outside}, unknown ${unknown}`;

function list(name: string, counts: Readonly<Record<string, number>>): void {
  for (const [key, lines] of Object.entries(counts).sort(([, a], [, b]) => b - a))
    say(`  ${name.slice(0, -1)} ${shown(key, 60)}: ${counted(lines, "line")}`);
}
