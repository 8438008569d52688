// Phases in a row, each a session of its own that gets only the capsule and manifest before it.
// Invariant: stops at the first phase that does not end well.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KitContext, PhaseResult } from "./kit-context.js";
import { runPhase } from "./run-phase.js";

export type PhaseStep = readonly [phase: string, ...args: string[]];

export async function inOrder(
  context: KitContext,
  steps: readonly PhaseStep[],
  before?: PhaseResult,
): Promise<PhaseResult[]> {
  const done: PhaseResult[] = [];
  for (const [phase, ...args] of steps) {
    if (context.signal.aborted) break;
    const result = await runPhase(context, { phase, args, before: done.at(-1) ?? before });
    done.push(result);
    if (result.exitCode !== 0) break;
  }
  return done;
}

/** A file of the project; "" when it is not there. */
export function projectText({ project }: KitContext, path: string): string {
  const full = join(project, path);
  return existsSync(full) ? readFileSync(full, "utf8") : "";
}
