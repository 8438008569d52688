// What an event proves about a phase: test runs, menus and selections. Pure.
// Invariant: an inconclusive run proves nothing; failures are compared after normalisation; every count is bounded.
import { isObject, type Json } from "../../../model/json.js";
import { type Choice, dialogChoice, showsMenu } from "./menu-choices.js";
import type { Elicitation, RunLimits, TestProgress, WorkflowState } from "./workflow-state.js";

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

/** The limits that hold: the user's own ones where they are set; what agents wrote may only be stricter. */
export function testLimits(
  needs: TestLimits,
  { limits: user, lowered }: Pick<WorkflowState, "limits" | "lowered">,
  file: RunLimits | undefined,
): TestLimits {
  const least = (key: keyof TestLimits) =>
    Math.min(
      user?.[key] ?? needs[key],
      lowered?.[key] ?? Number.POSITIVE_INFINITY,
      file?.[key] ?? Number.POSITIVE_INFINITY,
    );
  return { max: least("max"), identical: least("identical") };
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
  // An escalation waits for a person, whatever later runs show.
  if (before.escalated && !before.approved) next.escalated = before.escalated;
  if (seen.ok) return next;
  next.failures = seen.failures ?? 1;
  if (seen.signature) next.signature = seen.signature;
  next.identical = seen.signature !== undefined && seen.signature === before.signature ? before.identical + 1 : 1;
  if (next.identical >= limits.identical) next.escalated = "circuit_breaker";
  else if (next.iteration >= limits.max) next.escalated = "max_iterations";
  if (before.approved) next.approved = true;
  return next;
}

/** The choice a person made in an answered question of the client: `tool_response` of AskUserQuestion. */
export function answeredChoice(response: Json | undefined): { asked: boolean; choice?: Choice } {
  if (!isObject(response) || !Array.isArray(response["questions"])) return { asked: false };
  // The dialog closed by itself while nobody was there.
  if (typeof response["afkTimeoutMs"] === "number") return { asked: true };
  const answers = isObject(response["answers"]) ? response["answers"] : {};
  for (const question of response["questions"].filter(isObject)) {
    const name = question["question"];
    const answer = typeof name === "string" && Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (typeof answer !== "string" || unanswered(response["annotations"], String(name))) continue;
    const labels = Array.isArray(question["options"])
      ? question["options"].filter(isObject).map((o) => String(o["label"] ?? ""))
      : [];
    const choice = dialogChoice(answer, labels);
    if (choice) return { asked: true, choice };
  }
  return { asked: true };
}

function unanswered(annotations: Json | undefined, question: string): boolean {
  const note = isObject(annotations) ? annotations[question] : undefined;
  return isObject(note) && typeof note["unanswered"] === "string";
}

/** A person's answer to the menu; `final`: the choices that end it. */
export function countAnswer(
  elicitation: Elicitation | undefined,
  answer: { asked: boolean; choice?: Choice },
  final: readonly string[],
): Elicitation | undefined {
  if (!answer.asked && !(answer.choice && elicitation?.menus)) return undefined;
  const before = elicitation ?? noAnswers;
  const next: Elicitation = { ...before, menus: before.menus + (answer.asked ? 1 : 0) };
  const { choice } = answer;
  if (!choice) return next;
  next.selections = [...before.selections, choice].slice(-50);
  if (final.includes(choice) || choice === "save" || choice === "exit") {
    next.final = choice;
    next.completed = true;
  }
  return next;
}

const noAnswers: Elicitation = { menus: 0, completed: false, selections: [], steps: [] };

/** The framework's names of the seven steps. */
const steps = [
  "project_discovery",
  "user_personas",
  "core_features",
  "nfr",
  "user_stories",
  "prioritization",
  "finalization",
] as const;

/** What an agent wrote: menus and finished steps, never a selection, which is a person's. undefined: none was seen. */
export function countMenu(elicitation: Elicitation | undefined, text: string): Elicitation | undefined {
  const body = text.slice(0, 200_000);
  const shown = showsMenu(body);
  const ended = [...body.matchAll(/\bstep\s+([1-7])\b[^.\n]{0,80}\b(?:complete|done)/gi)].map(
    (m) => steps[Number(m[1]) - 1]!,
  );
  if (!shown && !ended.length) return undefined;
  const before = elicitation ?? noAnswers;
  return { ...before, menus: before.menus + (shown ? 1 : 0), steps: [...new Set([...before.steps, ...ended])] };
}
