// Which slices of the state an erasure removes: those of the sessions it names.
// Invariant: slices of the project stay; their words are kept apart and go with those.
import type { JsonObject } from "../../model/json.js";
import type { Erasure } from "../types.js";

const seenSlice = "engine/sessions";

/** The patch that removes them. */
export function slicesToForget(state: JsonObject, { before, session, matching }: Erasure): JsonObject {
  const seen = (state[seenSlice] as { seen?: Record<string, number> } | undefined)?.seen ?? {};
  const isOld = (key: string): boolean => before === undefined || (seen[key] ?? 0) < before.getTime();
  const patch: JsonObject = {};
  const gone: Record<string, null> = {};
  for (const name of Object.keys(state)) {
    const key = /@[^/]+/.exec(name)?.[0];
    if (key === undefined || !isOld(key) || (session !== undefined && key !== `@${session}`)) continue;
    if (matching && !holds(`${name}\n${JSON.stringify(state[name])}`, matching)) continue;
    patch[name] = null;
    if (!matching && key in seen) gone[key] = null;
  }
  if (Object.keys(gone).length) patch[seenSlice] = { seen: gone };
  return patch;
}

const holds = (text: string, forms: readonly string[]): boolean => forms.some((form) => text.includes(form));
