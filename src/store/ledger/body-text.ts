// Splits the body of a record: short facts stay in the ledger for good, words go to a text beside it and can be erased.
// Invariant: only members named here keep their strings in the ledger; a name that is not known is words. Joining the
// two parts gives the body back.
import { isObject, type Json, type JsonObject } from "../../model/json.js";

/** The name of the text. */
export const bodyText = "body";

/** Records of what calls did and people said. Those of installations and of runs hold no words. */
const worded = new Set([
  "event",
  "forged-event",
  "override",
  "command",
  "loop",
  "restore",
  "lifecycle",
  "intent",
  "feedback",
  "fault",
]);

/** Members whose strings are names, ids and digests, never words of a person or a program. */
const facts = new Set(
  `event hostEvent digest permissionMode promptId id outcome gate gates mode kind name source to policy do verdict
   session by channel forged foundAt truncated version verb act commit patchId at claims types`.split(/\s+/),
);
/** Members that hold such facts alone, however deep. */
const plain = new Set(["head"]);
/** Kinds of tools whose names a person or a server gave. */
const namedByOthers = new Set<Json | undefined>(["mcp", "unknown"]);
/** That a refusal was lifted stays known when the reason is erased. */
const stand: Readonly<Record<string, string>> = { lifted: "by a person" };

export function splitBody(type: string, body: JsonObject): { open: JsonObject; apart?: JsonObject } {
  if (!worded.has(type)) return { open: body };
  const { open, apart } = splitObject(body);
  return Object.keys(apart).length ? { open, apart } : { open };
}

function splitObject(body: JsonObject): { open: JsonObject; apart: JsonObject } {
  const open: JsonObject = {};
  const apart: JsonObject = {};
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (value === undefined) continue;
    if (isObject(value) && !plain.has(name)) {
      const parts = splitObject(value);
      if (Object.keys(parts.open).length) open[name] = parts.open;
      if (Object.keys(parts.apart).length || !Object.keys(value).length) apart[name] = parts.apart;
      continue;
    }
    const kept = name === "name" && namedByOthers.has(body["kind"]) ? undefined : openPart(value, name);
    if (kept !== undefined) open[name] = kept;
    if (kept !== value) apart[name] = value;
  }
  return { open, apart };
}

/** What may stay of a value: the value itself if all of it may. */
function openPart(value: Json, name: string): Json | undefined {
  if (plain.has(name) || typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "string") return facts.has(name) ? value : stand[name];
  if (!Array.isArray(value)) return undefined;
  if (value.every((item) => typeof item === "string")) return facts.has(name) ? value : undefined;
  if (!value.every(isObject)) return undefined;
  const parts = value.map((item) => splitObject(item as JsonObject));
  if (parts.every(({ apart }) => !Object.keys(apart).length)) return value;
  const open = parts.map((part) => part.open);
  return open.some((item) => Object.keys(item).length) ? open : undefined;
}

export function joinBody(open: JsonObject, apart: JsonObject): JsonObject {
  const whole: JsonObject = { ...open };
  for (const name of Object.keys(apart)) {
    const [mine, other] = [open[name], apart[name]!];
    whole[name] = isObject(mine) && isObject(other) ? joinBody(mine, other) : other;
  }
  return whole;
}
