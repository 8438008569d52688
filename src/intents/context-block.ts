// The <intent_context> block an agent gets when it selects an intent: what it may change, what holds, what was done.
// Invariant: everything from files is escaped; the block never exceeds its byte cap, history is cut first.
import { type Intent, type IntentSet, lineOf } from "./intent.js";
import type { RecordedLesson } from "./lessons.js";
import { inScope } from "./scope-patterns.js";

/** One earlier change under the intent. */
export interface HistoryEntry {
  at: string;
  file: string;
  lines?: string;
  class?: string;
  /** Whether the lines are still in the file as they were written. */
  present?: boolean;
}

export interface ContextParts {
  set: IntentSet;
  intent: Intent;
  history?: readonly HistoryEntry[];
  lessons?: readonly RecordedLesson[];
  /** How refused attempts and open requests look, one line each. */
  notes?: readonly string[];
}

export const contextBytes = 16_000;
const mostHistory = 10;
const mostLessons = 10;

export function contextBlock(parts: ContextParts, most = contextBytes): string {
  const history = (parts.history ?? []).slice(0, mostHistory);
  const lessons = lessonsFor(parts.intent, parts.lessons ?? []).slice(0, mostLessons);
  for (;;) {
    const text = block(parts, history, lessons);
    if (Buffer.byteLength(text) <= most) return text;
    if (history.length) history.pop();
    else if (lessons.length) lessons.pop();
    else return `${cutTo(text, most - 60)}\n  <cut>the file says more</cut>\n</intent_context>`;
  }
}

/** Lessons about files in the scope, or about no file, newest first. */
export const lessonsFor = (intent: Intent, lessons: readonly RecordedLesson[]): RecordedLesson[] =>
  lessons.filter((l) => !l.files.length || l.files.some((file) => inScope(intent, file))).reverse();

function block(
  { set, intent, notes = [] }: ContextParts,
  history: readonly HistoryEntry[],
  lessons: readonly RecordedLesson[],
): string {
  const constraints = [...new Set(lineOf(set, intent).flatMap((i) => i.constraints))];
  const scope = intent.anyScope ? ["any file but the control files"] : intent.scope;
  const lines = [
    "<intent_context>",
    ...one("intent_id", intent.id),
    ...one("name", intent.name),
    ...one("status", intent.status),
    ...list("owned_scope", "path", scope, "nothing may be changed: the scope is empty"),
    ...list("constraints", "constraint", constraints),
    ...list(
      "acceptance_criteria",
      "criterion",
      intent.criteria.map((c, i) => `${i + 1}. [${c.met ? "x" : " "}] ${c.text}`),
    ),
    ...list(
      "related_specs",
      "spec",
      (intent.specs ?? []).map((s) => `${s.type}: ${s.ref}`),
    ),
    ...list("recent_history", "change", history.map(changeLine)),
    ...list(
      "lessons",
      "lesson",
      lessons.map((l) => `${l.date} ${l.text}${l.files.length ? ` [${l.files.join(", ")}]` : ""}`),
    ),
    ...list("notes", "note", notes),
    "</intent_context>",
  ];
  return lines.join("\n");
}

const changeLine = ({ at, file, lines, class: kind, present }: HistoryEntry): string =>
  [at, `${file}${lines ? `:${lines}` : ""}`, kind, present === false ? "(changed since)" : ""]
    .filter(Boolean)
    .join(" ");

const one = (name: string, text: string): string[] => [`  <${name}>${escapeXml(text)}</${name}>`];

function list(name: string, item: string, texts: readonly string[], empty?: string): string[] {
  if (!texts.length) return empty ? [`  <${name}>${escapeXml(empty)}</${name}>`] : [];
  return [`  <${name}>`, ...texts.map((text) => `    <${item}>${escapeXml(text)}</${item}>`), `  </${name}>`];
}

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text of a file inside a tag: no tag of its own, no invisible character, one line. */
export const escapeXml = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(unseen, "")
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

function cutTo(text: string, bytes: number): string {
  const cut = Buffer.from(text)
    .subarray(0, bytes)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
  return cut.slice(0, Math.max(0, cut.lastIndexOf("\n")));
}
