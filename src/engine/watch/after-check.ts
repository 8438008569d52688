// Asks the gates that guard places about changes found after a call, as if they had been predicted.
// Invariant: every change counts that no effect named by its exact path: a pattern or a whole folder was never judged
// file by file. What a person lifted for the call stays lifted.
import { Facts } from "../../facts/index.js";
import { effectOf, type ObservedChange, unnamed } from "../../facts/observed-changes.js";
import type { Event } from "../../model/event.js";
import type { Gate } from "../../model/gate.js";
import type { JsonObject } from "../../model/json.js";
import type { RegistrationLoss } from "../../model/registration-loss.js";
import { inert } from "../../model/text.js";
import { type Deny, type Mode, type Note, note } from "../../model/verdict.js";
import type { OpenCall } from "./open-calls.js";

export interface Found {
  gate: string;
  mode: Mode;
  change: ObservedChange;
  opinion: Deny;
}

/** A switch of branches may change tens of thousands of files: as many are asked about, protected ones first. */
const askedMost = 2_000;
const foundMost = 40;

/** `ask` judges with one gate. */
export function checkAfter(
  facts: Facts,
  gates: readonly { gate: Gate; mode: Mode }[],
  call: OpenCall | undefined,
  ask: (gate: Gate, event: Event, facts: Facts) => Deny | undefined,
): Found[] {
  const found: Found[] = [];
  const changes = unnamed(facts.observed);
  const order = [...changes.filter((c) => c.protected), ...changes.filter((c) => !c.protected)];
  for (const change of order.slice(0, askedMost)) {
    if (found.length >= foundMost) break;
    const event: Event = { ...facts.event, kind: "tool.before", outcome: undefined, tool: callOf(facts.event) };
    const asIf = new Facts(event, { ...facts.world, observed: undefined });
    asIf.once("effects", () => [effectOf(change)]);
    for (const { gate, mode } of gates) {
      if (call?.lifted?.includes(gate.id)) continue;
      const opinion = ask(gate, event, asIf);
      if (!opinion) continue;
      found.push({ gate: gate.id, mode, change, opinion });
      break;
    }
  }
  return found;
}

/** How many changes were too many to ask about. */
export const unaskedOf = (facts: Facts): number => Math.max(0, unnamed(facts.observed).length - askedMost);

/** The call without its input's meaning, which was judged before it ran. */
const callOf = ({ tool }: Event): NonNullable<Event["tool"]> => ({
  id: tool?.id,
  name: tool?.name ?? "background call",
  kind: "unknown",
  input: tool?.input ?? {},
});

/** The note to the agent and the person about changes that were found. */
export function tamperingNotes(
  found: readonly Found[],
  lost: readonly RegistrationLoss[],
  id: string,
  event: Event,
): Note[] {
  const said = found.filter((f) => f.mode !== "observe" && !lost.some((l) => l.file === f.change.path));
  const [first] = said;
  if (!first) return [];
  const { change, gate, opinion } = first;
  const more = said.length > 1 ? ` and ${said.length - 1} more` : "";
  const who = event.tool ? `this ${event.tool.name} call ran` : "a call ran in the background";
  const data: JsonObject = { tampering: said.map((f) => ({ path: f.change.path, op: f.change.op, gate: f.gate })) };
  const lines = [
    `${typeof opinion.data?.["foundAs"] === "string" ? opinion.data["foundAs"] : "TAMPERING"} ${gate} [${id}]`,
    `what: ${inert(change.path, 140)}${more} was ${wasDone[change.op]} while ${who}`,
    `why: ${inert(opinion.why, 220)}`,
    "next: do not touch it again; tell the user what was changed and why. " +
      `They can undo it: interlock restore ${id}`,
  ];
  return [note(lines.join("\n"), "both", data)];
}

/** The note about a settings file that no longer registers Interlock. */
export const registrationNotes = (lost: readonly RegistrationLoss[], id: string): Note[] =>
  lost.map(({ file, why, putBack, left }) => {
    const copy = putBack ? ` (the file before that: ${inert(putBack, 140)})` : "";
    const lines = [
      `INTERLOCK WAS REMOVED from the agent's settings [${id}]`,
      `what: while this call ran, ${inert(file, 140)} was changed: ${inert(why, 160)}`,
      putBack === undefined
        ? `why: it was not put back, because ${inert(left ?? "", 160)}; the next session would run without Interlock`
        : `done: the entries were put back${copy}; git may say that the file is in its way`,
      putBack === undefined
        ? "next: stop and ask the user to run: interlock init --scope local"
        : "next: tell the user; leave this file out of what you stash, delete or rewrite",
    ];
    return note(lines.join("\n"), "both", { registration: { file, why, putBack: putBack !== undefined } });
  });

const wasDone: Record<ObservedChange["op"], string> = {
  created: "created",
  changed: "changed",
  deleted: "deleted",
  mode: "given other permissions",
  linked: "linked",
};
