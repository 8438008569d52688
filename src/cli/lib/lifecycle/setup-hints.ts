// What of the project's setup keeps a workflow from being enforced or followed, one line each with the command to run.
// Invariant: reads only; a hint changes no exit code, because the workflow itself is in order.
import { gradeOf } from "../../../health/grade.js";
import { type PhaseContext, phaseContextFrom } from "../../../packs/lifecycle/gates/gate-context.js";
import { agentsOf, needsOf } from "../../../packs/lifecycle/model/catalogue.js";
import { documentAt } from "../../../packs/lifecycle/model/lifecycle-paths.js";
import type { ProjectView } from "../../../packs/lifecycle/model/project-view.js";
import type { ActiveWorkflow, WorkflowState } from "../../../packs/lifecycle/model/workflow-state.js";
import { yellow } from "../paint.js";
import { say } from "../wrap.js";
import type { LifecycleRun } from "./lifecycle-run.js";

/** Why no phase is enforced here; undefined: it is. */
export function notEnforced({ opened }: LifecycleRun): string | undefined {
  const { installed, problems } = gradeOf(opened, process.env);
  const { enabled, mode } = opened.settings.config.packs["lifecycle"]!;
  if (!installed) return "Interlock's hooks are not installed here, so nothing is enforced. Run: interlock init";
  if (problems.length) return `no hook runs, so nothing is enforced (${problems[0]}). Run: interlock doctor`;
  if (!enabled) return "the lifecycle pack is off, so nothing is enforced. Run: interlock enable lifecycle";
  if (mode === "enforce") return undefined;
  return `the lifecycle pack is set to ${mode}, so nothing is refused. Run: interlock enable lifecycle`;
}

export function setupHints(run: LifecycleRun, view: ProjectView, workflow: ActiveWorkflow | undefined): string[] {
  const off = notEnforced(run);
  return [...(off ? [off] : []), ...(workflow ? missingFor(run, view, workflow) : [])];
}

const layDown = "interlock lifecycle init (lays down the agents, guides and the constitution), then a new session";

/** The situation with steps that can be followed: where the phase's agent is not there, laying it down comes first. */
export function withSetupStep(view: ProjectView, observed: WorkflowState): { situation: PhaseContext; setup?: string } {
  const situation = phaseContextFrom({ ...view, world: { ...view.world, hasAgents: () => true } }, observed);
  const [agent] = agentsOf(view.catalogue, view.world.roles, situation.phase ?? "");
  return agent && situation.workflow && !view.world.hasAgents() ? { situation, setup: layDown } : { situation };
}

function missingFor({ project }: LifecycleRun, view: ProjectView, { type, phases, index }: ActiveWorkflow): string[] {
  const needs = phases.slice(index).map((phase) => needsOf(view.catalogue, type, phase));
  const { path, exists } = documentAt(view.paths, project, "constitution.md");
  const checked = needs.some((n) => n?.constitution);
  const name = path.slice(project.root.length + 1);
  if (checked && exists && !project.read(path)?.trim())
    return [`${name} is empty. Write it, or remove it and run: interlock lifecycle init`];
  const missing = [
    ...(needs.some((n) => n?.delegation) && !view.world.hasAgents() ? ["agents (.claude/agents)"] : []),
    ...(checked && !exists ? [`constitution (${name})`] : []),
  ];
  return missing.length ? [`the project has no ${missing.join(" and no ")}. Run: interlock lifecycle init`] : [];
}

export function printHints(hints: readonly string[]): void {
  for (const hint of hints) say(yellow(hint));
}
