// A verdict -> the one JSON object Claude Code reads, in the shape the event allows.
// Invariant: never `allow`, never `continue`; a refusal always has a reason; what an event does not accept is not sent.
import type { JsonObject } from "../../../model/json.js";
import type { Verdict } from "../../../model/verdict.js";
import { type HostEvent, hostEvent } from "./events.js";

/** Above about 10,000 characters the client puts context in a file and shows a preview. */
export const contextLimit = 9_000;
const messageLimit = 2_000;

/** What the answer is made of; a `Verdict` is one. */
export type Answer = Pick<Verdict, "outcome" | "text" | "context" | "messages" | "rewrite">;

export const encode = (answer: Answer, event: string): string => JSON.stringify(shape(answer, event));

/** For the crash path: refuses what can be refused, tells what can be told. */
export const encodeRefusal = (event: string, text: string): string =>
  encode({ outcome: "deny", text, context: [], messages: [] }, event);

function shape(answer: Answer, event: string): JsonObject {
  const legal = hostEvent(event);
  const refusal = legalRefusal(answer, event, legal);
  const reason = answer.outcome === "pass" ? "" : cut(answer.text?.trim() || "refused by interlock", contextLimit);
  const context = answer.context.filter((part) => part.trim());
  const messages = answer.messages.filter((part) => part.trim());
  const out: JsonObject = {};
  const specific: JsonObject = {};

  if (refusal === "permission") {
    specific.permissionDecision = answer.outcome;
    specific.permissionDecisionReason = reason;
  } else if (refusal === "request") {
    specific.decision = { behavior: "deny", message: reason };
  } else if (refusal === "block" || refusal === "feedback") {
    out.decision = "block";
    out.reason = legal.context ? reason : cut([reason, ...context].join("\n\n"), contextLimit);
  } else if (refusal === "decline") {
    specific.action = "decline";
    messages.unshift(reason);
  } else if (refusal === "context") {
    context.unshift(reason);
  } else if (refusal === "message") {
    messages.unshift(reason);
  }

  if (legal.rewrite && answer.rewrite && answer.outcome !== "deny") specific.updatedInput = answer.rewrite.input;
  if (legal.context && context.length) specific.additionalContext = cut(context.join("\n\n"), contextLimit);
  if (messages.length) out.systemMessage = cut(messages.join("\n"), messageLimit);
  if (Object.keys(specific).length) out.hookSpecificOutput = { hookEventName: event, ...specific };
  return out;
}

/** A question that cannot be put to the person is a refusal, except where the client is already asking. */
function legalRefusal(answer: Answer, event: string, legal: HostEvent): HostEvent["refusal"] | undefined {
  if (answer.outcome === "pass") return undefined;
  if (answer.outcome === "ask" && event === "PermissionRequest") return "message";
  return legal.refusal;
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = "\n[cut]";
  const end = limit - mark.length;
  const half = text.charCodeAt(end - 1);
  return text.slice(0, half >= 0xd800 && half <= 0xdbff ? end - 1 : end) + mark;
}
