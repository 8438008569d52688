// The configured steps a session does before it changes anything.
// Invariant: a step that does not apply here counts as done.

import type { Facts } from "../../../facts/index.js";
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions, StartupStep } from "../discipline-options.js";
import { describeEdits, editsOf } from "../edits.js";
import { type ProgressState, progressMemory } from "./progress-memory.js";
import { documentExists, stepApplies } from "./startup-steps.js";

export const startup = gate<undefined, DisciplineOptions>({
  id: "discipline/startup",
  title: "Start-up steps come first",
  about:
    "Until every configured start-up step is done in this session, refuses changes, commits and starting " +
    "sub-agents. Reading, questions, research and the steps' own commands stay open. A step whose " +
    "document is missing or empty, or whose script or program does not exist, counts as done.",
  remedy:
    "Read the document or run the command the message names, on its own, until it succeeds. If it cannot " +
    "succeed, a person runs `interlock discipline startup done`.",
  window: "The session; a step done stays done.",
  reset: "A new session.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall, event }) {
    const { steps } = config.startup;
    if (!steps.length) return;
    const edits = editsOf(facts, config);
    const sent = facts.changes.find((c) => c.kind === "commit" || c.kind === "push");
    if (!edits.length && !sent && event.tool?.kind !== "agent") return;
    const done = recall(progressMemory);
    const open = openSteps(steps, done, facts);
    const [first] = open;
    if (!first) return;
    return deny({
      joins: true,
      what: edits.length
        ? describeEdits(facts, edits)
        : sent
          ? `${event.tool!.name}: ${sent.kind}`
          : `${event.tool!.name}: start of an agent`,
      why: `start-up steps are open: ${open.map((s) => s.id).join(", ")}`,
      next: open.map((step) => nextStep(step, done)).join(", then "),
    });
  },
});

/** The agent cannot fix a failing command while changes are refused, so the user is asked after two failures. */
function nextStep({ id, read, run }: StartupStep, { failed }: Readonly<ProgressState>): string {
  if (read !== undefined) return `read ${read}`;
  const times = failed?.[id] ?? 0;
  return times >= 2
    ? `tell the user that \`${run}\` failed ${times} times; the user runs: interlock discipline startup done`
    : `run on its own: ${run}`;
}

export const openSteps = (steps: readonly StartupStep[], done: Readonly<ProgressState>, facts: Facts): StartupStep[] =>
  steps.filter((s) => {
    if (s.read !== undefined ? done.read.includes(s.read) : done.ran.includes(s.id)) return false;
    return stepApplies(s, facts) && (s.read === undefined || documentExists(s.read, facts));
  });
