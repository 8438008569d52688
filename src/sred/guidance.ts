// What makes a commit look like SR&ED work, and the body it should have. Bounded advice, never a condition.
import type { SredMessage } from "./message.js";

const high = /\b(?:experiment|hypothes[ie]s|investigat|prototyp|research|uncertain|unknown|novel|explor|analy[sz])/i;
const medium = /\b(?:optimi[sz]|algorithm|performance|ml\b|models?\b)/i;

/** How much the words of a message speak for SR&ED work; routine commits are never asked. */
export function eligibility(text: string, message: Pick<SredMessage, "routine">): "high" | "medium" | undefined {
  if (message.routine) return undefined;
  const prose = text.replace(/^(?:SRED-[\w-]+|[\w-]+-by)\s*:.*$/gim, "");
  return high.test(prose) ? "high" : medium.test(prose) ? "medium" : undefined;
}

export const heraTemplate = [
  "HYPOTHESIS: <what we expected/believed>",
  "EXPERIMENT: <methodology and approach>",
  "RESULT: <SUCCESS/FAILED + quantified metrics>",
  "ADVANCEMENT: <new knowledge gained>",
];

/** The labels a message has not, in the order of the template. */
export const missingLabels = (message: SredMessage): string[] =>
  (["hypothesis", "experiment", "result", "advancement"] as const).filter((label) => !message[label]);
