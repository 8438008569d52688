// Whether a call asks to advance: to leave the phase, to pass its gate, or to declare it finished.
// Invariant: whole words only ("navigate" is not "gate"); delegating the current phase is work in it, not leaving it.

import { isSetupCommand } from "../../../facts/delegation.js";
import type { Facts } from "../../../facts/index.js";
import type { Event } from "../../../model/event.js";
import { skillOf } from "../model/pending-delegation.js";
import type { PhaseContext } from "./gate-context.js";

const onward = /\b(?:advance[sd]?|gates?|next\s+phase|proceed|move\s+to\s+phase|progress\s+to)\b/i;
const leaving = /\b(?:delegate|hand\s+off|phase\s+complete|declare\s+complete)\b/i;
const finished = new RegExp(
  String.raw`\b(?:phase\s+(?:is\s+)?(?:complete|done|finished)|ready\s+for\s+gate|gate\s+validation` +
    String.raw`|submit\s+for\s+review|finali[sz]e\s+artifacts|(?:declare|mark)\s+(?:it\s+` +
    String.raw`|phase\s+)?(?:as\s+)?complete|phase\s+\d+\s+complete|(?:implementation|testing` +
    String.raw`|requirements)\s+complete)\b`,
  "i",
);

const textOf = ({ tool }: Event): string =>
  `${tool?.agent?.prompt ?? ""}\n${tool?.agent?.description ?? ""}`.slice(0, 20_000);

/** The orchestrator's skill, asked to pass the gate. */
function advancesBySkill(event: Event): boolean {
  const skill = skillOf(event);
  if (!skill || (skill.name !== "sdlc" && skill.name !== "isdlc")) return false;
  return /\b(?:advance|gate)\b/i.test(skill.args) && !isSetupCommand(skill.args);
}

const works = (facts: Facts, { phase }: PhaseContext): boolean =>
  facts.delegation.isDelegation && facts.delegation.phases.includes(phase ?? "");

/** The call would leave the current phase. */
export function leavesPhase({ event, facts }: { event: Event; facts: Facts }, phaseContext: PhaseContext): boolean {
  if (event.tool?.kind === "skill") return advancesBySkill(event);
  if (facts.delegation.setup || works(facts, phaseContext)) return false;
  return facts.delegation.isDelegation || onward.test(textOf(event)) || leaving.test(textOf(event));
}

/** The call asks an orchestrator for the gate. */
export function asksForGate({ event, facts }: { event: Event; facts: Facts }): boolean {
  if (event.tool?.kind === "skill") return advancesBySkill(event);
  if (facts.delegation.setup || facts.delegation.isDelegation) return false;
  return /orchestrator/i.test(event.tool?.agent?.type ?? "") && onward.test(textOf(event));
}

/** The call declares the phase finished. */
export const declaresFinished = (
  { event, facts }: { event: Event; facts: Facts },
  phaseContext: PhaseContext,
): boolean =>
  event.tool?.kind === "agent" &&
  !facts.delegation.setup &&
  !works(facts, phaseContext) &&
  finished.test(textOf(event));
