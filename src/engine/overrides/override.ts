// A person's override: bound to one action, used once, expiring, reasoned, recorded. Nothing else lifts a refusal.
// Invariant: an override lifts only the gates its verdict named, only for the same action digest, and the record that
// uses it consumes it.
import type { Event } from "../../model/event.js";
import type { StateSpec } from "../../model/gate.js";
import { sha256 } from "../../model/sha256.js";
import type { Deny } from "../../model/verdict.js";

export interface Override {
  verdict: string;
  digest: string;
  /** The session the refusal was given in; no other may use it. */
  session: string;
  gates: string[];
  expires: number;
  reason: string;
  by: string;
}
export interface Pause {
  until: number;
  reason: string;
  by: string;
}
export interface OverrideState {
  open: Override[];
  pause?: Pause;
  /** The newest that were used, so that a second try can be told apart from a first. */
  used: { verdict: string; at: number }[];
}

export const overridesId = "engine/overrides";
export const overridesSpec: StateSpec<OverrideState> = { scope: "project", initial: { open: [], used: [] } };

/** What an override is bound to: the tool and its exact input, in the folder it would run in. */
export function actionDigest(event: Event): string {
  const { tool } = event;
  const action = tool ? [tool.name, tool.input, event.cwd] : [event.kind, event.session, event.promptId ?? ""];
  return sha256(JSON.stringify(action));
}

/** Says why a refusal is lifted, or nothing. */
export function liftedBy(
  state: OverrideState,
  gate: string,
  opinion: Deny,
  { digest, session }: Pick<Override, "digest" | "session">,
  now: number,
): { why: string; used?: Override } | undefined {
  if (opinion.overridable === false) return undefined;
  const used = state.open.find(
    (o) => o.digest === digest && o.session === session && o.gates.includes(gate) && o.expires > now,
  );
  if (used) return { why: `override of ${used.verdict} by ${used.by}: ${used.reason}`, used };
  if (state.pause && state.pause.until > now) return { why: `paused by ${state.pause.by}: ${state.pause.reason}` };
  return undefined;
}
