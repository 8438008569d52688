// Whether a prompt leaves the task at hand. Apart from the reading of prompts, so that judging a call need not load it.
import type { PromptFact } from "./prompt.js";

/** Whether a prompt leaves the task it came in: said so, or about things the other never named. */
export function changesTask(previous: readonly string[], prompt: PromptFact): boolean {
  if (!prompt.person || (prompt.kind !== "task" && prompt.kind !== "big-task")) return false;
  if (prompt.bearing !== "open") return prompt.bearing === "leaves";
  if (prompt.keywords.length < 3 || !previous.length) return false;
  return shared(previous, prompt.keywords) < 0.2;
}

/** Whether two subjects are told by the same words, by half or more. */
export const resembles = (previous: readonly string[], words: readonly string[]): boolean =>
  previous.length > 1 && words.length > 1 && shared(previous, words) >= 0.5;

function shared(previous: readonly string[], words: readonly string[]): number {
  const known = new Set(previous);
  return words.filter((w) => known.has(w)).length / Math.min(words.length, known.size);
}
