// The statistics of one session in two lines of text.
import { counted } from "../../../model/text.js";
import type { SessionStats } from "./history-memory.js";

/** How many runs of the tests were good. */
export const runsOf = ({ runs, passing }: Pick<SessionStats, "runs" | "passing">): string =>
  runs ? `${passing} of ${counted(runs, "test run")} passed` : "no test run";

export function statsLines(s: SessionStats): string[] {
  const gates = Object.entries(s.gates)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([gate, n]) => `${gate} ${n}`);
  const at = new Date(s.at).toISOString().slice(0, 16).replace("T", " ");
  const edits = `${counted(s.edits, "edit")} of ${counted(s.files, "file")}`;
  return [
    `${at}  score ${s.score}/10  ${edits}, ${runsOf(s)}, ${counted(s.unverified, "file")} not tested`,
    `  blocks ${s.blocks}${gates.length ? ` (${gates.join(", ")})` : ""}, breaker trips ${s.trips}, ` +
      `overrides ${s.overrides ?? 0}, frustrated prompts ` +
      `${s.frustrations}${s.rating === undefined ? "" : `, rated itself ${s.rating}/10`}`,
  ];
}
