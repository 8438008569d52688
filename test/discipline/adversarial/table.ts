// A table of attempts to get round a gate: what is tried, how devious it is, and the expected outcome. Each row runs
// the real hook.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, type AgentOptions, type Heard, play } from "../agent.js";

/** plain: done openly; ambiguous: could be meant well; villain: made to get round the gate. */
export type Grade = "plain" | "ambiguous" | "villain";

export interface Row {
  grade: Grade;
  trick: string;
  expect: Heard["outcome"];
  try(a: Agent): Promise<Heard>;
  more?: AgentOptions;
}

/** A row of such a table: what is to come of it, how it is called, and what the agent does. */
export const row = (
  expect: Row["expect"],
  trick: string,
  run: Row["try"],
  grade: Row["grade"] = "plain",
  more: Row["more"] = {},
): Row => ({ grade, trick, expect, try: run, more });

export function table(title: string, gates: readonly string[], rows: readonly Row[], options: AgentOptions = {}): void {
  for (const row of rows)
    test(`${title}, ${row.grade}: ${row.trick.replaceAll("\n", "\\n")} -> ${row.expect}`, async (t) => {
      const a = play(t, { gates, ...options, ...row.more });
      const heard = await row.try(a);
      assert.equal(heard.outcome, row.expect, `${heard.text}\n${heard.context}`);
      if (row.expect === "deny" && heard.gate.startsWith("guard/") === false)
        assert.ok(gates.includes(heard.gate), heard.text);
    });
}
