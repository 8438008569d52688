// Words that state refers to by a mark ("~" and a keyed hash): kept apart, so that they can be erased.
// Invariant: a mark is never shown to anybody; where the words are gone, it reads as erased.
import { isObject, type Json, type JsonObject } from "./json.js";

const mark = /^~[0-9a-f]{16}$/;
const gone = "(erased)";

export const isMark = (text: string): boolean => mark.test(text);
export const markOf = (mask: string): string => `~${mask}`;

/** A value of the state with its words put back. */
export function withWords<T>(value: T, word: (mark: string) => string | undefined): T {
  return put(value as Json, word) as T;
}

function put(value: Json | undefined, word: (mark: string) => string | undefined): Json | undefined {
  if (typeof value === "string") return isMark(value) ? (word(value) ?? gone) : value;
  if (Array.isArray(value)) return value.map((item) => put(item, word) ?? null);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) copy[key] = put(value[key], word)!;
  return copy;
}
