// `interlock lifecycle validate`: what is wrong with the configuration and the state file, each with its repair. Pure.
import { phaseContextFrom } from "../gates/gate-context.js";
import { tableProblems } from "../layouts/loosening-report.js";
import { type Catalogue, phaseDefOf } from "../model/catalogue.js";
import type { ProjectView } from "../model/project-view.js";
import { unsupported } from "../model/transition.js";
import { emptyWorkflowState } from "../model/workflow-state.js";
import { type CommandInput, type CommandRefused, redoCommand } from "./workflow-commands.js";

export function workflowFaults({ view, observed }: CommandInput): CommandRefused[] {
  const faults: CommandRefused[] = [];
  if (view.problem)
    faults.push({
      why: view.problem,
      next:
        `restore ${view.name} from version control, or have it written anew from the record: ` +
        (observed?.workflow ? redoCommand : "interlock lifecycle start feature (or fix, ...)"),
    });
  const { catalogue } = view;
  for (const why of tableProblems(catalogue))
    faults.push({ why, next: "correct that entry; until then the shipped value holds" });
  const known = `known phases: ${[...catalogue.phases.keys()].join(", ")}`;
  for (const phase of unknownPhases(view, catalogue))
    faults.push({ why: `the phase "${phase}" is not defined`, next: known });
  if (view.file?.active_workflow?.type && !catalogue.workflows.has(view.file.active_workflow.type))
    faults.push({
      why: `the workflow "${view.file.active_workflow.type}" is not defined`,
      next: `known workflows: ${[...catalogue.workflows.keys()].join(", ")}`,
    });
  if (view.file?.active_workflow && !view.world.roles?.has("sdlc-orchestrator"))
    faults.push({
      why: "there is no skills manifest: delegations can't be recognised by agent",
      next: `restore .claude/hooks/config/skills-manifest.json, or have the shipped one written: ${redoCommand}`,
    });
  if (observed?.foreign)
    faults.push({
      why:
        `${view.name} has changes nobody was seen to make; Interlock uses: ` +
        `${observed.workflow ? `${observed.workflow.type} at ${observed.workflow.phase}` : "no workflow"}`,
      next: 'put the file back, or let a person accept it: interlock lifecycle accept --reason "..."',
    });
  if (observed?.workflow && view.text === undefined && !view.problem)
    faults.push({
      why: `${view.name} is missing while the ${observed.workflow.type} workflow is at ${observed.workflow.phase}`,
      next: `restore it from version control, or have it written anew from the record: ${redoCommand}`,
    });
  // Where the framework's own hooks run, they keep these entries.
  if (observed && view.file && !observed.foreign && !view.ownHooks)
    for (const { why } of unsupported(observed, undefined, view.file, view.world))
      faults.push({
        why: `${view.name}: ${why}; it does not count`,
        next: `take it out with the Edit tool; the work itself is counted: interlock lifecycle next`,
      });
  const { workflow } = phaseContextFrom(view, observed ?? emptyWorkflowState());
  if (workflow && workflow.index < workflow.phases.length && workflow.phases[workflow.index] !== workflow.phase)
    faults.push({
      why:
        `current_phase is ${workflow.phase}, but phase ${workflow.index} of the workflow is ` +
        `${workflow.phases[workflow.index]}`,
      next: `interlock lifecycle redo --to ${workflow.phases[workflow.index]} --reason "..."`,
    });
  return faults;
}

function unknownPhases({ file }: ProjectView, catalogue: Catalogue): string[] {
  const named = [
    ...(file?.active_workflow?.phases ?? []),
    file?.active_workflow?.current_phase,
    ...Object.keys(file?.phases ?? {}),
  ];
  return [...new Set(named.filter((p): p is string => !!p && !phaseDefOf(catalogue, p)))];
}
