// Whether an agent may complete an intent, and the evidence it gives.
// Invariant: every criterion is ticked by a person, or has evidence where the user lets agents tick; children first.
import { findIntent, type IntentSet, openCriteria } from "./intent.js";

export interface GivenEvidence {
  /** The criterion, from 1. */
  number: number;
  evidence: string;
}

/** `[{ criterion: 1, evidence: "npm test: 12 passed" }]`; only a number with a text that says something counts. */
export function ticksIn(value: unknown): GivenEvidence[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const { criterion, evidence } = (one ?? {}) as Record<string, unknown>;
    const good = Number.isSafeInteger(criterion) && typeof evidence === "string" && evidence.trim().length >= 3;
    return good ? [{ number: criterion as number, evidence: (evidence as string).trim().slice(0, 500) }] : [];
  });
}

/** Why an agent can't complete it now. */
export function uncompletable(
  set: IntentSet,
  id: string,
  evidence: unknown,
  completion: "person" | "evidence",
): string | undefined {
  const intent = findIntent(set, id);
  if (!intent) return "there is no such intent";
  if (intent.status !== "IN_PROGRESS") return `it is ${intent.status}, not IN_PROGRESS`;
  const child = set.intents.find((i) => i.parent === id && i.status !== "COMPLETED" && i.status !== "ARCHIVED");
  if (child) return `${child.id}, which is below it, is ${child.status}`;
  const given = completion === "evidence" ? ticksIn(evidence).map((tick) => tick.number) : [];
  const open = openCriteria(intent).filter((c) => !given.includes(c.number));
  if (!open.length) return undefined;
  const listed = open.map((c) => `${c.number}. ${c.text}`).join("; ");
  return completion === "evidence"
    ? `give evidence for each open criterion: ${listed}`
    : `a person ticks the open criteria (${listed}): interlock intent complete ${id}`;
}
