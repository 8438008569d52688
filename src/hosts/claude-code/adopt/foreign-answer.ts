// What a foreign hook answered, in our words, read as the client would read it.
// Invariant: a foreign hook can refuse, ask, rewrite and inform, but never grant; what the client would ignore is
// reported to the person.
import { asString, isObject, type Json, type JsonObject } from "../../../model/json.js";
import { ask, deny, note, type Opinion, rewrite } from "../../../model/verdict.js";

export interface Ended {
  name: string;
  hostEvent: string;
  code: number | null;
  signal?: string | null;
  stdout: string;
  stderr: string;
  timedOut?: boolean;
  /** It could not be started at all. */
  trouble?: string;
}

const contextLimit = 4_000;

export function readAnswer(ended: Ended): Opinion[] {
  const { name, code, stdout, stderr } = ended;
  if (ended.trouble) return [failure(name, `could not be started: ${ended.trouble}`)];
  if (ended.timedOut) return [failure(name, "did not answer in time and was ended")];
  const said = stdout.trim();
  const json = said.startsWith("{") ? parse(said) : undefined;
  const valid = isObject(json) && invalid(json, ended.hostEvent) === undefined ? json : undefined;
  const opinions = valid ? fromJson(valid, ended) : [];
  if (code === 2) {
    if (!opinions.some((opinion) => opinion.kind === "deny")) opinions.unshift(...refusal(ended, stderr.trim()));
    return opinions;
  }
  if (valid) return opinions;
  if (isObject(json)) return [failure(name, invalid(json, ended.hostEvent)!)];
  if (said.startsWith("{")) return [failure(name, "answered with text that is not one JSON object")];
  if (code !== 0)
    return [failure(name, `ended with ${code === null ? `signal ${ended.signal}` : `code ${code}`}${tail(stderr)}`)];
  const tells = ["UserPromptSubmit", "UserPromptExpansion", "SessionStart"].includes(ended.hostEvent);
  return said && tells ? [note(said.slice(0, contextLimit))] : [];
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // text around or in the JSON: the client ignores it, and so it is reported
  }
}

/** Why the client would not honour the object. */
function invalid(json: JsonObject, hostEvent: string): string | undefined {
  const { hookSpecificOutput: inner, decision } = json;
  if (json.permissionDecision !== undefined)
    return "put permissionDecision outside hookSpecificOutput, where it is ignored";
  if (decision !== undefined && decision !== "block" && decision !== "approve")
    return `answered with the unknown decision ${JSON.stringify(decision).slice(0, 40)}`;
  if (inner === undefined) return undefined;
  if (!isObject(inner) || inner.hookEventName !== hostEvent) return "answered with a wrong or missing hookEventName";
  const permission = inner.permissionDecision;
  if (permission !== undefined && !["allow", "deny", "ask", "defer"].includes(String(permission)))
    return `answered with the unknown permissionDecision ${JSON.stringify(permission).slice(0, 40)}`;
  return undefined;
}

function fromJson(json: JsonObject, ended: Ended): Opinion[] {
  const inner = isObject(json.hookSpecificOutput) ? json.hookSpecificOutput : {};
  const request = isObject(inner.decision) ? inner.decision : {};
  const opinions: Opinion[] = [];
  if (inner.permissionDecision === "deny") opinions.push(...refusal(ended, asString(inner.permissionDecisionReason)));
  else if (request.behavior === "deny") opinions.push(...refusal(ended, asString(request.message)));
  else if (json.decision === "block") opinions.push(...refusal(ended, asString(json.reason)));
  else if (inner.action === "decline" || inner.action === "cancel") opinions.push(...refusal(ended, undefined));
  else if (inner.permissionDecision === "ask" || inner.permissionDecision === "defer")
    opinions.push(
      ask({ what: `a call the hook ${ended.name} asks about`, why: oneLine(asString(inner.permissionDecisionReason)) }),
    );
  if (isObject(inner.updatedInput)) opinions.push(rewrite(inner.updatedInput, `rewritten by the hook ${ended.name}`));
  const context = asString(inner.additionalContext)?.trim();
  if (context) opinions.push(note(context.slice(0, contextLimit)));
  const message = asString(json.systemMessage)?.trim();
  if (message) opinions.push(note(message.slice(0, contextLimit), "person"));
  if (json.continue === false)
    opinions.push(note(`the hook ${ended.name} asks to stop here: ${oneLine(asString(json.stopReason))}`, "both"));
  if (inner.updatedToolOutput !== undefined || inner.updatedMCPToolOutput !== undefined)
    opinions.push(failure(ended.name, "wants to replace a tool's output, which an adopted hook cannot"));
  return opinions;
}

/** A reason of several lines does not fit a refusal; it is told whole beside it. */
function refusal({ name, hostEvent }: Ended, reason: string | undefined): Opinion[] {
  const text = reason?.trim() ?? "";
  const refused = deny({
    what: `${hostEvent} refused by the adopted hook ${name}`,
    why: oneLine(text),
    next: "do what the hook's message asks, then try again",
  });
  return text.includes("\n") ? [refused, note(`The hook ${name} said:\n${text.slice(0, contextLimit)}`)] : [refused];
}

const failure = (name: string, what: string): Opinion => note(`the adopted hook ${name} ${what}`, "person");

const oneLine = (text: string | undefined): string =>
  (text ?? "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 600) || "it gave no reason";

const tail = (stderr: string): string => (stderr.trim() ? `: ${oneLine(stderr).slice(0, 200)}` : "");
