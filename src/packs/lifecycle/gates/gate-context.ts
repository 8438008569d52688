// What every lifecycle gate judges on: where the event is, what the file says, where the workflow stands.
// Invariant: position and evidence come from the standing, never from the file alone.
import type { Memory } from "../../../model/gate.js";
import { needsOf } from "../model/catalogue.js";
import { toldOf, type Unmet, unmetOf } from "../model/needs.js";
import { type Asking, rememberedIn, type Sight, sightOf } from "../model/project-view.js";
import type { Needs } from "../model/tables.js";
import { standings } from "../model/workflow-memory.js";
import {
  emptyStanding,
  type PhaseStanding,
  rank,
  type Standing,
  type WorkflowStanding,
} from "../model/workflow-state.js";

export interface Situation extends Sight {
  standing: Standing;
  workflow?: WorkflowStanding;
  /** The phase in force, of the workflow or without one. */
  phase?: string;
  at: PhaseStanding;
  needs?: Needs;
  unmet(): Unmet[];
  /** What is told and not required: the workflow is permissive. */
  told(): Unmet[];
}

export interface Judging extends Asking {
  recall<T>(memory: Memory<T>): Readonly<T>;
}

/** undefined: the framework is not used here. */
export function situationOf(judging: Judging): Situation | undefined {
  const memory = judging.recall(standings);
  const sight = sightOf(judging, rememberedIn(memory, judging.project));
  return sight && situated(sight, memory.files[sight.key] ?? emptyStanding());
}

export function situated(sight: Sight, standing: Standing): Situation {
  const { workflow } = standing;
  const phase = workflow?.phase || standing.phase;
  const at = (phase && standing.phases[phase]) || { agents: [] };
  return {
    ...sight,
    standing,
    workflow,
    phase,
    at: { ...at, status: stricter(at.status, sight, phase) },
    needs: phase ? needsOf(sight.catalogue, workflow?.type, phase) : undefined,
    unmet: () => (phase ? unmetOf(standing, phase, sight.world) : []),
    told: () => (phase ? toldOf(standing, phase, sight.world) : []),
  };
}

/** Both the file and the standing must say that a phase was begun. */
function stricter(status: string | undefined, { file }: Sight, phase: string | undefined): string | undefined {
  if (!file?.phases || !phase) return status;
  const keys = Object.keys(file.phases);
  const shown = file.phases[phase] ?? file.phases[file.active_workflow?.current_phase ?? ""];
  if (!keys.length || !shown) return undefined;
  return rank(shown.status) < rank(status) ? (shown.status ?? undefined) : status;
}
