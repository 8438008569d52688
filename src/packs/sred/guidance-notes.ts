// Advice on tagged commits: the H-E-R-A body, failed experiments, the investigation a commit continues.
// Invariant: never refuses; each piece of advice is given once per session.
import { before, gate } from "../../model/gate.js";
import { note } from "../../model/verdict.js";
import { cycleGap, cycleSummary, investigationCycles } from "../../sred/cycles.js";
import { eligibility, heraTemplate, missingLabels } from "../../sred/guidance.js";
import type { SredMessage } from "../../sred/message.js";
import { isTagged } from "./commit-guard.js";
import { historyFact } from "./discovery-fact.js";
import { judgedCommits } from "./judged-commits.js";
import type { SredOptions } from "./sred-options.js";

interface Told {
  /** "hera", "failed", "none", "cycle CLAIM" */
  topics: string[];
}

export const guidance = gate<Told, SredOptions>({
  id: "sred/guidance",
  title: "Advice on the evidence a commit leaves",
  about:
    "Tells the agent, once per session and topic, how a commit of SR&ED work becomes better evidence: a body with " +
    "hypothesis, experiment, result and advancement; the analysis of a failed experiment; which investigation the " +
    "commit continues; words that speak for SR&ED in a commit that is said to be none. Refuses nothing.",
  remedy: "Nothing is refused.",
  window: "One session; each topic once.",
  reset: "The end of the session.",
  on: before("shell"),
  onError: "pass",
  state: { scope: "session", initial: { topics: [] } },
  judge({ facts, state, now }) {
    const commit = judgedCommits(facts).find((c) => c.message && c.whole && isTagged(c) && !c.message.routine);
    if (!commit) return;
    const message = commit.message!;
    const open = topicsOf(commit.text!, message).filter(([topic]) => !state.value.topics.includes(topic));
    const cycle = `cycle ${message.claim}`;
    const continues =
      message.claim && !state.value.topics.includes(cycle)
        ? continued(historyFact(facts, commit.root, now).commits, message, now)
        : undefined;
    const told = [...open.map(([topic]) => topic), ...(continues ? [cycle] : [])];
    if (!told.length) return;
    state.update((draft) => {
      draft.topics = [...draft.topics, ...told].slice(-50);
    });
    return [...open.map(([, text]) => text), ...(continues ? [continues] : [])].map((text) => note(text));
  },
});

function topicsOf(text: string, message: SredMessage): [topic: string, text: string][] {
  const words = eligibility(text, message);
  const missing = missingLabels(message);
  const topics: [string, string][] = [];
  if (message.notSred && words === "high")
    topics.push([
      "none",
      "SR&ED: this commit says SRED-Claim: none, but its words (experiment, hypothesis, research, ...) speak for " +
        "SR&ED work. If it is, ask the user for the SR&ED project identifier and amend it.",
    ]);
  if (message.notSred) return topics;
  if (message.failed)
    topics.push([
      "failed",
      "SR&ED: a failed experiment is good evidence of a systematic investigation. Keep it, and record the analysis: " +
        "what was measured, why it differs from the hypothesis, what it rules out" +
        (message.analysis ? "." : " (ANALYSIS: line)."),
    ]);
  if (words && missing.length)
    topics.push([
      "hera",
      `SR&ED: for ${words === "high" ? "this" : "work that met a technological uncertainty, this"} kind of commit, ` +
        `evidence made as the work happens counts most. Missing: ${missing.join(", ")}. Body:\n` +
        heraTemplate.join("\n"),
    ]);
  return topics;
}

/** The investigation of the same project that this commit would join. */
function continued(
  history: Parameters<typeof investigationCycles>[0],
  { claim, issueKeys }: SredMessage,
  now: number,
): string | undefined {
  const cycle = investigationCycles(history.filter((c) => c.claims.includes(claim!)))
    .filter((c) => c.claim === claim)
    .findLast((c) => (now - c.to <= cycleGap && now >= c.to) || c.issueKeys.some((k) => issueKeys.includes(k)));
  return cycle && `SR&ED: this commit continues an investigation. ${cycleSummary(cycle)}.`;
}
