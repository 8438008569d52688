// Entries of ours that differ from what `init` would write now: narrowed, delayed, asynchronous, pointed elsewhere.
// Invariant: another Node or another copy of the program is no drift while both exist; secrets are compared, never
// shown.
import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../../../model/json.js";
import type { HookEntry } from "../settings/settings.js";
import { hookTypeOf, wordsOf } from "./own-entries.js";

/** What people may add to an entry: it changes what they see, not what happens. */
const harmless = ["statusMessage", "once"];
const program = ["type", "command", "args"];

/**
 * The differences as sentences. `entries`: all of ours in one file; `wanted`: what `init` would write there.
 * Events without an entry are left out.
 */
export function driftOf(
  entries: readonly HookEntry[],
  wanted: Readonly<Record<string, JsonObject>>,
  clientKnown: boolean,
): string[] {
  const events = [...new Set(entries.map((entry) => entry.event))];
  return events.flatMap((event) => {
    const mine = entries.filter((entry) => entry.event === event);
    const should = wanted[event];
    if (!should) return [`${event} is registered and no longer listened to`];
    const times = mine.length > 1 ? [`${event} is registered ${mine.length} times`] : [];
    return [...times, ...mine.flatMap((entry) => differences(entry, should, clientKnown))];
  });
}

function differences({ event, matcher, handler }: HookEntry, should: JsonObject, clientKnown: boolean): string[] {
  const said: string[] = [];
  if (!["", "*", undefined].includes(matcher)) said.push(`${event} is asked about for ${show(matcher)} only`);
  const [is, ought] = [hookTypeOf(handler), hookTypeOf(should)];
  if (is !== ought) return [...said, `${event} comes by ${is} instead of ${ought}`];
  for (const key of new Set([...Object.keys(handler), ...Object.keys(should)])) {
    if ([...harmless, ...program].includes(key) || (key === "onFailure" && !clientKnown)) continue;
    if (isDeepStrictEqual(handler[key], should[key])) continue;
    if (key === "headers") said.push(`${event}: the headers are others than the server wants`);
    else if (handler[key] === undefined) said.push(`${event}: ${key} is missing, ${show(should[key])} belongs there`);
    else if (should[key] === undefined) said.push(`${event}: ${key} is ${show(handler[key])}, nothing belongs there`);
    else said.push(`${event}: ${key} is ${show(handler[key])} instead of ${show(should[key])}`);
  }
  const [runs, ran] = [wordsOf(handler), wordsOf(should)];
  const from = is === "shim" ? 0 : 2;
  if (!isDeepStrictEqual(runs.slice(from), ran.slice(from)))
    said.push(`${event} runs ${show(runs.slice(from).join(" "))} instead of ${show(ran.slice(from).join(" "))}`);
  return said;
}

const show = (value: Json | undefined): string => JSON.stringify(value ?? null).slice(0, 120);
