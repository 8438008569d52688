// How strict the guard is: what each level of hazard means under each preset.
// Invariant: a stricter preset never lets through what a laxer one refuses.
import type { Hazard } from "../../shell/effects.js";

export type Preset = "standard" | "strict" | "paranoid";
export type Reaction = "deny" | "ask" | undefined;

interface Strictness {
  says: string;
  /** By level 1, 2, 3. */
  levels: readonly [Reaction, Reaction, Reaction];
  /** A level-2 hazard passes where it is proved that nothing is lost. */
  excuses: boolean;
  /** Commands whose effects can't be known. */
  unknown: Reaction;
}

export const presets: Record<Preset, Strictness> = {
  standard: {
    says: "Refuses what destroys or gives away what can't be brought back, and lets everything else pass.",
    levels: [undefined, "deny", "deny"],
    excuses: true,
    unknown: undefined,
  },
  strict: {
    says: "Refuses it without looking for excuses, and asks before what is only risky.",
    levels: ["ask", "deny", "deny"],
    excuses: false,
    unknown: undefined,
  },
  paranoid: {
    says: "Refuses what is risky, and asks before every command whose effects can't be known.",
    levels: ["deny", "deny", "deny"],
    excuses: false,
    unknown: "ask",
  },
};

export interface GuardOptions {
  preset?: Preset;
  except?: readonly string[];
  /** Compiled globs, each with the root it starts from. */
  readable?: readonly string[];
}

export function strictness({ preset = "standard" }: GuardOptions): Strictness {
  return presets[preset];
}

export function reactionTo(hazard: Hazard, options: GuardOptions): Reaction {
  return excepted(hazard.id, options.except ?? []) ? undefined : strictness(options).levels[hazard.level - 1];
}

export function excepted(id: string, except: readonly string[]): boolean {
  return except.some((name) => (name.endsWith("*") ? id.startsWith(name.slice(0, -1)) : id === name));
}
