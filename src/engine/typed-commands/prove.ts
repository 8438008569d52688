// Proves the pending commands of a session: what the transcript shows is carried out, what it never will is forged.
// Invariant: a command needs words a person typed; a program's prompt (`-p`, SDK) or a nested agent's commands nothing.
import type { Event } from "../../model/event.js";
import type { JsonObject } from "../../model/json.js";
import type { ProtectedPlaces } from "../../project/protected/protected.js";
import type { Store } from "../../store/index.js";
import { allow, type OverrideRequest, pause, resume } from "../overrides/grant.js";
import { type OverrideCommand, overrideCommand, type PendingCommand, pendingIn, pendingKey } from "./pending.js";
import { typedIn } from "./provenance.js";
import { provingTranscript } from "./session-transcript.js";

/** With these events the transcript holds whatever was typed before. */
const written = new Set<Event["kind"]>(["prompt", "turn.end", "session.end"]);
const forgetAfter = 10 * 60_000;

export interface ProvedCommand extends PendingCommand {
  words: string;
}

/** Returns the proved prompts that gates' memories have yet to learn from. */
export function provePending(
  event: Event,
  state: JsonObject,
  store: Store,
  now: number,
  places: ProtectedPlaces,
): ProvedCommand[] {
  const proved: ProvedCommand[] = [];
  const transcript = provingTranscript(event, state, places);
  if (transcript === "another") return proved;
  for (const pending of pendingIn(state, event)) {
    const matches = (words: string) => store.mask(words) === pending.text || words === pending.text.trim();
    const proof = typedIn(transcript.path, { ...pending, matches, session: event.session });
    if (proof.kind === "absent") {
      if (written.has(event.kind) || now - pending.at > forgetAfter)
        forged(event, store, pending, "nobody typed this prompt: it is not in the session's transcript");
      continue;
    }
    const command = overrideCommand(proof.words);
    if (proof.kind === "headless")
      forged(event, store, pending, "a program gave the agent this prompt; a command is typed by a person");
    else if (!command) proved.push({ ...pending, words: proof.words });
    else if (!("wrong" in command)) carryOut(event, store, pending, command, now);
  }
  return proved;
}

function carryOut(event: Event, store: Store, pending: PendingCommand, command: OverrideCommand, now: number): void {
  const request: OverrideRequest = {
    reason: command.reason,
    by: "the user, by prompt",
    channel: "prompt",
    ms: command.do === "resume" ? 0 : command.ms,
    now,
    session: event.session,
    patch: without(event, store, pending),
  };
  if (command.do === "pause") pause(store, request);
  else if (command.do === "resume") resume(store, request);
  else if (!allow(store, command.verdict, request).ok) forget(event, store, pending);
}

/** The patch that removes a pending command. */
function without(event: Event, store: Store, pending: PendingCommand): JsonObject {
  const open = pendingIn(store.read().state as JsonObject, event).filter(
    (c) => c.at !== pending.at || c.text !== pending.text,
  );
  return { [pendingKey(event)]: { open: open as unknown as JsonObject[] } };
}

function forged(event: Event, store: Store, pending: PendingCommand, why: string): void {
  const body = { event: "prompt", forged: why, foundAt: event.kind };
  const patch = without(event, store, pending);
  store.append(() => ({ type: "forged-event", host: event.host, session: event.session, body, patch }));
}

function forget(event: Event, store: Store, pending: PendingCommand): void {
  const patch = without(event, store, pending);
  const body = { dropped: "a command that could not be carried out" };
  store.append(() => ({ type: "command", session: event.session, body, patch }));
}
