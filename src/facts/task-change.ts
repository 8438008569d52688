// Whether a prompt leaves the task at hand. Apart from the reading of prompts, so that judging a call need not load it.
import type { PromptFact } from "./prompt.js";

/** Whether a prompt leaves the task it came in: said so, or about things the other never named. */
export function changesTask(previous: readonly string[], prompt: PromptFact): boolean {
  if (!prompt.person || (prompt.kind !== "task" && prompt.kind !== "big-task")) return false;
  if (prompt.bearing !== "open") return prompt.bearing === "leaves";
  if (prompt.keywords.length < 3 || !previous.length) return false;
  const known = new Set(previous);
  const shared = prompt.keywords.filter((w) => known.has(w)).length;
  return shared / Math.min(prompt.keywords.length, known.size) < 0.2;
}
