// Which memories and gates subscribe to an event, computed once per set of packs and configuration.
// Invariant: a memory learns once however many packs list it; what is off or does not subscribe costs nothing.
import { type Config, modeOf } from "../model/config.js";
import type { Event } from "../model/event.js";
import { type Gate, hears, type Memory, type Pack } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import type { Mode } from "../model/verdict.js";

export interface Subscribers {
  memories: { memory: Memory; options: JsonObject }[];
  gates: { gate: Gate; pack: Pack; mode: Mode; options: JsonObject }[];
}

const known = new WeakMap<Config, WeakMap<readonly Pack[], Map<string, Subscribers>>>();

/** `own`: the engine's memories, which no configuration can turn off. */
export function subscribers(own: readonly Memory[], packs: readonly Pack[], config: Config, event: Event): Subscribers {
  let byPacks = known.get(config);
  if (!byPacks) known.set(config, (byPacks = new WeakMap()));
  let byEvent = byPacks.get(packs);
  if (!byEvent) byPacks.set(packs, (byEvent = new Map()));
  const name = event.tool ? `${event.kind} ${event.tool.kind}` : event.kind;
  let found = byEvent.get(name);
  if (!found) byEvent.set(name, (found = findSubscribers(own, packs, config, event)));
  return found;
}

function findSubscribers(own: readonly Memory[], packs: readonly Pack[], config: Config, event: Event): Subscribers {
  const memories: Subscribers["memories"] = [];
  const gates: Subscribers["gates"] = [];
  const add = (memory: Memory, options: JsonObject) => {
    if (hears(memory.on, event) && !memories.some((m) => m.memory.id === memory.id)) memories.push({ memory, options });
  };
  for (const memory of own) add(memory, {});
  for (const pack of packs) {
    const settings = config.packs[pack.id];
    if (!settings?.enabled) continue;
    for (const memory of pack.memories ?? []) add(memory, settings.options);
    for (const gate of pack.gates) {
      const mode = modeOf(config, pack.id, gate);
      if (mode !== "off" && hears(gate.on, event)) gates.push({ gate, pack, mode, options: settings.options });
    }
  }
  return { memories, gates };
}
