// A transcript of Claude Code -> the steps of its session. Every version of the client writes somewhat different rows.
// Invariant: reads only and never throws; a row of another kind, a torn line or a field of the wrong type is passed
// over. A file without one row of the client is no transcript: undefined.
import { neverRan } from "../hosts/claude-code/protocol/transcript.js";
import { asString, isObject, type Json, type JsonObject } from "../model/json.js";
import { fileLines } from "./file-lines.js";
import type { CallStep, RecordedSession, Step } from "./steps.js";

/** Rows without anything to replay, known by a text that no text inside another row can contain unescaped. */
const passedOver = [
  '"type":"hook_progress"',
  '"type":"bash_progress"',
  '"type":"mcp_progress"',
  '"type":"file-history-snapshot"',
  '"type":"queue-operation"',
];
/** A file of another program is given up after so many lines without a row of ours. */
const maxForeign = 400;

export function readSession(file: string): RecordedSession | undefined {
  const reader = new SessionReader(file);
  for (const line of fileLines(file, isPassedOver)) if (!reader.read(line)) return undefined;
  return reader.finish();
}

interface Where {
  time: number;
  cwd: string;
  branch: string;
  agent?: string;
  line: number;
}

class SessionReader {
  readonly #steps: Step[] = [];
  readonly #calls = new Map<string, CallStep>();
  #line = 0;
  #ours = 0;
  #bad = 0;
  #midway = false;
  #session = "";
  #root: string | undefined;
  #last: Where = { time: 0, cwd: "", branch: "", line: 0 };
  /** The main agent's newest text, while no call followed it. */
  #said: { text: string; where: Where } | undefined;

  constructor(private readonly file: string) {}

  /** False: this is no transcript. */
  read(line: string): boolean {
    this.#line++;
    if (line.length < 2) return true;
    const row = parsed(line);
    if (!row) this.#bad++;
    else this.#row(row);
    return this.#ours > 0 || this.#line < maxForeign;
  }

  finish(): RecordedSession | undefined {
    if (!this.#ours) return undefined;
    this.#endTurn();
    return {
      file: this.file,
      session: this.#session,
      root: this.#root ?? "",
      steps: this.#steps,
      midway: this.#midway,
      badLines: this.#bad,
    };
  }

  #row(row: JsonObject): void {
    const { type } = row;
    if (type === "progress") return this.#progress(row);
    if (type === "attachment") return this.#attachment(row);
    if (type !== "user" && type !== "assistant") return;
    const message = row["message"];
    if (!isObject(message)) return;
    // The first message of a conversation answers none.
    if (!this.#ours++ && typeof row["parentUuid"] === "string") this.#midway = true;
    const agent = asString(row["agentId"]) ?? (row["isSidechain"] === true ? "sidechain" : undefined);
    const where = this.#where(row, agent);
    if (type === "assistant") this.#assistant(message["content"], where);
    else this.#user(row, message["content"], where);
  }

  /** What a sub-agent did, as its parent's transcript reports it. */
  #progress(row: JsonObject): void {
    const data = row["data"];
    const inner = isObject(data) && data["type"] === "agent_progress" ? data["message"] : undefined;
    const message = isObject(inner) ? inner["message"] : undefined;
    if (!isObject(data) || !isObject(inner) || !isObject(message)) return;
    const where = this.#where({ ...row, timestamp: inner["timestamp"] ?? row["timestamp"] }, asString(data["agentId"]));
    where.agent ??= "sidechain";
    if (inner["type"] === "assistant") this.#assistant(message["content"], where);
    else this.#results(inner, message["content"], where);
  }

  #attachment(row: JsonObject): void {
    const attachment = row["attachment"];
    const content = isObject(attachment) && attachment["type"] === "file" ? attachment["content"] : undefined;
    const file = isObject(content) ? content["file"] : undefined;
    const path = isObject(file) ? asString(file["filePath"]) : undefined;
    const text = isObject(file) ? asString(file["content"]) : undefined;
    if (path === undefined || text === undefined) return;
    this.#steps.push({ kind: "shown", path, content: text, ...this.#where(row, asString(row["agentId"])) });
  }

  #where(row: JsonObject, agent: string | undefined): Where {
    const time = Date.parse(asString(row["timestamp"]) ?? "");
    const cwd = asString(row["cwd"]) || this.#last.cwd;
    const where: Where = {
      time: Number.isFinite(time) ? time : this.#last.time,
      cwd,
      branch: asString(row["gitBranch"]) ?? this.#last.branch,
      line: this.#line,
    };
    this.#last = where;
    if (cwd) this.#root ??= cwd;
    this.#session ||= asString(row["sessionId"]) ?? "";
    return agent === undefined ? where : { ...where, agent };
  }

  #assistant(content: Json | undefined, where: Where): void {
    for (const block of blocksOf(content)) {
      if (block["type"] === "text" && where.agent === undefined) {
        const text = asString(block["text"]);
        if (text?.trim()) this.#said = { text, where };
      }
      if (block["type"] === "tool_use") this.#call(block, where);
    }
  }

  #call(block: JsonObject, where: Where): void {
    if (where.agent === undefined) this.#said = undefined;
    const id = asString(block["id"]);
    const tool = asString(block["name"]);
    if (id === undefined || tool === undefined || this.#calls.has(id)) return;
    const input = isObject(block["input"]) ? block["input"] : {};
    const call: CallStep = { kind: "call", id, tool, input, ...where };
    this.#calls.set(id, call);
    this.#steps.push(call);
  }

  #user(row: JsonObject, content: Json | undefined, where: Where): void {
    if (this.#results(row, content, where) || where.agent !== undefined) return;
    const text = textOf(content);
    if (!text.trim()) return;
    if (row["isCompactSummary"] === true) this.#midway = true;
    if (row["isMeta"] === true || row["isCompactSummary"] === true || clientText.test(text))
      return void this.#steps.push({ kind: "told", text, ...where });
    this.#endTurn();
    this.#steps.push({ kind: "prompt", text, ...where });
  }

  /** True: the row holds results. */
  #results(row: JsonObject, content: Json | undefined, where: Where): boolean {
    let found = false;
    for (const block of blocksOf(content)) {
      if (block["type"] !== "tool_result") continue;
      found = true;
      const call = this.#calls.get(String(block["tool_use_id"]));
      if (!call || call.result) continue;
      const text = textOf(block["content"]);
      const error = block["is_error"] === true;
      const refused = error && neverRan.test(text.slice(0, 4_000));
      call.result = { error, refused, text, details: row["toolUseResult"] };
      this.#steps.push({ kind: "result", call, ...where, ...(call.agent !== undefined && { agent: call.agent }) });
    }
    return found;
  }

  #endTurn(): void {
    if (this.#said) this.#steps.push({ kind: "end", text: this.#said.text, ...this.#said.where });
    this.#said = undefined;
  }
}

/** Rows in which the client itself speaks: slash commands, their output, interruptions. */
const clientText = /^\s*(?:<(?:command-|local-command|bash-)|\[Request interrupted)/;

const isPassedOver = (head: string): boolean => passedOver.some((mark) => head.includes(mark));

function* blocksOf(content: Json | undefined): Generator<JsonObject> {
  if (Array.isArray(content)) for (const block of content) if (isObject(block)) yield block;
}

function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isObject(part) ? (asString(part["text"]) ?? "") : "")).join("\n");
}

function parsed(line: string): JsonObject | undefined {
  // Exceptions are slow, and a file of another program has thousands of such lines.
  if (line.charCodeAt(0) !== 0x7b) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // torn, or of another program
  }
}
