// The status line as text: what is known of the session, most important first, cut to the terminal's width.
// Invariant: pure, one line, foreign text inert; a part that does not fit is left out whole.
import { inert } from "../model/text.js";

export interface LineFacts {
  grade: string;
  /** Something keeps refusals from working, in a word or two. */
  alarm?: string;
  /** Milliseconds until a pause ends. */
  pausedFor?: number;
  research?: { done: number; of: number };
  plan?: "required" | "shown";
  breaker?: { failures: number; of: number; tripped: boolean };
  intent?: string;
  phase?: string;
  /** Refused calls of this session. */
  blocked: number;
  /** Milliseconds since a commit vouched for the record. */
  anchorAge?: number;
}

export interface LineLook {
  width: number;
  colour: boolean;
}

interface Part {
  text: string;
  /** The smallest goes first when there is no room. */
  weight: number;
  colour?: 31 | 32 | 33 | 2;
}

const separator = " \u00b7 ";

export function statusLine(facts: LineFacts, { width, colour }: LineLook): string {
  let parts = partsOf(facts);
  const length = () => parts.reduce((sum, { text }) => sum + text.length, 0) + separator.length * (parts.length - 1);
  while (parts.length > 1 && length() > width) {
    const least = Math.min(...parts.map(({ weight }) => weight));
    parts = parts.filter(({ weight }) => weight !== least);
  }
  const painted = parts.map(({ text, colour: code }) => (colour && code ? `\u001b[${code}m${text}\u001b[0m` : text));
  return painted.join(separator);
}

function partsOf(facts: LineFacts): Part[] {
  const { grade, alarm, pausedFor, research, plan, breaker, intent, phase, blocked, anchorAge } = facts;
  const parts: Part[] = [{ text: `interlock ${grade}`, weight: 100, colour: grade === "observe" ? 33 : 32 }];
  if (alarm) parts.push({ text: inert(alarm, 40), weight: 99, colour: 31 });
  if (pausedFor !== undefined) parts.push({ text: `PAUSED ${shortTime(pausedFor)}`, weight: 98, colour: 33 });
  if (research) parts.push({ text: `research ${research.done}/${research.of}`, weight: 50 });
  if (plan) parts.push({ text: plan === "shown" ? "plan waits for you" : "plan required", weight: 55 });
  if (breaker?.tripped) parts.push({ text: "breaker TRIPPED", weight: 90, colour: 31 });
  else if (breaker?.failures) parts.push({ text: `breaker ${breaker.failures}/${breaker.of}`, weight: 60, colour: 33 });
  if (intent) parts.push({ text: inert(intent, 24), weight: 70 });
  if (phase) parts.push({ text: inert(phase, 24), weight: 65 });
  if (blocked) parts.push({ text: `${blocked} blocked`, weight: 80, colour: 31 });
  if (anchorAge !== undefined) parts.push({ text: `\u2693 ${shortTime(anchorAge)}`, weight: 40, colour: 2 });
  return parts;
}

function shortTime(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 90) return `${minutes}m`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)}h` : `${Math.round(minutes / 1440)}d`;
}

/** Beside the user's own line where both fit, else below it. */
export function joinedLines(users: string, own: string, width: number): string {
  const lines = users.replace(/\s+$/, "").split("\n");
  const last = lines.at(-1) ?? "";
  if (!users.trim()) return own;
  const fits = visibleLength(last) + 3 + visibleLength(own) <= width;
  return fits ? [...lines.slice(0, -1), `${last} | ${own}`].join("\n") : [...lines, own].join("\n");
}

const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
const visibleLength = (text: string): number => text.replace(escapes, "").length;
