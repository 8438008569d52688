// Asks the gates that guard places about changes found after a call, as if they had been predicted.
// Invariant: only changes nobody predicted count; what a person lifted for the call stays lifted.
import { Facts } from "../../facts/index.js";
import { effectOf, type ObservedChange, surprises } from "../../facts/observed-changes.js";
import type { Event } from "../../model/event.js";
import type { Gate } from "../../model/gate.js";
import type { JsonObject } from "../../model/json.js";
import { inert } from "../../model/text.js";
import { type Deny, type Mode, type Note, note } from "../../model/verdict.js";
import type { OpenCall } from "./open-calls.js";

export interface Found {
  gate: string;
  mode: Mode;
  change: ObservedChange;
  opinion: Deny;
}

const most = 40;

/** `ask` judges with one gate. */
export function checkAfter(
  facts: Facts,
  gates: readonly { gate: Gate; mode: Mode }[],
  call: OpenCall | undefined,
  ask: (gate: Gate, event: Event, facts: Facts) => Deny | undefined,
): Found[] {
  const found: Found[] = [];
  for (const change of surprises(facts.observed).slice(0, most)) {
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

/** The call without its input's meaning, which was judged before it ran. */
const callOf = ({ tool }: Event): NonNullable<Event["tool"]> => ({
  id: tool?.id,
  name: tool?.name ?? "background call",
  kind: "unknown",
  input: tool?.input ?? {},
});

/** The note to the agent and the person about changes that were found. */
export function tamperingNotes(found: readonly Found[], id: string, event: Event): Note[] {
  const said = found.filter((f) => f.mode !== "observe");
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

const wasDone: Record<ObservedChange["op"], string> = {
  created: "created",
  changed: "changed",
  deleted: "deleted",
  mode: "given other permissions",
  linked: "linked",
};
