// All opinions become one verdict.
// Invariant: the refusal with the best reason answers (`speakerOf`); ask yields to deny; nothing yields to a note.
import { type Repeats, refusal, warning } from "../model/refusal.js";
import { type Ask, type Deny, type Judged, refusalsIn, speakerOf, stepList, type Verdict } from "../model/verdict.js";
import type { Judgement } from "./judge.js";

/** `repeats`: how often the same refusal was given before, without progress. */
export function merge(judgement: Pick<Judgement, "opinions" | "faults">, id: string, repeats?: Repeats): Verdict {
  const { opinions, faults } = judgement;
  const asks = opinions.find((j) => j.opinion.kind === "ask" && j.mode === "enforce" && !j.lifted);
  const answer: Judged | undefined = speakerOf(opinions) ?? asks;
  const verdict: Verdict = {
    id,
    outcome: "pass",
    context: [],
    messages: [],
    opinions: [...opinions],
    faults: [...faults],
  };
  for (const judged of opinions) say(verdict, judged);
  if (answer && (answer.opinion.kind === "deny" || answer.opinion.kind === "ask")) {
    verdict.outcome = answer.opinion.kind;
    verdict.gate = answer.gate;
    verdict.text = refusal(answer.gate, id, joined(answer.opinion, opinions), repeats);
  }
  return verdict;
}

/** What else is missing belongs into the same answer, so that the call does not meet a second refusal. */
function joined(answer: Deny | Ask, opinions: readonly Judged[]): Deny | Ask {
  if (answer.kind !== "deny") return answer;
  const all = refusalsIn(opinions).map((j) => j.opinion);
  // A person lifts all refusals of a call or none.
  const fixed = all.some((o) => o.overridable === false) ? { overridable: false } : {};
  const missing = answer.joins ? all.filter((o) => o.joins) : [];
  if (missing.length < 2) return { ...answer, ...fixed };
  return {
    ...answer,
    ...fixed,
    why: unique(missing.map((o) => o.why)).join("; "),
    next: stepList(unique(missing.flatMap((o) => o.steps ?? [o.next]))),
  };
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

function say(verdict: Verdict, { gate, mode, opinion, lifted }: Judged): void {
  if (mode === "observe") return;
  if (opinion.kind === "note") {
    if (opinion.to !== "person") verdict.context.push(opinion.text);
    if (opinion.to !== "agent") verdict.messages.push(opinion.text);
  } else if (opinion.kind === "rewrite") {
    verdict.rewrite ??= { gate, input: opinion.input, why: opinion.why };
  } else if (lifted) {
    verdict.messages.push(`${gate}: refusal lifted (${lifted})`);
  } else if (mode === "warn") {
    verdict.context.push(warning(gate, opinion));
  }
}
