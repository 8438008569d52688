// The capsule: what one agent session tells the next, in at most 30 lines. Found in an agent's output, validated, or
// made from facts.
// Invariant: whatever `capsuleFor` returns is valid; a capsule Interlock made says so and why, and holds no text of
// the agent's log.
//
// For `interlock kit`: `capsuleFor(output, facts)` after the phase, `writeCapsule` to store it, `readCapsule` before
// handing it on.
import { readBoundedText } from "../project/bounded-read.js";
import { replaceFile } from "../project/replace-file.js";
import type { FileFinding } from "./schemas.js";

export const capsuleLimits = { lines: 30, bytes: 8_192 } as const;
export const capsuleStart = "===CAPSULE===";
export const capsuleEnd = "===/CAPSULE===";

export const capsuleLabels = [
  "Goal:",
  "What happened:",
  "Current status:",
  "Next action requested (exactly one):",
  "Evidence pointers:",
  "If blocked:",
] as const;
const nextLabel = capsuleLabels[3];
const madeBy = "Made by Interlock:";

/** What is known of a phase without reading anyone's prose. */
export interface PhaseFacts {
  kit: string;
  phase: string;
  goal: string;
  exitCode: number | null;
  /** Paths created or changed. */
  changed: readonly string[];
  refused?: readonly { gate: string; times: number }[];
  tests?: { passed: number; failed: number; skipped: number };
  timedOut?: boolean;
  /** Manifest, log and other pointers to the truth. */
  pointers: readonly string[];
  log?: string;
  /** What to do next; derived from the facts when left out. */
  next?: string;
}

export interface Capsule {
  text: string;
  source: "agent" | "interlock";
  /** Why Interlock made it. */
  reason?: string;
}

/** The agent's last capsule if it is valid, else one made from the facts. */
export function capsuleFor(output: string, facts: PhaseFacts): Capsule {
  const found = lastCapsule(output);
  if (found === undefined) return madeCapsule(facts, "the agent printed no capsule");
  const text = tidied(found);
  const [fault] = capsuleFindings(text);
  return fault ? madeCapsule(facts, `the agent's capsule was not valid: ${fault.problem}`) : { text, source: "agent" };
}

/** Inner text of the last whole block, in plain output or in stream-JSON lines. */
export function lastCapsule(output: string): string | undefined {
  return lastBlock(plainText(output)) ?? lastBlock(output);
}

function lastBlock(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  for (let end = lines.length - 1; end >= 0; end--) {
    if (lines[end]!.trim() !== capsuleEnd) continue;
    for (let start = end - 1; start >= 0; start--) {
      const line = lines[start]!.trim();
      if (line === capsuleStart) return lines.slice(start + 1, end).join("\n");
      if (line === capsuleEnd) break;
    }
  }
  return undefined;
}

/** The words of the assistant in stream-JSON output; other output as it is. */
export function plainText(output: string): string {
  const parts: string[] = [];
  let stream = false;
  for (const line of output.split("\n")) {
    const said = line.startsWith("{") ? textIn(line) : undefined;
    if (said !== undefined) {
      stream = true;
      parts.push(...said);
    } else if (!line.startsWith("{")) parts.push(line);
  }
  return stream ? parts.join("\n") : output;
}

interface StreamLine {
  type?: string;
  result?: unknown;
  parent_tool_use_id?: string | null;
  message?: { content?: unknown };
  item?: { type?: string; text?: unknown };
}

/** Undefined for a line that is no stream-JSON at all; what tools and subagents print is left out. */
function textIn(line: string): string[] | undefined {
  let value: StreamLine;
  try {
    value = JSON.parse(line) as StreamLine;
  } catch {
    return undefined; // a line of some other output
  }
  if (typeof value.type !== "string") return undefined;
  if (value.type === "result") return typeof value.result === "string" ? [value.result] : [];
  if (value.type === "item.completed" && value.item?.type === "agent_message") return [String(value.item.text ?? "")];
  if (value.type !== "assistant" || value.parent_tool_use_id) return [];
  const content = value.message?.content;
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: { type?: string; text?: unknown }) =>
    block?.type === "text" && typeof block.text === "string" ? [block.text] : [],
  );
}

