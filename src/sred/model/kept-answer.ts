// The form of a kept answer, checked without a schema library: the hook reads it.
import { isObject } from "../../model/json.js";
import { claimPattern } from "../message.js";
import { failurePatterns } from "../scope-fallback.js";
import type { ModelAnswer } from "../suggestion.js";

export function parseKept(text: string): { at: number; answer: ModelAnswer } | undefined {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || typeof value["at"] !== "number" || !isObject(value["answer"])) return undefined;
  const { project, alternatives, reasoning, confidence, failure } = value["answer"];
  if (typeof failure === "string" && (failure === "OFFLINE" || Object.hasOwn(failurePatterns, failure)))
    return { at: value["at"], answer: { failure: failure as "OFFLINE" } };
  const named = (name: unknown): name is string => typeof name === "string" && claimPattern.test(name);
  if (!named(project) || !Array.isArray(alternatives) || typeof reasoning !== "string") return undefined;
  if (typeof confidence !== "number") return undefined;
  return { at: value["at"], answer: { project, alternatives: alternatives.filter(named), reasoning, confidence } };
}
