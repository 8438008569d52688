// Merges one configuration file over another.
// Invariant: a project's file never loosens a user's setting; a value that would is dropped and reported.
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { entriesOf, type Tighter, tighterOf } from "../model/setting.js";

export interface Loosening {
  path: string;
  kept: Json | undefined;
  refused: Json;
}

/** Whose file is merged: the user's own, a project's with the user's consent, or any project's. */
export type By = "own" | "consent" | "tighten";

export interface Layered {
  value: JsonObject;
  loosened: Loosening[];
}

/**
 * Merges `over` into `base`. With `own`, `over` always wins; with `consent` too, but lists only grow; with `tighten`
 * it wins only where it is stricter. `unset` is the value of keys missing in `base`: a gate inherits its pack's mode.
 */
export function layer(base: JsonObject, over: JsonObject, schema: unknown, by: By, path = "", unset?: Json): Layered {
  const entries = entriesOf(schema) ?? {};
  const free = by !== "tighten";
  const value: JsonObject = { ...base };
  const loosened: Loosening[] = [];
  for (const [key, next] of Object.entries(over)) {
    if (next === undefined) continue;
    const here = path ? `${path}.${key}` : key;
    const current = base[key] ?? unset;
    const inner = entries[key];
    if (entriesOf(inner) && isObject(next)) {
      const below = layer(
        isObject(current) ? current : {},
        next,
        inner,
        by,
        here,
        key === "gates" ? base["mode"] : undefined,
      );
      value[key] = below.value;
      loosened.push(...below.loosened);
      continue;
    }
    const tighter = tighterOf(inner) ?? "free";
    if (by !== "own" && tighter === "add" && Array.isArray(next))
      value[key] = unite(Array.isArray(current) ? current : [], next);
    else if (free || current === undefined ? tighter !== "user" || free : tightens(tighter, current, next))
      value[key] = next;
    else if (JSON.stringify(current) !== JSON.stringify(next))
      loosened.push({ path: here, kept: current, refused: next });
  }
  return { value, loosened };
}

function tightens(tighter: Tighter, current: Json, next: Json): boolean {
  if (tighter === "free") return true;
  if (tighter === "user") return false;
  if (tighter === "true" || tighter === "false") return next === (tighter === "true") || next === current;
  if (tighter === "higher" || tighter === "lower") {
    if (typeof next !== "number" || typeof current !== "number") return false;
    return tighter === "higher" ? next >= current : next <= current;
  }
  if (tighter === "add") return false;
  return tighter.indexOf(String(next)) >= tighter.indexOf(String(current));
}

/** Lists grow; entries with an `id` that is already there are not replaced. */
function unite(current: Json[], next: Json[]): Json[] {
  const name = (item: Json) =>
    isObject(item) && typeof item["id"] === "string" ? `id:${item["id"]}` : JSON.stringify(item);
  const known = new Set(current.map(name));
  return [...current, ...next.filter((item) => !known.has(name(item)))];
}
