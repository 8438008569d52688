// Whether an event comes from where it says: who started the hook, and what the host wrote down of a prompt.
// Invariant: reads a bounded tail of the transcript and believes only whole lines the host wrote for words of a user.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isObject, type JsonObject } from "../../model/json.js";

/** What the processes above the hook say. `unknown` is no accusation. */
export interface HookOrigin {
  kind: "genuine" | "forged" | "unknown";
  why: string;
  /** Another agent, or a program (`-p`), gave this one its prompts: they are no person's words. */
  nested?: true;
}

const TAIL = 4 << 20;

export interface Typed {
  /** Whether these are the words of the prompt. */
  matches(words: string): boolean;
  /** Of the prompt, where the host gives one. */
  promptId?: string;
  session: string;
  /** When the event came; an older line proves nothing. */
  at: number;
}

/** `typed`: a person's words; `headless`: given to the client by a program (`-p`, SDK); `absent`: nobody's. */
export type Proof = { kind: "typed" | "headless"; words: string } | { kind: "absent" };

export function typedIn(transcript: string | undefined, typed: Typed): Proof {
  for (const line of tailLines(transcript)) {
    const entry = userLine(line, typed);
    if (entry) return { kind: isHeadless(entry) ? "headless" : "typed", words: wordsOf(entry["message"])! };
  }
  return { kind: "absent" };
}

function userLine(line: string, { matches, promptId, session, at }: Typed): JsonObject | undefined {
  // Cheaper than parsing every long line of a conversation.
  if (!line.includes('"user"')) return undefined;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined; // the first line of the tail is usually half a line
  }
  if (!isObject(entry) || entry["type"] !== "user" || entry["isMeta"] === true || entry["isSidechain"] === true)
    return undefined;
  if (entry["toolUseResult"] !== undefined || entry["sourceToolAssistantUUID"] !== undefined) return undefined;
  if (entry["sessionId"] !== undefined && entry["sessionId"] !== session) return undefined;
  if (promptId !== undefined && entry["promptId"] !== undefined && entry["promptId"] !== promptId) return undefined;
  const time = Date.parse(String(entry["timestamp"]));
  if (!(time >= at - 60_000)) return undefined;
  const words = wordsOf(entry["message"]);
  return words !== undefined && matches(words) ? entry : undefined;
}

function wordsOf(message: unknown): string | undefined {
  if (!isObject(message) || message["role"] !== "user") return undefined;
  const { content } = message;
  if (typeof content === "string") return content.trim();
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const [part] = content;
  return isObject(part) && part["type"] === "text" && typeof part["text"] === "string"
    ? part["text"].trim()
    : undefined;
}

const isHeadless = (entry: JsonObject): boolean =>
  [entry["promptSource"], entry["turnOrigin"], entry["entrypoint"]].some(
    (value) => typeof value === "string" && /^sdk\b/.test(value),
  );

/** Newest first. */
function tailLines(file: string | undefined): string[] {
  if (!file) return [];
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, TAIL));
    const read = readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8", 0, read).split("\n").reverse();
  } catch {
    return []; // no transcript yet: nothing is proved
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
