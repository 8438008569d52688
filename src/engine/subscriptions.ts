// Which memories and gates hear an event, worked out once for a set of packs and a configuration: a process that stays asks it thousands of times.
// Invariant: a memory learns once however many packs list it; what is off or does not hear the event costs nothing.
import { type Config, modeOf } from "../model/config.js";
import type { Event } from "../model/event.js";
import { type Gate, hears, type Memory, type Pack } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import type { Mode } from "../model/verdict.js";

export interface Hearing {
  memories: { memory: Memory; options: JsonObject }[];
  gates: { gate: Gate; pack: Pack; mode: Mode; options: JsonObject }[];
}

const known = new WeakMap<Config, WeakMap<readonly Pack[], Map<string, Hearing>>>();

/** `own`: the engine's memories, which no configuration turns off. */
export function hearing(own: readonly Memory[], packs: readonly Pack[], config: Config, event: Event): Hearing {
  let byPacks = known.get(config);
  if (!byPacks) known.set(config, (byPacks = new WeakMap()));
  let byEvent = byPacks.get(packs);
  if (!byEvent) byPacks.set(packs, (byEvent = new Map()));
  const name = event.tool ? `${event.kind} ${event.tool.kind}` : event.kind;
  let found = byEvent.get(name);
  if (!found) byEvent.set(name, (found = listen(own, packs, config, event)));
  return found;
}

function listen(own: readonly Memory[], packs: readonly Pack[], config: Config, event: Event): Hearing {
  const memories: Hearing["memories"] = [];
  const gates: Hearing["gates"] = [];
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
