// What became of a tool call, from the many shapes tools answer in.
// Invariant: always returns an Outcome; its text is what the agent sees, as far as known, without base64.
import type { Outcome, ToolKind } from "../../../model/event.js";
import { asNumber, asString, defined, isObject, type Json, type JsonObject } from "../../../model/json.js";

const textLimit = 1_000_000;

export function outcomeOfSuccess(kind: ToolKind, payload: JsonObject): Outcome {
  const response = (payload.tool_response ?? payload.tool_result) as Json | undefined;
  const fields = isObject(response) ? response : {};
  const interrupted = fields.interrupted === true;
  const exitCode = exitOf(kind, fields, interrupted);
  const failed = fields.is_error === true || fields.isError === true || interrupted || (exitCode ?? 0) !== 0;
  return defined({
    ok: !failed,
    text: responseText(kind, response),
    exitCode,
    interrupted: interrupted || undefined,
    durationMs: asNumber(payload.duration_ms),
    response,
  });
}

export function outcomeOfFailure(payload: JsonObject): Outcome {
  const error = (payload.error ?? payload.tool_response ?? payload.tool_result) as Json | undefined;
  const text = responseText("unknown", error);
  const exit = /^(?:Error:? *)?(?:Command failed with )?exit code:? (-?\d{1,10})\b/i.exec(text);
  return defined({
    ok: false,
    text,
    exitCode: exit ? Number(exit[1]) : undefined,
    interrupted: payload.is_interrupt === true || undefined,
    durationMs: asNumber(payload.duration_ms),
    response: error,
  });
}

/**
 * A shell call reported as done, not failed, ended with exit code 0, unless the client took another code as harmless.
 */
function exitOf(kind: ToolKind, fields: JsonObject, interrupted: boolean): number | undefined {
  const given = asNumber(fields.exitCode) ?? asNumber(fields.exit_code) ?? asNumber(fields.returnCode);
  if (given !== undefined || kind !== "shell" || interrupted) return given;
  const open = fields.backgroundTaskId !== undefined || fields.timedOutAfterMs !== undefined;
  const reported = typeof fields.stdout === "string" && fields.returnCodeInterpretation === undefined;
  return reported && !open ? 0 : undefined;
}

function responseText(kind: ToolKind, response: Json | undefined): string {
  if (response === undefined || response === null) return "";
  if (typeof response !== "object") return clip(String(response));
  if (Array.isArray(response)) return clip(parts(response));
  if (kind === "write" || kind === "edit" || kind === "notebook") {
    const path = asString(response.filePath) ?? asString(response.notebook_path);
    if (path !== undefined) return clip(`${asString(response.type) ?? "update"} ${path}`);
  }
  return clip(objectText(response));
}

function objectText(response: JsonObject): string {
  const { stdout, stderr, file, content, filenames, results } = response;
  if (typeof stdout === "string" || typeof stderr === "string") {
    return [asString(stdout), asString(stderr)].filter(Boolean).join("\n");
  }
  if (isObject(file)) return asString(file.content) ?? `[${asString(response.type) ?? "file"}]`;
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return parts(content);
  for (const name of ["result", "output", "text", "message", "error", "plan"]) {
    const value = response[name];
    if (typeof value === "string") return value;
  }
  if (Array.isArray(filenames)) return filenames.filter((f) => typeof f === "string").join("\n");
  if (Array.isArray(results)) return parts(results);
  return JSON.stringify(response);
}

/** Content blocks, as MCP servers and the model's own results carry them. */
function parts(list: Json[]): string {
  return list
    .map((part) => {
      if (typeof part === "string") return part;
      if (!isObject(part)) return String(part);
      if (typeof part.text === "string") return part.text;
      if (isObject(part.resource) && typeof part.resource.text === "string") return part.resource.text;
      if (typeof part.data === "string" || isObject(part.source)) return `[${asString(part.type) ?? "data"}]`;
      return JSON.stringify(part);
    })
    .join("\n");
}

const clip = (text: string): string => (text.length > textLimit ? text.slice(0, textLimit) : text);
