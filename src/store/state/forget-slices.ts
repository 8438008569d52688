// Which slices of the state an erasure removes: those of the sessions it names.
// Invariant: slices of the project stay; their words are kept apart and go with those.
import type { JsonObject } from "../../model/json.js";
import type { Erasure } from "../types.js";
import { sessionOfSlice } from "./session-archive.js";

/** The patch that removes them. `ages`: when each session was last changed, in epoch milliseconds; `holding`: sessions
 * whose words go, so that nothing refers to them. */
export function slicesToForget(
  state: JsonObject,
  ages: Readonly<Record<string, number>>,
  { before, session, matching }: Erasure,
  holding?: ReadonlySet<string>,
): JsonObject {
  const patch: JsonObject = {};
  for (const [name, value] of Object.entries(state)) {
    const own = sessionOfSlice(name);
    if (own === undefined || (session !== undefined && own !== session)) continue;
    if (before !== undefined && (ages[own] ?? 0) >= before.getTime()) continue;
    if (matching && !holding?.has(own) && !holds(`${name}\n${JSON.stringify(value)}`, matching)) continue;
    patch[name] = null;
  }
  return patch;
}

const holds = (text: string, forms: readonly string[]): boolean => forms.some((form) => text.includes(form));
