// The settings of each pack: its schema, its defaults and how options are compiled. Apart from the registry of packs,
// because judging an event needs none of it.
import type { GenericSchema } from "valibot";
import type { JsonObject } from "../model/json.js";

interface PackSettings {
  schema: GenericSchema;
  /** Every option with its default; what the user wrote is laid over it. */
  defaults: JsonObject;
  /** Turns checked options into what the gates get. Throws an error with a sentence for the user. */
  compile?(options: JsonObject): JsonObject;
}

const modules: Record<string, () => Promise<PackSettings>> = {
  guard: () => import("../packs/guard/config.js"),
  discipline: () => import("../packs/discipline/config.js"),
  lifecycle: () => import("../packs/lifecycle/config.js"),
  kits: () => import("../packs/kits/config.js"),
  sred: () => import("../packs/sred/config.js"),
  intent: () => import("../packs/intent/config.js"),
  rules: () => import("../packs/rules/config.js"),
};

export function packSettings(id: string): Promise<PackSettings> {
  const load = modules[id];
  if (!load) throw new Error(`the pack ${id} has no settings in src/config/pack-settings.ts`);
  return load();
}
