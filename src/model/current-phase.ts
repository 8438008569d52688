// Which phase somebody works in, from the slices that say so: a kit's phase, a workflow's phase.
// Invariant: pure over the folded state; a slice of another shape names no phase.
import { asString, isObject, type JsonObject } from "./json.js";

/** Whether a slice of the state says which phase somebody works in. */
export const isPhaseSlice = (key: string): boolean =>
  /^(?:kits\/phases|lifecycle\/standing|kits\/session@.*)$/.test(key);

/** Empty: none. */
export function currentPhase(state: JsonObject, session: string): string {
  const runs = objectIn(state["kits/phases"], "runs");
  const bound = state[`kits/session@${session}`];
  const run = isObject(bound) ? runs[asString(bound["run"]) ?? ""] : undefined;
  if (isObject(run)) return [asString(run["kit"]), asString(run["phase"])].filter(Boolean).join(" ");
  for (const file of Object.values(objectIn(state["lifecycle/standing"], "files"))) {
    if (!isObject(file)) continue;
    const { workflow, phase } = file;
    const name = (isObject(workflow) ? asString(workflow["phase"]) : undefined) ?? asString(phase);
    if (name) return name;
  }
  return "";
}

function objectIn(value: unknown, key: string): JsonObject {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}
