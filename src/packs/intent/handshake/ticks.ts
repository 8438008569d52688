// The evidence an agent gives for acceptance criteria.
// Invariant: only a number with a text that says something counts.

export interface GivenEvidence {
  /** From 1. */
  number: number;
  evidence: string;
}

/** `[{ criterion: 1, evidence: "npm test: 12 passed" }]`. */
export function ticksIn(value: unknown): GivenEvidence[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const { criterion, evidence } = (one ?? {}) as Record<string, unknown>;
    const good = Number.isSafeInteger(criterion) && typeof evidence === "string" && evidence.trim().length >= 3;
    return good ? [{ number: criterion as number, evidence: (evidence as string).trim().slice(0, 500) }] : [];
  });
}
