// The moves a workflow makes by command: start, advance, redo, cancel, check, approve, accept. Pure over where it stands and what the file says.
// Invariant: a move that is not open answers why and what next; one that is gives the new standing and the new text together.

import { gateName } from "../../../facts/phases.js";
import type { JsonObject } from "../../../model/json.js";
import { situated } from "../gates/gate-context.js";
import { tableProblems } from "../layouts/loosening-report.js";
import { type Catalogue, needsOf, phaseIn } from "../model/catalogue.js";
import { summarise, unmetOf } from "../model/needs.js";
import type { Sight } from "../model/project-view.js";
import { at, changeState, parseState, push } from "../model/state-file.js";
import {
  adopt,
  begin,
  claimsOf,
  emptyStanding,
  phaseOf,
  type Standing,
  type WorkflowStanding,
} from "../model/workflow-state.js";
import { phaseAt } from "../model/write-back.js";

export interface Moved {
  standing: Standing;
  text: string;
  said: string;
}

export interface Stuck {
  why: string;
  next: string;
}

export interface Moving {
  sight: Sight;
  standing: Standing | undefined;
  now: number;
}

export interface Starting {
  type: string;
  branch?: string;
  name?: string;
  atdd?: boolean;
}

export const isStuck = (result: Moved | Stuck): result is Stuck => "why" in result;

const iso = (now: number) => new Date(now).toISOString();

/** Changes the file and takes its new claims into the standing. */
function write(moving: Moving, standing: Standing, said: string, change: (state: JsonObject) => void): Moved {
  const { sight, standing: known } = moving;
  const mended = sight.problem !== undefined && known?.workflow !== undefined;
  // What of a damaged file can be used is kept; where the workflow stands the record knows.
  const base = !sight.file ? rebuilt(known) : sight.problem === undefined ? sight.text : JSON.stringify(sight.file);
  const text = changeState(base, (state) => {
    if (mended) Object.assign(at(state, "active_workflow"), placeIn(known.workflow!));
    change(state);
  });
  return {
    standing: {
      ...standing,
      claims: claimsOf(parseState(text), moving.sight.catalogue),
      declared: [],
      foreign: undefined,
    },
    text,
    said,
  };
}

const placeIn = ({ type, phase, index, phases }: WorkflowStanding) => ({
  type,
  current_phase: phase,
  current_phase_index: index,
  phases: [...phases],
});

/** A state file that is gone or can't be used, as far as the record knows what it said. */
function rebuilt(known: Standing | undefined): string | undefined {
  if (!known?.workflow) return undefined;
  const { phases, index, phase, branch, atdd } = known.workflow;
  const status = (p: string, i: number) => (i < index ? "completed" : (known.phases[p]?.status ?? "pending"));
  const statuses = phases.map((p, i) => [p, status(p, i)] as const);
  return JSON.stringify({
    active_workflow: {
      ...placeIn(known.workflow),
      phase_status: Object.fromEntries(statuses),
      managed_by: "interlock",
      ...(atdd && { atdd_mode: true }),
      ...(branch && { git_branch: { name: branch, status: "active" } }),
    },
    current_phase: phase,
    phases: Object.fromEntries(statuses.filter(([, s]) => s !== "pending").map(([p, s]) => [p, { status: s }])),
    state_version: 0,
  });
}

