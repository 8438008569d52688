// interlock orphans: agent and MCP processes whose parent has ended.
// Invariant: only reports; ends at most one process, which a person names by id and start time, never by name.
import { orphans, startTimeOf } from "../../health/orphans.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { confirm, person } from "../lib/confirm.js";
import { printJson } from "../lib/current-project.js";
import { shown } from "../lib/paint.js";
import { say, sayError } from "../lib/wrap.js";

export const usage =
  "Usage: interlock orphans [--json]\n       interlock orphans --end <id>:<start> [--yes]      ends that one process\n";

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { end: "text", yes: "flag", json: "flag" }, usage);
  if (values.end === undefined) {
    const found = orphans();
    if (values.json) printJson({ orphans: found });
    else if (!found.length) say("No orphaned agent or MCP process.");
    else {
      for (const o of found) say(`${o.pid}:${o.start}  ${o.minutes} min  ${shown(o.command, 100)}`);
      say("End one of yours with: interlock orphans --end <id>:<start>");
    }
    return found.length ? 1 : 0;
  }
  const named = /^(\d+):(\d+)$/.exec(values.end);
  if (!named) throw new UsageError(`--end wants <id>:<start> as listed\n${usage}`);
  const [pid, start] = [Number(named[1]), Number(named[2])];
  const found = orphans().find((o) => o.pid === pid && o.start === start);
  if (!found) {
    sayError("interlock: no orphan with this id and start time; list them again.");
    return 1;
  }
  if (person(values.json) === undefined) return 1;
  if (!(await confirm(`End ${pid} (${shown(found.command, 80)})?`, values.yes))) return 1;
  if (startTimeOf(pid) !== start) {
    sayError("interlock: that process is gone already.");
    return 1;
  }
  process.kill(pid, "SIGTERM");
  say(`Asked ${pid} to end.`);
  return 0;
}
