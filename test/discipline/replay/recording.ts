// A recorded session of Claude Code as steps to play: prompts, calls with their outcome, ends of turns.
// Invariant: only the main thread is read; what the client adds by itself (summaries, command output) is no prompt.
import { readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";

export type Step =
  | { kind: "prompt"; text: string }
  | {
      kind: "call";
      tool: string;
      input: JsonObject;
      /** What the agent was shown. */
      text: string;
      failed: boolean;
      /** The person or another hook declined it. */
      declined: boolean;
      response: Json;
    }
  | { kind: "end"; message: string };

export interface Recording {
  name: string;
  steps: Step[];
  /** Files that were shown whole, as they were first shown. */
  files: Record<string, string>;
}

/** `root`, `home`: the folders that take the place of the recorded project and of its user's home. */
export function readRecording(path: string, root: string, home = "/home/nobody"): Recording {
  const lines = readFileSync(path, "utf8").split("\n");
  const parsed = lines.flatMap((line) => entryOf(line));
  const cwd = parsed.map((e) => e["cwd"]).find((c) => typeof c === "string") as string | undefined;
  const user = /^\/(?:Users|home)\/[^/]+/.exec(cwd ?? "")?.[0];
  const here = cwd === undefined ? parsed : parsed.map((e) => moved(e, cwd, root));
  const entries = user === undefined ? here : here.map((e) => moved(e, user, home));
  const steps: Step[] = [];
  const files: Record<string, string> = {};
  const open = new Map<string, Extract<Step, { kind: "call" }>>();
  let said = "";
  const end = () => {
    if (said && steps.at(-1)?.kind !== "end") steps.push({ kind: "end", message: said });
    said = "";
  };
  for (const entry of entries) {
    if (entry["isSidechain"] === true || entry["isMeta"] === true || entry["isCompactSummary"] === true) continue;
    const message = isObject(entry["message"]) ? entry["message"] : {};
    const content = message["content"];
    if (entry["type"] === "assistant" && message["model"] === "<synthetic>") continue;
    if (entry["type"] === "assistant") {
      for (const block of blocksOf(content)) {
        if (block["type"] === "text" && typeof block["text"] === "string") said = block["text"];
        if (block["type"] !== "tool_use" || !isObject(block["input"])) continue;
        // The client refuses a garbled name before it asks any hook.
        if (!/^[\w-]+$/.test(String(block["name"]))) continue;
        said = "";
        const call = { ...notEnded, tool: String(block["name"]), input: block["input"] };
        open.set(String(block["id"]), call);
        steps.push(call);
      }
      continue;
    }
    if (entry["type"] !== "user") continue;
    const results = blocksOf(content).filter((b) => b["type"] === "tool_result");
    for (const block of results) {
      const call = open.get(String(block["tool_use_id"]));
      if (!call) continue;
      call.text = textOf(block["content"]);
      call.failed = block["is_error"] === true;
      call.declined = call.failed && /doesn't want to|was rejected|hook (?:blocking )?error|denied/i.test(call.text);
      call.response = entry["toolUseResult"] ?? { stdout: call.text };
      const shown = shownFile(entry["toolUseResult"]);
      if (shown) files[shown.path] ??= shown.text;
      const before = originalFile(entry["toolUseResult"]);
      if (before) files[before.path] ??= before.text;
    }
    if (results.length) continue;
    const text = typeof content === "string" ? content : textOf(content);
    if (/^\[Request interrupted/.test(text)) said = "";
    else if (isPrompt(text)) {
      end();
      steps.push({ kind: "prompt", text: slashCommand(text) ?? text });
    }
  }
  end();
  return { name: path.replace(/^.*\//, "").replace(/\.jsonl$/, ""), steps, files };
}

const notEnded = { kind: "call" as const, text: "", failed: false, declined: true, response: null as Json };

function entryOf(line: string): JsonObject[] {
  if (!line.trim()) return [];
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) ? [value] : [];
  } catch {
    // A line that was cut when the session ended.
    return [];
  }
}

const moved = (entry: JsonObject, from: string, to: string): JsonObject =>
  JSON.parse(JSON.stringify(entry).replaceAll(JSON.stringify(from).slice(1, -1), to)) as JsonObject;

const blocksOf = (content: Json | undefined): JsonObject[] => (Array.isArray(content) ? content.filter(isObject) : []);

const textOf = (content: Json | undefined): string =>
  typeof content === "string"
    ? content
    : blocksOf(content)
        .map((b) => String(b["text"] ?? ""))
        .join("\n");

/** What the client writes down by itself is no prompt; what other programs send is one, as far as a hook can see. */
const isPrompt = (text: string): boolean =>
  text.trim() !== "" &&
  !/^\s*<(?:local-command|bash-|command-stdout|user-memory|command-name>\/(?:clear|compact|model|plugin|mcp|resume|config|login|exit|context|cost|usage|init|agents|hooks|permissions|status|rename|effort|fast))/.test(
    text,
  ) &&
  !/^Caveat: The messages below/.test(text);

function slashCommand(text: string): string | undefined {
  const name = /<command-name>\s*(\/\S+?)\s*<\/command-name>/.exec(text)?.[1];
  const args = /<command-args>([^]*?)<\/command-args>/.exec(text)?.[1] ?? "";
  return name && `${name} ${args}`.trim();
}

function shownFile(result: Json | undefined): { path: string; text: string } | undefined {
  const file = isObject(result) && isObject(result["file"]) ? result["file"] : undefined;
  if (file?.["startLine"] !== 1 || file["numLines"] !== file["totalLines"]) return undefined;
  return { path: String(file["filePath"]), text: String(file["content"]) };
}

function originalFile(result: Json | undefined): { path: string; text: string } | undefined {
  if (!isObject(result) || typeof result["originalFile"] !== "string" || !result["originalFile"]) return undefined;
  return { path: String(result["filePath"]), text: result["originalFile"] };
}
