// The statistics of one session in two lines of text.
import type { SessionStats } from "./history-memory.js";

export function statsLines(s: SessionStats): string[] {
  const gates = Object.entries(s.gates)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([gate, n]) => `${gate} ${n}`);
  return [
    `${new Date(s.at).toISOString().slice(0, 16).replace("T", " ")}  score ${s.score}/10  ${s.edits} ` +
      `edits of ${s.files} files, ${s.passing} of ${s.runs} runs good, ${s.unverified} files unverified`,
    `  blocks ${s.blocks}${gates.length ? ` (${gates.join(", ")})` : ""}, breaker trips ${s.trips}, ` +
      `overrides ${s.overrides ?? 0}, frustrated prompts ` +
      `${s.frustrations}${s.rating === undefined ? "" : `, rated itself ${s.rating}/10`}`,
  ];
}
