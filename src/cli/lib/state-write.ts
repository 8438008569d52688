// Writes gates' state for a command typed by a person or an agent, one record each.
// Invariant: under the store's lock, as a difference to the newest state.

import { difference } from "../../engine/slices.js";
import type { JsonObject } from "../../model/json.js";
import type { Store } from "../../store/index.js";

export function recordSlices<A extends { next?: Record<string, unknown> }>(
  store: Store,
  type: string,
  body: JsonObject,
  build: (state: JsonObject) => A,
): A {
  let answer: A | undefined;
  store.append((snapshot) => {
    const { condition } = snapshot;
    if (condition.locked) throw new Error("Interlock's record is damaged; run: interlock verify");
    answer = build(snapshot.state as JsonObject);
    const patch: JsonObject = {};
    for (const [key, next] of Object.entries(answer.next ?? {})) {
      const change = difference((snapshot.state as JsonObject)[key], next as JsonObject);
      if (change !== undefined) patch[key] = change;
    }
    return Object.keys(patch).length ? { type, body, patch } : undefined;
  });
  return answer!;
}
