// Writes gates' state for a command typed by a person or an agent, one record each.
// Invariant: under the store's lock, as a difference to the newest state.

import { difference } from "../../engine/slices.js";
import type { JsonObject } from "../../model/json.js";
import { markOf, withWords } from "../../model/kept-word.js";
import type { Store } from "../../store/index.js";

/** The newest state, with the words put back that it refers to. */
export function stateWithWords(store: Store): JsonObject {
  let words: ReadonlyMap<string, string> | undefined;
  return withWords(store.read().state as JsonObject, (mark) => (words ??= store.words()).get(mark));
}

/** An answer made from the state, with the words put back. */
export function textWithWords(store: Store, text: string): string {
  return text.replace(/~[0-9a-f]{16}/g, (mark) => withWords(mark, (m) => store.words().get(m)));
}

/** Collects words that a change of state refers to. */
export function wordKeeper(store: Store): { words: Record<string, string>; keep(text: string): string } {
  const words: Record<string, string> = {};
  const keep = (text: string) => {
    const mark = markOf(store.mask(text));
    words[mark] = text;
    return mark;
  };
  return { words, keep };
}

export function recordSlices<A extends { next?: Record<string, unknown> }>(
  store: Store,
  type: string,
  body: JsonObject,
  build: (state: JsonObject) => A,
  words?: Readonly<Record<string, string>>,
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
    return Object.keys(patch).length ? { type, body, patch, words } : undefined;
  });
  return answer!;
}
