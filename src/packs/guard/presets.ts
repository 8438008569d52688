// How strict the guard is: what each level of hazard means under each preset.
// Invariant: a stricter preset never lets through what a laxer one refuses.
import { type Hazard, isExcepted } from "../../model/hazards.js";

export type Preset = "standard" | "strict" | "paranoid";
export type Reaction = "deny" | "ask" | undefined;

interface Strictness {
  says: string;
  /** By level 1, 2, 3. */
  levels: readonly [Reaction, Reaction, Reaction];
  /** Infrastructure and databases are shared: at least this, from level 2 on. */
  shared: Reaction;
  /** Passes where it is proved that git can give back what is deleted. */
  excuses: boolean;
  /** Commands whose effects can't be known. */
  unknown: Reaction;
}

export const presets: Record<Preset, Strictness> = {
  standard: {
    says:
      "Refuses what destroys or gives away what can't be brought back, " +
      "and asks before changes to databases and infrastructure.",
    levels: [undefined, undefined, "deny"],
    shared: "ask",
    excuses: true,
    unknown: undefined,
  },
  strict: {
    says: "Refuses also what is dangerous in most cases, and takes no excuse such as a copy in git.",
    levels: [undefined, "deny", "deny"],
    shared: "deny",
    excuses: false,
    unknown: undefined,
  },
  paranoid: {
    says: "Refuses everything risky, and asks before every command whose effects can't be known.",
    levels: ["deny", "deny", "deny"],
    shared: "deny",
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
  if (isExcepted(hazard, options.except ?? [])) return undefined;
  const { levels, shared } = strictness(options);
  const isShared = hazard.class === "database" || hazard.class === "infrastructure";
  return levels[hazard.level - 1] ?? (isShared && hazard.level > 1 ? shared : undefined);
}
