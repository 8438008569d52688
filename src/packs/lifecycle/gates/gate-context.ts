// What lifecycle gates judge on: the project's workflow files, and what Interlock observed of the workflow.
// Invariant: position and evidence come from what was observed, never from the state file alone.
import type { Facts } from "../../../facts/index.js";
import { type Gate, gate, type JudgeContext, type Memory } from "../../../model/gate.js";
import type { JsonObject } from "../../../model/json.js";
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
import { stateEdit } from "../model/write-back.js";

export interface PhaseContext extends ProjectView {
  observed: WorkflowState;
  workflow?: ActiveWorkflow;
  /** The current phase, of the workflow or without one. */
  phase?: string;
  at: PhaseProgress;
  needs?: Needs;
  unmet(): Unmet[];
  /** Needs that are told and not required, because the workflow is permissive. */
  told(): Unmet[];
}

export interface PhaseGateInput extends ViewInput {
  facts: Facts;
  recall<T>(memory: Memory<T>): Readonly<T>;
}

type JudgePhase<S> = (
  context: JudgeContext<S, JsonObject>,
  phaseContext: PhaseContext,
) => ReturnType<Gate<S, JsonObject>["judge"]>;

type PhaseGate<S> = Omit<Gate<S, JsonObject>, "judge" | "onError"> & { judge: JudgePhase<S> };

/** A gate that judges by the workflow: silent where the framework is not used, and open when it fails. */
export const phaseGate = <S = undefined>({ judge, env = [], ...rest }: PhaseGate<S>): Gate<S, JsonObject> =>
  gate<S>({
    ...rest,
    onError: "pass",
    env: ["ISDLC_PROJECT", ...env],
    judge(context) {
      const phaseContext = phaseContextOf(context);
      return phaseContext && judge(context, phaseContext);
    },
  });

/**
 * Writes what was observed into the state file. Where the framework's own hooks run, they write it themselves: nothing
 * is there twice.
 */
export function writeDown(
  context: Pick<JudgeContext<unknown, JsonObject>, "amend">,
  { paths, ownHooks }: ProjectView,
  change: (state: JsonObject) => void,
  when?: "always",
): void {
  if (!ownHooks) context.amend(paths.file, stateEdit(change), when);
}

/** undefined: the framework is not used here. */
export function phaseContextOf(input: PhaseGateInput): PhaseContext | undefined {
  const memory = input.recall(workflowMemory);
  const view = projectViewOf(input, rememberedStateFile(memory, input.project));
  const known = view && memory.files[view.key];
  return view && phaseContextFrom(view, known ? input.facts.unmasked(known) : emptyWorkflowState());
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

/** A phase counts as begun only when both the file and what was observed say so. */
function stricter(status: string | undefined, { file }: ProjectView, phase: string | undefined): string | undefined {
  if (!file?.phases || !phase) return status;
  const keys = Object.keys(file.phases);
  const shown = file.phases[phase] ?? file.phases[file.active_workflow?.current_phase ?? ""];
  if (!keys.length || !shown) return undefined;
  return statusRank(shown.status) < statusRank(status) ? (shown.status ?? undefined) : status;
}
