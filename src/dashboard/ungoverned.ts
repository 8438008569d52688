// Calls that ran without a record, by the agent's own transcripts.
// Invariant: looked up at most every 15 seconds, in the newest part of the record; none for a ledger alone.
import { coverage, recentRecords } from "../health/coverage.js";
import type { TranscriptCall } from "../hosts/claude-code/protocol/transcript.js";
import type { DashboardSource } from "./dashboard-source.js";

const known = new WeakMap<DashboardSource, { at: number; seq: number; calls: TranscriptCall[] }>();
const keptMs = 15_000;

export function ungovernedCalls(source: DashboardSource): TranscriptCall[] {
  const { opened, index } = source;
  if (!opened) return [];
  const seq = index.rows.at(-1)?.seq ?? 0;
  const before = known.get(source);
  if (before && (before.seq === seq || Date.now() - before.at < keptMs)) return before.calls;
  let calls: TranscriptCall[] = [];
  try {
    calls = coverage(opened, Math.max(1, seq - recentRecords)).missing;
  } catch {
    // a transcript that can't be read says nothing
  }
  known.set(source, { at: Date.now(), seq, calls });
  return calls;
}
