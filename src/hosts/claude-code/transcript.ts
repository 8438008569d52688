// The client's own account of a session: which tools the model called and whether they ran, from the transcript it keeps.
// Invariant: reads only; a line that is torn, foreign or huge is passed over and never fails the reading.
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { asString, isObject, type Json, type JsonObject } from "../../engine/json.js";

export interface TranscriptCall {
  id: string;
  tool: string;
  time: string;
  session: string;
  /** Present for calls of a sub-agent. */
  agent?: string;
  transcript: string;
  /** Whether the tool ran: not before there is a result, and not where the client itself turned the call away. */
  ran: boolean;
}

/** Where the client keeps the transcripts of a project. */
export const transcriptFolder = (root: string, configDir = join(homedir(), ".claude")): string =>
  join(configDir, "projects", root.replace(/[^a-zA-Z0-9]/g, "-"));

/** The transcripts in a folder, those of sub-agents included. */
export function transcriptsIn(folder: string): string[] {
  const found: string[] = [];
  for (const entry of list(folder)) {
    if (entry.isFile() && entry.name.endsWith(".jsonl")) found.push(join(folder, entry.name));
    if (!entry.isDirectory()) continue;
    const below = join(folder, entry.name, "subagents");
    for (const sub of list(below)) if (sub.isFile() && sub.name.endsWith(".jsonl")) found.push(join(below, sub.name));
  }
  return found;
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no such folder: no session was held there
  }
}

/** Calls the client turned away before any hook was asked: their input did not fit, or the tool does not exist. */
const neverAsked = /^\s*<tool_use_error>/;

export function callsIn(transcript: string): TranscriptCall[] {
  const calls = new Map<string, TranscriptCall>();
  for (const line of lines(transcript)) {
    if (!line.includes('"tool_use"') && !line.includes('"tool_result"')) continue;
    const entry = parsed(line);
    const message = entry?.["message"];
    const content = isObject(message) ? message["content"] : undefined;
    if (!entry || !Array.isArray(content)) continue;
    for (const block of content) {
      if (!isObject(block)) continue;
      if (block["type"] === "tool_use" && entry["type"] === "assistant") add(calls, entry, block, transcript);
      if (block["type"] === "tool_result") {
        const call = calls.get(String(block["tool_use_id"]));
        if (call) call.ran = !(block["is_error"] === true && neverAsked.test(textOf(block["content"])));
      }
    }
  }
  return [...calls.values()];
}

function add(calls: Map<string, TranscriptCall>, entry: JsonObject, block: JsonObject, transcript: string): void {
  const id = asString(block["id"]);
  if (!id || calls.has(id)) return;
  const agent = asString(entry["agentId"]);
  calls.set(id, {
    id,
    tool: asString(block["name"]) ?? "",
    time: asString(entry["timestamp"]) ?? "",
    session: asString(entry["sessionId"]) ?? "",
    ...(agent ? { agent } : {}),
    transcript,
    ran: false,
  });
}

function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isObject(part) ? (asString(part["text"]) ?? "") : "")).join("");
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // the last line of a session that is being written, or not JSON at all
  }
}

const piece = 1 << 20;
const maxLine = 64 << 20;

/** Line by line, so that a long transcript never lies in memory whole. */
function* lines(file: string): Generator<string> {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch {
    return; // gone or not ours to read: it says nothing
  }
  try {
    const buffer = Buffer.allocUnsafe(piece);
    let rest: Buffer[] = [];
    let held = 0;
    for (let n = readSync(fd, buffer); n > 0; n = readSync(fd, buffer)) {
      let from = 0;
      for (let end = buffer.indexOf(10, from); end >= 0 && end < n; end = buffer.indexOf(10, from)) {
        rest.push(Buffer.from(buffer.subarray(from, end)));
        if (held <= maxLine) yield Buffer.concat(rest).toString("utf8");
        rest = [];
        held = 0;
        from = end + 1;
      }
      if (held <= maxLine) rest.push(Buffer.from(buffer.subarray(from, n)));
      held += n - from;
    }
    if (held && held <= maxLine) yield Buffer.concat(rest).toString("utf8");
  } finally {
    closeSync(fd);
  }
}
