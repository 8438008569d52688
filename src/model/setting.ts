// How a setting says which of two values is the tighter one, so that a project's file can tighten and never loosen.
// Invariant: every leaf of a pack's schema carries a rule; a test walks the schemas and fails on one that does not.
import * as v from "valibot";

/**
 * higher, lower: numbers; true, false: that boolean is tighter; add: a list may only grow; order: later is tighter;
 * user: only the user's own file may set it; free: neither value is tighter.
 */
export type Tighter = "higher" | "lower" | "true" | "false" | "add" | "user" | "free" | readonly string[];

export const setting = <S extends v.GenericSchema>(schema: S, tighter: Tighter, doc: string) =>
  v.pipe(schema, v.metadata({ tighter }), v.description(doc));

export const mode = (doc = "observe records, warn tells the agent, enforce refuses") =>
  setting(v.picklist(["observe", "warn", "enforce"]), ["observe", "warn", "enforce"], doc);

const gateMode = v.pipe(
  v.picklist(["off", "observe", "warn", "enforce"]),
  v.metadata({ tighter: ["off", "observe", "warn", "enforce"] }),
);

/** The part every pack has: switch, mode, and modes of single gates by name. */
export const packSchema = <E extends v.ObjectEntries>(gates: readonly string[], options: E) =>
  v.strictObject({
    enabled: v.optional(setting(v.boolean(), "true", "whether the pack judges at all")),
    mode: v.optional(mode()),
    gates: v.optional(v.strictObject(Object.fromEntries(gates.map((g) => [g, v.optional(gateMode)])))),
    ...options,
  });

/** The rule of a schema, looked up through optional and pipes. */
export function tighterOf(schema: unknown): Tighter | undefined {
  let at = schema as { wrapped?: unknown; pipe?: { type: string; metadata?: { tighter?: Tighter } }[] } | undefined;
  while (at) {
    for (const item of at.pipe ?? [])
      if (item.type === "metadata" && item.metadata?.tighter) return item.metadata.tighter;
    at = at.wrapped as typeof at;
  }
  return undefined;
}

/** The object schema inside optionals, if it is one. */
export function entriesOf(schema: unknown): Record<string, unknown> | undefined {
  let at = schema as { wrapped?: unknown; entries?: Record<string, unknown> } | undefined;
  while (at && !at.entries) at = at.wrapped as typeof at;
  return at?.entries;
}
