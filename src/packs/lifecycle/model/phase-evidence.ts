// What an event proves about a phase: test runs, menus and selections. Pure.
// Invariant: an inconclusive run proves nothing; failures are compared after normalisation; every count is bounded.
import type { Elicitation, TestProgress } from "./workflow-state.js";

export interface TestLimits {
  max: number;
  identical: number;
}

export interface TestSeen {
  ok: boolean | undefined;
  signature?: string;
  failures?: number;
  skipped?: number;
  command: string;
  at: string;
}

/** undefined: the run says nothing. */
export function countTestRun(
  tests: TestProgress | undefined,
  seen: TestSeen,
  limits: TestLimits,
): TestProgress | undefined {
  if (seen.ok === undefined) return undefined;
  const before = tests ?? { iteration: 0, completed: false, identical: 0 };
  const next: TestProgress = {
    iteration: before.iteration + 1,
    completed: seen.ok,
    last: seen.ok ? "passed" : "failed",
    identical: 0,
    command: seen.command.slice(0, 300),
    at: seen.at,
  };
  if (seen.skipped) next.skipped = seen.skipped;
  if (seen.ok) return next;
  next.failures = seen.failures ?? 1;
  if (seen.signature) next.signature = seen.signature;
  next.identical = seen.signature !== undefined && seen.signature === before.signature ? before.identical + 1 : 1;
  if (next.identical >= limits.identical) next.escalated = "circuit_breaker";
  else if (next.iteration >= limits.max) next.escalated = "max_iterations";
  if (before.approved) next.approved = true;
  return next;
}

const menuMarks = [
  /\[A\]\s*Adjust/i,
  /\[R\]\s*Refine/i,
  /\[C\]\s*Continue/i,
  /\[S\]\s*Save/i,
  /\[X\]\s*Exit/i,
  /Your choice:/i,
  /Enter selection/i,
  /Select an option/i,
];

/** "User selected: [S] Save", "choice: c"; a letter counts only alone. */
const selection = (letter: string, word: string): [name: string, pattern: RegExp] => [
  word,
  new RegExp(
    `\\b(?:selected|chose|selection|choice)[ \\t]*:?[ \\t]*["'[(]?(?:${letter}(?=[\\])"'.,]|[ \\t]*$)|${word}\\b)`,
    "im",
  ),
];
const selections = [
  selection("a", "adjust"),
  selection("r", "refine"),
  selection("c", "continue"),
  selection("s", "save"),
  selection("x", "exit"),
];

export const showsMenu = (text: string): boolean => menuMarks.filter((mark) => mark.test(text)).length >= 2;

/** undefined: no menu was seen. */
export function countMenu(elicitation: Elicitation | undefined, text: string): Elicitation | undefined {
  const body = text.slice(0, 200_000);
  const shown = showsMenu(body);
  const chosen = selections.find(([, pattern]) => pattern.test(body))?.[0];
  const steps = [...body.matchAll(/\bstep\s+([1-7])\b[^.\n]{0,80}\bcomplete/gi)].map((m) => `step-${m[1]}`);
  if (!shown && !chosen && !steps.length) return undefined;
  const before = elicitation ?? { menus: 0, completed: false, selections: [], steps: [] };
  const next: Elicitation = {
    ...before,
    menus: before.menus + (shown ? 1 : 0),
    selections: [...before.selections, ...(chosen ? [chosen] : [])].slice(-50),
    steps: [...new Set([...before.steps, ...steps])],
  };
  if (chosen === "save" || chosen === "exit" || chosen === "continue") next.final = chosen;
  if ((chosen === "save" || chosen === "exit") && next.menus >= 1) next.completed = true;
  return next;
}
