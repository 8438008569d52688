// A look as data: numbered lines, each with its cases. The screen, --json and --html all show this.
// Invariant: the numbers are the same in all three.
import type { Backtest } from "./backtest.js";
import { doubtfulCases, type FindingGroup, type LookCase, sure } from "./findings.js";
import { type SuggestedConfig, sessionsWith, suggestedConfig } from "./suggested-config.js";

export interface LookLine {
  /** What `--case` opens. */
  number: number;
  id: string;
  title: string;
  /** Cases without a doubt. */
  count: number;
  sessions: number;
  doubtful: number;
  tokens?: number;
  cases: LookCase[];
}

export interface LookReport {
  sessions: number;
  calls: number;
  turnedAway: number;
  bytes: number;
  from: number;
  to: number;
  skipped: { unknownFormat: number; failed: { file: string; why: string }[]; badLines: number };
  incidents: LookLine[];
  /** By gate, guard first. */
  refusals: LookLine[];
  suggestion: SuggestedConfig;
  problems: string[];
}

export function lookReport(found: Backtest): LookReport {
  const incidents = [...found.findings.incidents.values()].map((group, i) => lineOf(group, i + 1));
  const gates = [...found.findings.gates.values()].sort(
    (a, b) => rank(a.id) - rank(b.id) || sure(b.cases).length - sure(a.cases).length || (a.id < b.id ? -1 : 1),
  );
  return {
    sessions: found.sessions,
    calls: found.calls,
    turnedAway: found.turnedAway,
    bytes: found.bytes,
    from: found.from,
    to: found.to,
    skipped: { ...found.skipped, unknownFormat: found.skipped.unknownFormat.length },
    incidents,
    refusals: gates.map((group, i) => lineOf(group, incidents.length + i + 1)),
    suggestion: suggestedConfig(found),
    problems: found.problems,
  };
}

const order = ["guard", "rules", "discipline"];
const rank = (id: string): number => order.indexOf(id.split("/")[0]!);

function lineOf(group: FindingGroup, number: number): LookLine {
  const { id, title } = group;
  const certain = sure(group.cases);
  const tokens = certain.reduce((sum, c) => sum + (c.tokens ?? 0), 0);
  const cases = [...certain, ...doubtfulCases(group.cases)];
  return {
    number,
    id,
    title,
    count: certain.length,
    sessions: sessionsWith(group).size,
    doubtful: cases.length - certain.length,
    ...(tokens && { tokens }),
    cases,
  };
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export function dayOf(time: number): string {
  const day = new Date(time);
  return `${day.getUTCDate()} ${months[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}
