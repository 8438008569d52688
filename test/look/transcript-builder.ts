// Writes transcripts as several versions of Claude Code do, row by row.
import type { JsonObject } from "../../src/model/json.js";

export type Style =
  | "plain" // 1.0: results as text, no structured result
  | "objects" // 2.0: toolUseResult as an object
  | "noisy"; // 2.1: progress, snapshots, attachments, queue operations between the rows

export interface BuilderOptions {
  session: string;
  root: string;
  style: Style;
  branch?: string;
  /** Characters of filler that results carry, as real ones do. */
  weight?: number;
}

let serial = 0;

export class TranscriptBuilder {
  readonly rows: string[] = [];
  branch: string;
  #time = Date.parse("2026-02-01T09:00:00Z");
  #parent: string | null = null;

  constructor(readonly options: BuilderOptions) {
    this.branch = options.branch ?? "feature/x";
    if (options.style === "noisy") {
      this.raw({ type: "queue-operation", operation: "dequeue", sessionId: options.session });
      this.raw({ type: "file-history-snapshot", messageId: "m", snapshot: { trackedFileBackups: {} } });
      this.raw({ type: "mode", mode: "default" });
      this.raw({ type: "custom-title", title: "a session" });
    } else this.raw({ type: "summary", summary: "a session", leafUuid: "x" });
  }

  get text(): string {
    return `${this.rows.join("\n")}\n`;
  }

  get line(): number {
    return this.rows.length;
  }

  raw(row: JsonObject): this {
    this.rows.push(JSON.stringify(row));
    return this;
  }

  path(below: string): string {
    return below.startsWith("/") ? below : `${this.options.root}/${below}`;
  }

  prompt(text: string): this {
    return this.#row("user", { role: "user", content: text });
  }

  say(text: string): this {
    return this.#row("assistant", { role: "assistant", content: [{ type: "text", text }], stop_reason: "end_turn" });
  }

  read(path: string, content: string): this {
    const lines = content.split("\n").length;
    const numbered = content.split("\n").map((line, i) => `${String(i + 1).padStart(6)}→${line}`);
    const file = { filePath: this.path(path), content, numLines: lines, startLine: 1, totalLines: lines };
    return this.call("Read", { file_path: this.path(path) }, numbered.join("\n"), { type: "text", file });
  }

  edit(path: string, original: string, old: string, replacement: string): this {
    const input = { file_path: this.path(path), old_string: old, new_string: replacement };
    return this.call("Edit", input, `The file ${this.path(path)} has been updated.`, {
      filePath: this.path(path),
      oldString: old,
      newString: replacement,
      originalFile: original,
      structuredPatch: [],
    });
  }

  create(path: string, content: string): this {
    const input = { file_path: this.path(path), content };
    return this.call("Write", input, `File created successfully at: ${this.path(path)}`, {
      type: "create",
      filePath: this.path(path),
      content,
      structuredPatch: [],
    });
  }

  bash(command: string, output = "", agent?: string): this {
    const result = { stdout: output, stderr: "", interrupted: false, isImage: false };
    return this.call("Bash", { command }, output, result, { agent });
  }

  bashFails(command: string, output: string, code = 1): this {
    const text = `Exit code ${code}\n${output}`;
    return this.call("Bash", { command }, text, `Error: ${text}`, { error: true });
  }

  /** `details`: the client's structured result; style "plain" writes none. */
  call(
    name: string,
    input: JsonObject,
    text: string,
    details: JsonObject | string | JsonObject[],
    more: { error?: boolean; agent?: string } = {},
  ): this {
    const id = `toolu_${(++serial).toString(36).padStart(20, "0")}`;
    const use = { role: "assistant", content: [{ type: "tool_use", id, name, input }], stop_reason: null };
    const block = { type: "tool_result", tool_use_id: id, content: text, ...(more.error && { is_error: true }) };
    const result = { role: "user", content: [block] };
    if (more.agent !== undefined && this.options.style === "noisy") {
      this.#progress("assistant", use, more.agent);
      this.#progress("user", result, more.agent);
      return this;
    }
    const side = more.agent === undefined ? {} : { isSidechain: true, agentId: more.agent };
    this.#row("assistant", use, side);
    this.#noise(id);
    const structured = this.options.style === "plain" && typeof details !== "string" ? {} : { toolUseResult: details };
    return this.#row("user", result, { ...structured, ...side });
  }

  #progress(type: "assistant" | "user", message: JsonObject, agentId: string): void {
    const data = { type: "agent_progress", agentId, prompt: "", message: { type, message } };
    this.#row("progress", undefined, { data, toolUseID: "agent_msg", parentToolUseID: "toolu_parent" });
  }

  #noise(id: string): void {
    const { style, weight = 0 } = this.options;
    if (style !== "noisy") return;
    const data = { type: "hook_progress", hookEvent: "PostToolUse", hookName: "PostToolUse:x", command: "callback" };
    this.#row("progress", undefined, { data, toolUseID: id, parentToolUseID: id });
    if (!weight) return;
    const output = "compiling module after module and saying so at length\n".repeat(weight / 54);
    const bash = { type: "bash_progress", output, fullOutput: output, elapsedTimeSeconds: 3, totalLines: 9 };
    this.#row("progress", undefined, { data: bash, toolUseID: id, parentToolUseID: id });
    const snapshot = { trackedFileBackups: { "src/a.ts": { backupFileName: "x@v1", version: 1 } } };
    this.raw({ type: "file-history-snapshot", messageId: "m", snapshot, isSnapshotUpdate: true });
  }

  #row(type: string, message: JsonObject | undefined, more: JsonObject = {}): this {
    const { session, root, style } = this.options;
    const uuid = `u-${++serial}`;
    this.#time += 7_000;
    const versions = { plain: "1.0.111", objects: "2.0.45", noisy: "2.1.219" };
    const row: JsonObject = {
      parentUuid: this.#parent,
      isSidechain: false,
      userType: "external",
      cwd: root,
      sessionId: session,
      version: versions[style],
      gitBranch: this.branch,
      type,
      ...(message && { message }),
      uuid,
      timestamp: new Date(this.#time).toISOString(),
      ...more,
    };
    this.#parent = uuid;
    return this.raw(row);
  }
}