export function start(moving: Moving, { type, branch, name, atdd }: Starting): Moved | Stuck {
  const { sight, standing, now } = moving;
  if (standing?.workflow)
    return {
      why: `the ${standing.workflow.type} workflow is active (${standing.workflow.phase})`,
      next: 'finish it, or: interlock lifecycle cancel --reason "..."',
    };
  const workflow = sight.catalogue.workflows.get(type);
  if (!workflow)
    return {
      why: `there is no workflow "${type}"`,
      next: `choose one of: ${[...sight.catalogue.workflows.keys()].join(", ")}`,
    };
  const first = workflow.phases[0]!;
  const active: JsonObject = {
    type,
    current_phase: first,
    current_phase_index: 0,
    phases: [...workflow.phases],
    phase_status: Object.fromEntries(workflow.phases.map((p, i) => [p, i ? "pending" : "in_progress"])),
    started_at: iso(now),
    managed_by: "interlock",
  };
  if (atdd) active["atdd_mode"] = true;
  if (name) active["artifact_folder"] = name;
  if (branch) active["git_branch"] = { name: branch, status: "active", created_at: iso(now) };
  const moved = write(moving, standing ?? emptyStanding(), `started ${type}: phase ${first}`, (state) => {
    state["active_workflow"] = active;
    state["current_phase"] = first;
    state["phases"] = { [first]: { status: "in_progress" } };
    state["state_version"] ??= 0;
  });
  const begun = begin(moved.standing, parseState(moved.text), sight.catalogue);
  if (name && begun.workflow) begun.workflow.name = name;
  return { ...moved, standing: begun };
}

export function advance(moving: Moving): Moved | Stuck {
  const { sight, standing, now } = moving;
  const workflow = standing?.workflow;
  if (!workflow) return noWorkflow;
  const unmet = unmetOf(standing, workflow.phase, sight.world);
  if (unmet.length) return summarise(workflow.phase, unmet);
  const next = structuredClone(standing);
  phaseOf(next, workflow.phase).status = "completed";
  const to = workflow.phases[workflow.index + 1];
  if (to === undefined) return ended(moving, next, "completed", undefined);
  next.workflow = { ...workflow, index: workflow.index + 1, phase: to };
  phaseOf(next, to).status = "in_progress";
  return write(moving, next, `${gateName(workflow.phase)} passed: phase ${to}`, (state) => {
    Object.assign(phaseAt(state, workflow.phase), { status: "completed", completed_at: iso(now) });
    place(state, to, workflow.index + 1);
    Object.assign(at(state, "phases", to), { status: "in_progress", started_at: iso(now) });
    Object.assign(at(state, "active_workflow", "phase_status"), { [workflow.phase]: "completed", [to]: "in_progress" });
  });
}

function place(state: JsonObject, phase: string, index: number): void {
  Object.assign(at(state, "active_workflow"), { current_phase: phase, current_phase_index: index });
  state["current_phase"] = phase;
}

function ended(
  moving: Moving,
  standing: Standing,
  status: "completed" | "cancelled",
  reason: string | undefined,
): Moved {
  const { type, phase } = standing.workflow!;
  const next: Standing = { ...standing, phases: {} };
  delete next.workflow;
  delete next.pending;
  return write(
    moving,
    next,
    status === "completed" ? `the ${type} workflow is complete` : `the ${type} workflow is cancelled: ${reason}`,
    (state) => {
      const active = (state["active_workflow"] ?? {}) as JsonObject;
      const branch = active["git_branch"] as JsonObject | undefined;
      if (branch) branch["status"] = status === "completed" ? "completed" : "abandoned";
      push(
        state,
        "workflow_history",
        {
          ...active,
          status,
          ended_at: iso(moving.now),
          ...(reason ? { cancellation_reason: reason, cancelled_at_phase: phase } : {}),
        },
        50,
      );
      state["active_workflow"] = null;
      state["current_phase"] = null;
      state["pending_delegation"] = null;
    },
  );
}

const noWorkflow: Stuck = {
  why: "no workflow is active",
  next: "interlock lifecycle start feature (or fix, test-run, ...)",
};

export function cancel(moving: Moving, reason: string): Moved | Stuck {
  return moving.standing?.workflow ? ended(moving, moving.standing, "cancelled", reason) : noWorkflow;
}

