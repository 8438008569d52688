// All opinions become one verdict.
// Invariant: the first effective deny in gate order is the answer; ask yields to deny; nothing yields to a note.
import { refusal, warning } from "../model/refusal.js";
import type { Ask, Deny, Judged, Verdict } from "../model/verdict.js";
import type { Judgement } from "./judge.js";

/** `times`: how often the same refusal was given without progress, including this time. */
export function merge(judgement: Pick<Judgement, "opinions" | "faults">, id: string, times = 1): Verdict {
  const { opinions, faults } = judgement;
  const effective = (kind: "deny" | "ask") =>
    opinions.find((j) => j.opinion.kind === kind && j.mode === "enforce" && !j.lifted);
  const answer = effective("deny") ?? effective("ask");
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
    verdict.text = refusal(answer.gate, id, joined(answer.opinion, opinions), times);
  }
  return verdict;
}

/** What else is missing belongs into the same answer, so that the call does not meet a second refusal. */
function joined(answer: Deny | Ask, opinions: readonly Judged[]): Deny | Ask {
  if (answer.kind !== "deny" || !answer.joins) return answer;
  const missing = opinions.flatMap(({ opinion, mode, lifted }) =>
    opinion.kind === "deny" && opinion.joins && mode === "enforce" && !lifted ? [opinion] : [],
  );
  if (missing.length < 2) return answer;
  return {
    ...answer,
    why: missing.map((o) => o.why).join("; "),
    next: missing.map((o, i) => `(${i + 1}) ${o.next}`).join(" "),
  };
}

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
