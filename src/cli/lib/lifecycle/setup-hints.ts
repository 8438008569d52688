// What of the project's setup keeps a workflow from being enforced or followed, one line each with the command to run.
// Invariant: reads only; a hint changes no exit code, because the workflow itself is in order.
import { gradeOf } from "../../../health/grade.js";
import { needsOf } from "../../../packs/lifecycle/model/catalogue.js";
import { documentAt } from "../../../packs/lifecycle/model/lifecycle-paths.js";
import type { ProjectView } from "../../../packs/lifecycle/model/project-view.js";
import type { ActiveWorkflow } from "../../../packs/lifecycle/model/workflow-state.js";
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

function missingFor({ project }: LifecycleRun, view: ProjectView, { type, phases, index }: ActiveWorkflow): string[] {
  const needs = phases.slice(index).map((phase) => needsOf(view.catalogue, type, phase));
  const hints: string[] = [];
  if (needs.some((n) => n?.delegation) && !view.world.hasAgents())
    hints.push("the project has no agents (.claude/agents). Run: interlock lifecycle init, then begin a new session");
  if (!needs.some((n) => n?.constitution)) return hints;
  const { path, exists } = documentAt(view.paths, project, "constitution.md");
  const shown = path.slice(project.root.length + 1);
  if (!exists)
    hints.push(`there is no constitution to check the work against (${shown}). Run: interlock lifecycle init`);
  else if (!project.read(path)?.trim())
    hints.push(`${shown} is empty. Write it, or remove it and run: interlock lifecycle init`);
  return hints;
}

export function printHints(hints: readonly string[]): void {
  for (const hint of hints) say(yellow(hint));
}