/** Back to a phase (the current one by default): what was proved there and after it has to be proved again. */
export function redo(moving: Moving, reason: string, to?: string): Moved | Stuck {
  const { standing, sight, now } = moving;
  const workflow = standing?.workflow;
  if (!workflow) return noWorkflow;
  const phase = to === undefined ? workflow.phase : (phaseIn(sight.catalogue, to)?.id ?? to);
  const index = workflow.phases.indexOf(phase);
  if (index < 0)
    return {
      why: `"${to}" is no phase of this workflow`,
      next: `choose one of: ${workflow.phases.slice(0, workflow.index + 1).join(", ")}`,
    };
  if (index > workflow.index)
    return { why: `${phase} lies ahead; redo goes back`, next: "interlock lifecycle advance" };
  const next = structuredClone(standing);
  for (const later of workflow.phases.slice(index)) delete next.phases[later];
  next.workflow = { ...workflow, index, phase };
  next.phases[phase] = { status: "in_progress", agents: [] };
  return write(moving, next, `back at ${phase}: ${reason}`, (state) => {
    const phases = at(state, "phases");
    for (const later of workflow.phases.slice(index)) delete phases[later];
    phases[phase] = { status: "in_progress", started_at: iso(now) };
    place(state, phase, index);
    at(state, "active_workflow")["recovery_action"] = {
      type: index === workflow.index ? "redo" : "rollback",
      reason,
      at: iso(now),
    };
  });
}

/** A constitutional check of the current phase: the articles looked at, and what was found against them. */
export function checkArticles(moving: Moving, articles: readonly string[], violation?: string): Moved | Stuck {
  const { standing, sight, now } = moving;
  const workflow = standing?.workflow;
  if (!workflow) return noWorkflow;
  const { phase } = workflow;
  const wanted = needsOf(sight.catalogue, workflow.type, phase)?.constitution;
  if (!wanted) return { why: `${phase} needs no constitutional check`, next: "interlock lifecycle next" };
  const unknown = articles.filter(
    (a) => !/^(?:I|II|III|IV|V|VI|VII|VIII|IX|X|XI|XII)$/.test(a) && !wanted.articles.includes(a),
  );
  if (unknown.length)
    return { why: `no such article: ${unknown.join(", ")}`, next: `${phase} needs: ${wanted.articles.join(", ")}` };
  const next = structuredClone(standing);
  const before = phaseOf(next, phase).constitution;
  const checked = violation ? (before?.checked ?? []) : [...new Set([...(before?.checked ?? []), ...articles])];
  const iterations = (before?.iterations ?? 0) + 1;
  const completed = !violation && wanted.articles.every((a) => checked.includes(a));
  const status = completed ? "compliant" : iterations >= wanted.max ? "escalated" : "iterating";
  phaseOf(next, phase).constitution = { iterations, completed, status, checked };
  const left = wanted.articles.filter((a) => !checked.includes(a));
  const said = completed
    ? `${phase} is compliant with articles ${wanted.articles.join(", ")}`
    : `check ${iterations} of ${wanted.max} recorded: ${status}${left.length ? `; still to check: ${left.join(", ")}` : ""}`;
  return write(moving, next, said, (state) => {
    const record = at(phaseAt(state, phase), "constitutional_validation");
    Object.assign(record, {
      required: true,
      completed,
      status,
      iterations_used: iterations,
      max_iterations: wanted.max,
      articles_required: [...wanted.articles],
      articles_checked: checked,
    });
    record["started_at"] ??= iso(now);
    if (violation) push(record, "violations_found", { violation, at: iso(now) }, 50);
    push(
      record,
      "history",
      { iteration: iterations, timestamp: iso(now), articles: [...articles], result: status },
      50,
    );
  });
}

