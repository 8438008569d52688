// The client's transcript of a session: which tools the model called and whether they ran.
// Invariant: reads only; a line that is torn, foreign or huge is passed over and never fails the reading.
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { asString, isObject, type Json, type JsonObject } from "../../../model/json.js";

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
  /** Whether there is a result of any kind. */
  ended: boolean;
}

/** Where the client keeps the transcripts of sessions that start in a folder. */
export const transcriptFolder = (root: string, configDir = join(homedir(), ".claude")): string =>
  join(configDir, "projects", nameOf(root));

const nameOf = (root: string): string => root.replace(/[^a-zA-Z0-9]/g, "-");
/** The client cuts longer names. */
const nameLength = 200;

/**
 * Folders that may hold sessions started in or below one of these. The names are ambiguous, so each transcript has to
 * say where it started.
 */
export function foldersAbout(roots: readonly string[], configDir: string): string[] {
  const starts = roots.map((root) => nameOf(root).slice(0, nameLength));
  const all = list(join(configDir, "projects")).filter((entry) => entry.isDirectory());
  return all
    .filter(({ name }) => starts.some((start) => name === start || name.startsWith(`${start}-`)))
    .map(({ name }) => join(configDir, "projects", name));
}

const maxDepth = 6;

/** The transcripts in a folder, those of sub-agents included, wherever below their session they lie. */
export function transcriptsIn(folder: string, depth = 0): string[] {
  return list(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return entry.name.endsWith(".jsonl") ? [path] : [];
    return entry.isDirectory() && depth < maxDepth ? transcriptsIn(path, depth + 1) : [];
  });
}

const maxLinesToStart = 200;

/** The folder a session began in, as its transcript has it. */
export function startFolderOf(transcript: string): string | undefined {
  let read = 0;
  for (const line of lines(transcript)) {
    const cwd = line.includes('"cwd"') ? asString(parsed(line)?.["cwd"]) : undefined;
    if (cwd !== undefined) return cwd;
    if (++read > maxLinesToStart) return undefined;
  }
  return undefined;
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no such folder: no session was held there
  }
}

/** Results of calls that never ran: invalid input, unknown tool, refused by a hook, the user or a permission rule. */
const refusedResults = [
  "<tool_use_error>",
  "PreToolUse:\\S+ hook (?:error|blocking|stopped)",
  "The user doesn't want to (?:proceed|take)",
  "User rejected",
  "Permission to use .{1,2000}? (?:has been|was) denied",
];
export const neverRan = new RegExp(`^\\s*(?:${refusedResults.join("|")})`, "s");

export function callsIn(transcript: string): TranscriptCall[] {
  const calls = new Map<string, TranscriptCall>();
  let time = "";
  for (const line of lines(transcript)) {
    if (!line.includes('"tool_use"') && !line.includes('"tool_result"')) continue;
    const entry = parsed(line);
    const message = entry?.["message"];
    const content = isObject(message) ? message["content"] : undefined;
    if (!entry || !Array.isArray(content)) continue;
    // A line without its time is from when the one before it was.
    time = asString(entry["timestamp"]) ?? time;
    for (const block of content) {
      if (!isObject(block)) continue;
      if (block["type"] === "tool_use" && entry["type"] === "assistant") add(calls, entry, block, { transcript, time });
      if (block["type"] === "tool_result") {
        const call = calls.get(String(block["tool_use_id"]));
        if (call) call.ended = true;
        if (call) call.ran = !(block["is_error"] === true && neverRan.test(textOf(block["content"])));
      }
    }
  }
  return [...calls.values()];
}

function add(
  calls: Map<string, TranscriptCall>,
  entry: JsonObject,
  block: JsonObject,
  from: Pick<TranscriptCall, "transcript" | "time">,
): void {
  const id = asString(block["id"]);
  if (!id || calls.has(id)) return;
  const agent = asString(entry["agentId"]);
  calls.set(id, {
    id,
    tool: asString(block["name"]) ?? "",
    session: asString(entry["sessionId"]) ?? "",
    ...(agent ? { agent } : {}),
    ...from,
    ran: false,
    ended: false,
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
