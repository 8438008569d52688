// The steps a session takes before it changes anything, as configured. Invariant: a step that can't apply here counts as done.
import { before, gate, type Project } from "../../engine/gate.js";
import { deny } from "../../engine/verdict.js";
import { describe, editsOf } from "./edits.js";
import { type SeenState, seen } from "./memory/seen.js";
import type { Options, StartupStep } from "./options.js";

export const startup = gate<undefined, Options>({
  id: "discipline/startup",
  title: "Start-up steps come first",
  about:
    "Until every configured start-up step is done in this session, refuses changes and the start of sub-agents. Reading, asking, research and the steps' own commands stay open.",
  remedy: "Read the named document, or run the named command until it succeeds.",
  window: "The session; a step done stays done.",
  reset: "A new session.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall, project, event }) {
    const edits = editsOf(facts, config);
    if (!edits.length && event.tool?.kind !== "agent") return;
    const open = openSteps(config.startup.steps, recall(seen), project);
    if (!open.length) return;
    const [first] = open;
    return deny({
      what: edits.length ? describe(facts, edits) : `${event.tool!.name}: start of an agent`,
      why: `start-up steps are open: ${open.map((s) => s.id).join(", ")}`,
      next: first!.read !== undefined ? `read ${first!.read}` : `run: ${first!.run}`,
    });
  },
});

export const openSteps = (steps: readonly StartupStep[], done: Readonly<SeenState>, project: Project): StartupStep[] =>
  steps.filter((s) => {
    if (s.when !== undefined && !project.exists(s.when)) return false;
    if (s.read !== undefined) return project.exists(s.read) && !done.read.includes(s.read);
    return !done.ran.includes(s.id);
  });