/** Blank lines dropped, list marks and bold before a label taken off. What counts is kept as it is. */
function tidied(text: string): string {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "")
    .map((line) => line.replace(/^\s*(?:[-*]\s+)?(?:\*\*)?([A-Z][A-Za-z ]+(?:\(exactly one\))?:)(?:\*\*)?/, "$1"));
  return `${lines.join("\n")}\n`;
}

/** Everything wrong with a capsule's text, with line numbers. */
export function capsuleFindings(text: string): FileFinding[] {
  const lines = text.replace(/\n$/, "").split(/\r?\n/);
  const findings: FileFinding[] = [];
  const add = (problem: string, remedy: string, line = 1) => findings.push({ field: "", problem, remedy, line });
  if (lines.length > capsuleLimits.lines)
    add(`${lines.length} lines, at most ${capsuleLimits.lines}`, "point at files instead of repeating them", 31);
  const bytes = Buffer.byteLength(text);
  if (bytes > capsuleLimits.bytes)
    add(`${bytes} bytes, at most ${capsuleLimits.bytes}`, "shorten the lines and point at files");
  // Far beyond the limit the rest says nothing more, and looking would take time.
  if (bytes > 8 * capsuleLimits.bytes) return findings;
  lines.forEach((line, i) => {
    if (/```|~~~/.test(line)) add("code fence", "name the file and line instead of quoting code", i + 1);
    if (isRawLog(line)) add("raw log line", "name the log file and the query that shows it", i + 1);
    if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(line)) add("control character", "remove it", i + 1);
  });
  for (const label of capsuleLabels) {
    const at = lines.flatMap((line, i) => (line.startsWith(label) ? [i] : []));
    if (!at.length) add(`no line starts with "${label}"`, `add a line "${label} ..."`);
    else if (at.length > 1) add(`"${label}" stands ${at.length} times`, "keep one of them", at[1]! + 1);
  }
  nextActionFindings(lines, add);
  return findings;
}

function nextActionFindings(lines: string[], add: (problem: string, remedy: string, line?: number) => void): void {
  const at = lines.findIndex((line) => line.startsWith(nextLabel));
  if (at < 0) return;
  const after = lines.slice(at + 1);
  const stop = after.findIndex((line) => capsuleLabels.some((label) => line.startsWith(label)));
  const body = [lines[at]!.slice(nextLabel.length), ...(stop < 0 ? after : after.slice(0, stop))];
  const said = body.map((line) => line.trim()).filter(Boolean);
  if (!said.length) add("no next action is named", "say the one thing to do next, or `none`", at + 1);
  const items = said.filter((line) => /^(?:[-*]|\d+[.)])\s/.test(line));
  if (items.length > 1) add(`${items.length} next actions, exactly one is wanted`, "keep the first one", at + 1);
}

const logLines: readonly RegExp[] = [
  /^\s*at .{1,200}\(?[^\s()]+:\d+:\d+\)?$/,
  /^Traceback \(most recent call last\)/,
  /^\s*File "[^"]+", line \d+/,
  /\u001b\[/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\]]*\]?\s+\[?(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)/,
  /^\{"(?:type|ts|timestamp|level)":/,
];
const isRawLog = (line: string): boolean => logLines.some((pattern) => pattern.test(line));

/** From facts only; always valid, whatever the facts hold. */
export function madeCapsule(facts: PhaseFacts, reason: string): Capsule {
  const required = [
    `${capsuleLabels[0]} ${clean(facts.goal, 300) || `${facts.kit} ${facts.phase}`}`,
    `${capsuleLabels[1]} ${happened(facts)}`,
    `${capsuleLabels[2]} ${status(facts)}`,
    `${nextLabel} ${clean(facts.next ?? "", 300) || clean(nextFrom(facts), 300)}`,
    `${capsuleLabels[4]} ${facts.pointers.length ? `${facts.pointers.length} below` : "none"}`,
  ];
  const blocked = `${capsuleLabels[5]} ${blockedBy(facts)}`;
  const head = [`${madeBy} ${clean(reason, 200)}`, ...required];
  const lines = [
    ...facts.pointers.map((p) => `  ${clean(p, 200)}`),
    ...facts.changed.map((p) => `  changed ${clean(p, 200)}`),
  ];
  const room = capsuleLimits.lines - head.length - 1;
  const kept =
    lines.length > room
      ? [...lines.slice(0, room - 1), `  and ${lines.length - room + 1} more, see the manifest`]
      : lines;
  let text = `${[...head, ...kept, blocked].join("\n")}\n`;
  // Only pointer lines are ever dropped; the labelled lines are short by construction.
  while (Buffer.byteLength(text) > capsuleLimits.bytes && kept.length) {
    kept.pop();
    text = `${[...head, ...kept, blocked].join("\n")}\n`;
  }
  return { text, source: "interlock", reason };
}

const clean = (text: string, max: number): string =>
  text
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .replace(/```+|~~~+/g, "'")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, max);

function happened({ kit, phase, exitCode, changed, refused = [], tests, timedOut }: PhaseFacts): string {
  const parts = [`${kit} ${phase} ${timedOut ? "ran out of time" : `ended with exit code ${exitCode ?? "unknown"}`}`];
  parts.push(`${changed.length} file${changed.length === 1 ? "" : "s"} changed`);
  if (tests) parts.push(`tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`);
  if (refused.length)
    parts.push(
      `refused by ${refused
        .map((r) => `${clean(r.gate, 60)} (${r.times})`)
        .slice(0, 5)
        .join(", ")}`,
    );
  return clean(parts.join("; "), 600);
}

/** Tests that fail are what the red phase is for. */
const isRed = ({ kit, phase }: PhaseFacts): boolean => kit === "tdd" && phase === "red";
const isFine = (facts: PhaseFacts): boolean =>
  facts.exitCode === 0 && !facts.timedOut && (isRed(facts) || !facts.tests?.failed);

function status(facts: PhaseFacts): string {
  if (isFine(facts)) return "done, not confirmed by the agent";
  return facts.refused?.length ? "blocked" : "failed";
}

function nextFrom(facts: PhaseFacts): string {
  if (isFine(facts)) return isRed(facts) ? "run tdd green" : "read the manifest and check the changed files";
  if (facts.refused?.length)
    return `resolve what ${clean(facts.refused[0]!.gate, 60)} refuses, then run ${facts.kit} ${facts.phase} again`;
  return `find the first error in the log, then run ${facts.kit} ${facts.phase} again`;
}

function blockedBy(facts: PhaseFacts): string {
  if (isFine(facts)) return "not blocked";
  const sign = facts.refused?.length
    ? facts.refused[0]!.gate
    : facts.timedOut
      ? "timeout"
      : `exit code ${facts.exitCode ?? "unknown"}`;
  const query = facts.log ? `; query: interlock query-log errors ${facts.log}` : "";
  return clean(`${sign}${query}`, 400);
}

/** Refuses to write what is not valid. */
export function writeCapsule(path: string, capsule: Capsule): void {
  const [fault] = capsuleFindings(capsule.text);
  if (fault) throw new Error(`the capsule is not valid: ${fault.problem}; ${fault.remedy}`);
  replaceFile(path, capsule.text);
}

/** Checked again when read: somebody may have changed it since. */
export function readCapsule(path: string): { text: string; findings: FileFinding[]; madeByInterlock: boolean } {
  const text = readBoundedText(path, 1 << 20);
  return { text, findings: capsuleFindings(text), madeByInterlock: text.startsWith(madeBy) };
}
