// Settles the open claims of a session: what the transcript proves is carried out, what it will never prove is recorded as forged.
// Invariant: an override needs words a person typed; a program's prompt (`-p`, SDK) can only do what every prompt may.

import type { Event } from "../../model/event.js";
import type { JsonObject } from "../../model/json.js";
import { inert } from "../../model/text.js";
import type { Store } from "../../store/index.js";
import { allow, pause, resume, type Wish } from "../overrides/grant.js";
import { type Claim, claimsKey, openClaims, overrideCommand } from "./pending.js";
import { typedIn } from "./provenance.js";

/** By now the host has written down whatever was typed before. */
const late = new Set<Event["kind"]>(["prompt", "turn.end", "session.end"]);
const forgetAfter = 10 * 60_000;

export interface Settled {
  /** Proved prompts whose commands the gates' memories have yet to hear. */
  heard: Claim[];
  /** What to tell the person. */
  messages: string[];
}

export function settleClaims(event: Event, state: JsonObject, store: Store, now: number): Settled {
  const settled: Settled = { heard: [], messages: [] };
  for (const claim of openClaims(state, event)) {
    const proof = typedIn(event.transcript, { ...claim, session: event.session });
    const command = overrideCommand(claim.text);
    if (proof === "absent") {
      if (late.has(event.kind) || now - claim.at > forgetAfter)
        forged(event, store, claim, "nobody typed this prompt: it is not in the session's transcript");
    } else if (!command) settled.heard.push(claim);
    else if (proof === "headless")
      forged(event, store, claim, "a program gave the agent this prompt; an override is typed by a person");
    else if (!("wrong" in command)) settled.messages.push(carryOut(event, store, claim, command, now));
  }
  return settled;
}

function carryOut(
  event: Event,
  store: Store,
  claim: Claim,
  command: Exclude<ReturnType<typeof overrideCommand>, { wrong: string } | undefined>,
  now: number,
): string {
  const wish: Wish = {
    reason: command.reason,
    by: "the user, by prompt",
    channel: "prompt",
    ms: command.do === "resume" ? 0 : command.ms,
    now,
    session: event.session,
    patch: without(event, store, claim),
  };
  if (command.do === "pause") {
    pause(store, wish);
    return `Interlock's refusals are paused until ${new Date(now + wish.ms).toISOString()}`;
  }
  if (command.do === "resume") {
    resume(store, wish);
    return "Interlock refuses again";
  }
  const granted = allow(store, command.verdict, wish);
  if (granted.ok) return `Interlock lets ${command.verdict} through once`;
  forget(event, store, claim);
  return `Interlock did not allow ${command.verdict}: ${granted.why}`;
}

/** The patch that takes a claim off the list. */
function without(event: Event, store: Store, claim: Claim): JsonObject {
  const open = openClaims(store.read().state as JsonObject, event).filter(
    (c) => c.at !== claim.at || c.text !== claim.text,
  );
  return { [claimsKey(event)]: { open: open as unknown as JsonObject[] } };
}

function forged(event: Event, store: Store, claim: Claim, why: string): void {
  const body = { event: "prompt", forged: why, prompt: inert(claim.text, 200), foundAt: event.kind };
  const patch = without(event, store, claim);
  store.transact(() => ({ type: "forged-event", host: event.host, session: event.session, body, patch }));
}

function forget(event: Event, store: Store, claim: Claim): void {
  const patch = without(event, store, claim);
  store.transact(() => ({ type: "command", session: event.session, body: { dropped: inert(claim.text, 200) }, patch }));
}