/** A person lets an escalated phase go on. */
export function approve(moving: Moving, reason: string): Moved | Stuck {
  const { standing, now } = moving;
  const workflow = standing?.workflow;
  if (!workflow) return noWorkflow;
  const next = structuredClone(standing);
  const record = phaseOf(next, workflow.phase);
  const tests = record.tests?.escalated ? record.tests : undefined;
  const constitution = record.constitution?.status === "escalated" ? record.constitution : undefined;
  if (!tests && !constitution)
    return { why: `nothing of ${workflow.phase} is escalated`, next: "interlock lifecycle next" };
  for (const escalated of [tests, constitution]) if (escalated) escalated.approved = true;
  return write(moving, next, `approved to go on from ${workflow.phase}: ${reason}`, (state) => {
    const phase = phaseAt(state, workflow.phase);
    const approval = {
      escalation_approved: true,
      escalation_approved_at: iso(now),
      escalation_approval_reason: reason,
    };
    if (tests) Object.assign(at(phase, "iteration_requirements", "test_iteration"), approval);
    if (constitution) Object.assign(at(phase, "constitutional_validation"), approval);
  });
}

/** A person takes the file as it is, whoever wrote it. */
export function accept({ sight }: Moving): Moved | Stuck {
  if (!sight.file)
    return { why: sight.problem ?? `${sight.name} does not exist`, next: "repair or restore the file first" };
  return {
    standing: adopt(sight.file, sight.catalogue),
    text: sight.text!,
    said: `${sight.name} is accepted as it is`,
  };
}

/** Faults of configuration and of the state file, each with its repair. */
export function faultsOf({ sight, standing }: Moving): Stuck[] {
  const faults: Stuck[] = [];
  if (sight.problem)
    faults.push({
      why: sight.problem,
      next: `restore ${sight.name} from version control, or have it written anew from the record: ${standing?.workflow ? 'interlock lifecycle redo --reason "..."' : "interlock lifecycle start feature (or fix, ...)"}`,
    });
  const { catalogue } = sight;
  for (const why of tableProblems(catalogue))
    faults.push({ why, next: "correct that entry; until then what Interlock ships holds in its stead" });
  const known = `known phases: ${[...catalogue.phases.keys()].join(", ")}`;
  for (const phase of unknownPhases(sight, catalogue))
    faults.push({ why: `the phase "${phase}" is defined nowhere`, next: known });
  if (sight.file?.active_workflow?.type && !catalogue.workflows.has(sight.file.active_workflow.type))
    faults.push({
      why: `the workflow "${sight.file.active_workflow.type}" is defined nowhere`,
      next: `known workflows: ${[...catalogue.workflows.keys()].join(", ")}`,
    });
  if (sight.file?.active_workflow && !sight.world.roles?.has("sdlc-orchestrator"))
    faults.push({
      why: "there is no skills manifest: delegations can't be recognised by agent",
      next: 'restore .claude/hooks/config/skills-manifest.json, or have the shipped one written: interlock lifecycle redo --reason "..."',
    });
  if (standing?.foreign)
    faults.push({
      why: `${sight.name} says something nobody was seen to write; Interlock goes by: ${standing.workflow ? `${standing.workflow.type} at ${standing.workflow.phase}` : "no workflow"}`,
      next: 'put the file back, or let a person accept it: interlock lifecycle accept --reason "..."',
    });
  const { workflow } = situated(sight, standing ?? emptyStanding());
  if (workflow && workflow.index < workflow.phases.length && workflow.phases[workflow.index] !== workflow.phase)
    faults.push({
      why: `current_phase is ${workflow.phase}, but phase ${workflow.index} of the workflow is ${workflow.phases[workflow.index]}`,
      next: `interlock lifecycle redo --to ${workflow.phases[workflow.index]} --reason "..."`,
    });
  return faults;
}

function unknownPhases({ file }: Sight, catalogue: Catalogue): string[] {
  const named = [
    ...(file?.active_workflow?.phases ?? []),
    file?.active_workflow?.current_phase,
    ...Object.keys(file?.phases ?? {}),
  ];
  return [...new Set(named.filter((p): p is string => !!p && !phaseIn(catalogue, p)))];
}
