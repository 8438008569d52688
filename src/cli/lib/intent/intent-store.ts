// Changes of intents by a person: the file and the state, under the record's lock, one record each.
// Invariant: a file that is not valid is not touched; what is written is valid.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { difference, sliceKey } from "../../../engine/slices.js";
import type { EditedIntents } from "../../../intents/document.js";
import { intentsFile } from "../../../intents/intent.js";
import type { Event } from "../../../model/event.js";
import type { Json, JsonObject } from "../../../model/json.js";
import { controlHash, type FileTrustState, fileTrust } from "../../../packs/intent/file-trust.js";
import { type RequestState, type ScopeRequest, scopeRequests } from "../../../packs/intent/requests-memory.js";
import { projectSelection, type Selection, sessionSelection } from "../../../packs/intent/selection-memory.js";
import { replaceFile } from "../../../project/replace-file.js";
import type { Store } from "../../../store/index.js";

export interface IntentChange {
  /** What goes in the record. */
  body: JsonObject;
  /** The new text of the file; absent: it stays. */
  edit?(text: string | undefined): EditedIntents;
  /** New values of state slices, by key. */
  next?(state: JsonObject): Record<string, unknown>;
}

/** Why it was not done; undefined when it was. */
export function changeIntents(store: Store, root: string, { body, edit, next }: IntentChange): string | undefined {
  let refused: string | undefined;
  store.append(({ condition, state }) => {
    if (condition.locked) throw new Error("Interlock's record is damaged; run: interlock verify");
    const file = join(root, intentsFile);
    const changed = edit && distrustedIn(state as JsonObject, root);
    if (changed) {
      refused = `${changed} was changed while an agent's call ran; look at it, then: interlock intent accept`;
      return undefined;
    }
    if (edit) {
      const edited = edit(textOf(file));
      if ("refused" in edited) {
        refused = edited.refused;
        return undefined;
      }
      replaceFile(file, edited.text);
    }
    const patch: JsonObject = {};
    for (const [key, value] of Object.entries(next?.(state as JsonObject) ?? {})) {
      const change = difference((state as JsonObject)[key], value as Json);
      if (change !== undefined) patch[key] = change;
    }
    return { type: "intent", body, ...(Object.keys(patch).length && { patch }) };
  });
  return refused;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The control file that an agent's call changed and nobody accepted. */
export function distrustedIn(state: JsonObject, root: string): string | undefined {
  const trust = state[fileTrust.id] as unknown as FileTrustState | undefined;
  const read = (file: string) => textOf(join(root, file));
  return trust?.distrusted && trust.distrusted.hash === controlHash({ read }) ? trust.distrusted.file : undefined;
}

/** Believes the files as they are now. */
export function acceptFiles(state: JsonObject): Record<string, unknown> {
  const { distrusted: _, ...rest } = (state[fileTrust.id] as unknown as FileTrustState | undefined) ?? { own: [] };
  return { [fileTrust.id]: rest };
}

/** For one session, or for all of the project. */
export function selectionSlice(session: string | undefined, selection: Selection): Record<string, unknown> {
  if (session === undefined) return { [projectSelection.id]: selection };
  return { [sliceKey(sessionSelection.id, "session", { session } as Event)]: selection };
}

/** Who selected what: the project's own under "all". */
export function selectionsIn(state: JsonObject): Record<string, Selection> {
  const prefix = `${sessionSelection.id}@`;
  const all = Object.entries(state).flatMap(([key, value]): [string, Selection][] =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), value as unknown as Selection]] : [],
  );
  const persons = state[projectSelection.id] as unknown as Selection | undefined;
  return { ...(persons?.id !== undefined && { all: persons }), ...Object.fromEntries(all) };
}

export const requestsIn = (state: JsonObject): ScopeRequest[] =>
  ((state[scopeRequests.id] as unknown as RequestState | undefined) ?? scopeRequests.state.initial).requests;

export function decideRequest(
  state: JsonObject,
  id: string,
  decided: "approved" | "refused",
  by: string,
): Record<string, unknown> {
  const current = (state[scopeRequests.id] as unknown as RequestState | undefined) ?? scopeRequests.state.initial;
  const requests = current.requests.map((r) => (r.id === id ? { ...r, decided, by } : r));
  return { [scopeRequests.id]: { ...current, requests } };
}
