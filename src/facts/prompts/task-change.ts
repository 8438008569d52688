// Whether a prompt changes the task. A module of its own, so that judging a tool call does not load the prompt
// reader.
import type { PromptFact } from "./prompt.js";

/** Whether a prompt changes the task: it says so, or orders something that shares hardly any words with it. */
export function changesTask(previous: readonly string[], prompt: PromptFact): boolean {
  if (!prompt.person || (prompt.kind !== "task" && prompt.kind !== "big-task")) return false;
  if (prompt.bearing !== "open") return prompt.bearing === "leaves";
  if (!prompt.orders || prompt.keywords.length < 3 || !previous.length) return false;
  return shared(previous, prompt.keywords) < 0.2;
}

/** Whether two subjects share at least half of their words. */
export const resembles = (previous: readonly string[], words: readonly string[]): boolean =>
  previous.length > 1 && words.length > 1 && shared(previous, words) >= 0.5;

function shared(previous: readonly string[], words: readonly string[]): number {
  const known = new Set(previous);
  return words.filter((w) => known.has(w)).length / Math.min(words.length, known.size);
}
