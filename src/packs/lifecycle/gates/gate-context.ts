// What every lifecycle gate judges on: where the event is, what the file says, where the workflow stands.
// Invariant: position and evidence come from the standing, never from the file alone.
import type { Memory } from "../../../model/gate.js";
import { needsOf } from "../model/catalogue.js";
import { optionalNeedsOf, type Unmet, unmetOf } from "../model/needs.js";
import { type ProjectView, projectViewOf, rememberedStateFile, type ViewInput } from "../model/project-view.js";
import type { Needs } from "../model/tables.js";
import { workflowMemory } from "../model/workflow-memory.js";
import {
  type ActiveWorkflow,
  emptyWorkflowState,
  type PhaseProgress,
  statusRank,
  type WorkflowState,
} from "../model/workflow-state.js";

export interface PhaseContext extends ProjectView {
  observed: WorkflowState;
  workflow?: ActiveWorkflow;
  /** The phase in force, of the workflow or without one. */
  phase?: string;
  at: PhaseProgress;
  needs?: Needs;
  unmet(): Unmet[];
  /** What is told and not required: the workflow is permissive. */
  told(): Unmet[];
}

export interface PhaseGateInput extends ViewInput {
  recall<T>(memory: Memory<T>): Readonly<T>;
}

/** undefined: the framework is not used here. */
export function phaseContextOf(input: PhaseGateInput): PhaseContext | undefined {
  const memory = input.recall(workflowMemory);
  const view = projectViewOf(input, rememberedStateFile(memory, input.project));
  return view && phaseContextFrom(view, memory.files[view.key] ?? emptyWorkflowState());
}

export function phaseContextFrom(view: ProjectView, observed: WorkflowState): PhaseContext {
  const { workflow } = observed;
  const phase = workflow?.phase || observed.phase;
  const at = (phase && observed.phases[phase]) || { agents: [] };
  return {
    ...view,
    observed,
    workflow,
    phase,
    at: { ...at, status: stricter(at.status, view, phase) },
    needs: phase ? needsOf(view.catalogue, workflow?.type, phase) : undefined,
    unmet: () => (phase ? unmetOf(observed, phase, view.world) : []),
    told: () => (phase ? optionalNeedsOf(observed, phase, view.world) : []),
  };
}

/** Both the file and the standing must say that a phase was begun. */
function stricter(status: string | undefined, { file }: ProjectView, phase: string | undefined): string | undefined {
  if (!file?.phases || !phase) return status;
  const keys = Object.keys(file.phases);
  const shown = file.phases[phase] ?? file.phases[file.active_workflow?.current_phase ?? ""];
  if (!keys.length || !shown) return undefined;
  return statusRank(shown.status) < statusRank(status) ? (shown.status ?? undefined) : status;
}
