// Which effects change something. Invariant: unknown counts as a change.
import type { Effect, EffectKind } from "./effect.js";

const harmless: ReadonlySet<EffectKind> = new Set(["read", "network", "exec"]);

/** `exec` alone is the running of a program whose effects are listed beside it. */
export const mutating = (effects: readonly Effect[]): boolean => effects.some((e) => !harmless.has(e.kind));
