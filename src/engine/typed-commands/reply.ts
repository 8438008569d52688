// What the person and the agent are told when a prompt is a command that has yet to be proved.
import type { Event } from "../../model/event.js";
import { inert } from "../../model/text.js";
import { type Note, note } from "../../model/verdict.js";
import type { Store } from "../../store/index.js";
import { liftable } from "../overrides/grant.js";
import { overrideCommand } from "./pending.js";

const told = "The user's prompt was a command to Interlock.";

export function replyToCommand(event: Event, store: Store, now: number, nested = false): Note[] {
  const text = event.prompt!.text;
  if (nested)
    return both(
      `Interlock did not carry out "${inert(text.trim(), 60)}": a program or another agent gave this prompt. ` +
        "Type it in your own session, or use the terminal.",
      "The prompt was a command to Interlock. It changes nothing: no person typed it.",
    );
  const command = overrideCommand(text);
  if (!command)
    return both(
      `Interlock heard "${inert(text.trim(), 60)}"; it holds from the agent's next step on.`,
      `${told} It is carried out before your next call is judged. ` +
        "Acknowledge in one line and go on with what it lets you do, if anything.",
    );
  if ("wrong" in command)
    return both(
      `Interlock did not understand that: ${command.wrong}.`,
      `${told} It was not understood: ${command.wrong}.`,
    );
  if (command.do !== "allow")
    return both(
      `Interlock heard "${command.do}"; it holds from the agent's next step on.`,
      `${told} Acknowledge in one line.`,
    );
  const request = {
    reason: command.reason,
    by: "",
    channel: "prompt" as const,
    ms: command.ms,
    now,
    session: event.session,
  };
  const found = liftable(store, command.verdict, request);
  const minutes = Math.round(command.ms / 60_000);
  return found.ok
    ? both(
        `Interlock will let ${command.verdict} (${inert(found.what, 100)}) through once, within ${minutes} minutes.`,
        `${told} Make exactly the call that ${command.verdict} refused once more, unchanged; it is let through once.`,
      )
    : both(`Interlock does not allow ${command.verdict}: ${found.why}.`, `${told} It changes nothing: ${found.why}.`);
}

const both = (person: string, agent: string): Note[] => [note(person, "person"), note(agent)];
