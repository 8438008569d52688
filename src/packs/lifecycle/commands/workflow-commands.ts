// The commands of `interlock lifecycle` that change something: start, advance, redo, cancel, check, approve, accept.
// Pure. Invariant: a refused command says why and what to do next; an accepted one returns the new state and file text
// together.

import { gateName } from "../../../facts/phase-names.js";
import type { JsonObject } from "../../../model/json.js";
import { needsOf, phaseDefOf } from "../model/catalogue.js";
import { askPerson, escalationIn, isCheckStale, summariseUnmet, unmetOf } from "../model/needs.js";
import type { ProjectView } from "../model/project-view.js";
import { changeStateText, objectAt, parseStateFile, pushBounded } from "../model/state-file.js";
import {
  type ActiveWorkflow,
  adoptStateFile,
  beginWorkflow,
  claimsOf,
  emptyWorkflowState,
  nextStep,
  type PhaseProgress,
  phaseProgress,
  type WorkflowState,
} from "../model/workflow-state.js";
import { phaseRecord } from "../model/write-back.js";

export interface CommandDone {
  observed: WorkflowState;
  text: string;
  said: string;
}

export interface CommandRefused {
  why: string;
  next: string;
}

export interface CommandInput {
  view: ProjectView;
  observed: WorkflowState | undefined;
  now: number;
  /** A person at a terminal decided this. */
  person?: boolean;
}

export interface StartRequest {
  type: string;
  branch?: string;
  name?: string;
  atdd?: boolean;
  /** The branch it was started from. */
  from?: string;
  /** Other files that are made for it. */
  makes?: readonly string[];
}

/** Whoever reached the limit does not lift it: after an escalation a person decides. */
function heldBack({ observed, person }: CommandInput, what: string): CommandRefused | undefined {
  const why = person ? undefined : escalationIn(observed);
  if (!why) return undefined;
  return {
    why: `${why}; ${what} is a person's decision now`,
    next: askPerson,
  };
}

export const isCommandRefused = (result: CommandDone | CommandRefused): result is CommandRefused => "why" in result;

const iso = (now: number) => new Date(now).toISOString();

/** Changes the file's text and accepts its new claims into the observed state. */
function write(
  input: CommandInput,
  observed: WorkflowState,
  said: string,
  change: (state: JsonObject) => void,
): CommandDone {
  const { view, observed: known } = input;
  const mended = view.problem !== undefined && known?.workflow !== undefined;
  // Keep what can be used of a damaged file; the workflow's position comes from the record.
  const base = !view.file ? rebuilt(known) : view.problem === undefined ? view.text : JSON.stringify(view.file);
  const text = changeStateText(base, (state) => {
    if (mended) Object.assign(objectAt(state, "active_workflow"), placeIn(known.workflow!));
    change(state);
  });
  return {
    observed: {
      ...observed,
      claims: claimsOf(parseStateFile(text), input.view.catalogue),
      declared: [],
      foreign: undefined,
    },
    text,
    said,
  };
}

const placeIn = ({ type, phase, index, phases }: ActiveWorkflow) => ({
  type,
  current_phase: phase,
  current_phase_index: index,
  phases: [...phases],
});

/** A missing or unusable state file, rebuilt from the record. */
function rebuilt(known: WorkflowState | undefined): string | undefined {
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

export function startWorkflow(
  input: CommandInput,
  { type, branch, name, atdd, from, makes = [] }: StartRequest,
): CommandDone | CommandRefused {
  const { view, observed, now } = input;
  if (observed?.workflow)
    return {
      why: `the ${observed.workflow.type} workflow is active (${observed.workflow.phase})`,
      next: 'finish it, or: interlock lifecycle cancel --reason "..."',
    };
  const workflow = view.catalogue.workflows.get(type);
  if (!workflow)
    return {
      why: `there is no workflow "${type}"`,
      next: `choose one of: ${[...view.catalogue.workflows.keys()].join(", ")}`,
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
  const moved = write(input, observed ?? emptyWorkflowState(), `started ${type}: phase ${first}`, (state) => {
    state["active_workflow"] = active;
    state["current_phase"] = first;
    state["phases"] = { [first]: { status: "in_progress" } };
    state["state_version"] ??= 0;
  });
  const begun = beginWorkflow(moved.observed, parseStateFile(moved.text), view.catalogue);
  if (name && begun.workflow) begun.workflow.name = name;
  const files = [...(view.text === undefined ? [view.name] : []), ...makes];
  if (begun.workflow && (branch || files.length))
    begun.workflow.made = { ...(branch && { branch, ...(from && { from }) }), ...(files.length && { files }) };
  return { ...moved, observed: begun };
}

export function advanceWorkflow(input: CommandInput): CommandDone | CommandRefused {
  const { view, observed, now } = input;
  const workflow = observed?.workflow;
  if (!workflow) return noWorkflow;
  const unmet = unmetOf(observed, workflow.phase, view.world);
  if (unmet.length) return summariseUnmet(workflow.phase, unmet);
  const next = structuredClone(observed);
  phaseProgress(next, workflow.phase).status = "completed";
  const to = workflow.phases[workflow.index + 1];
  if (to === undefined) return ended(input, next, "completed", undefined);
  next.workflow = { ...workflow, index: workflow.index + 1, phase: to };
  phaseProgress(next, to).status = "in_progress";
  return write(input, next, `${gateName(workflow.phase)} passed: phase ${to}`, (state) => {
    Object.assign(phaseRecord(state, workflow.phase), { status: "completed", completed_at: iso(now) });
    paths(state, to, workflow.index + 1);
    Object.assign(objectAt(state, "phases", to), { status: "in_progress", started_at: iso(now) });
    Object.assign(objectAt(state, "active_workflow", "phase_status"), {
      [workflow.phase]: "completed",
      [to]: "in_progress",
    });
  });
}

function paths(state: JsonObject, phase: string, index: number): void {
  Object.assign(objectAt(state, "active_workflow"), { current_phase: phase, current_phase_index: index });
  state["current_phase"] = phase;
}

function ended(
  input: CommandInput,
  observed: WorkflowState,
  status: "completed" | "cancelled",
  reason: string | undefined,
): CommandDone {
  const { type, phase } = observed.workflow!;
  const next: WorkflowState = { ...observed, phases: {} };
  delete next.workflow;
  delete next.pending;
  return write(
    input,
    next,
    status === "completed" ? `the ${type} workflow is complete` : `the ${type} workflow is cancelled: ${reason}`,
    (state) => {
      const at = iso(input.now);
      if (status === "completed") {
        Object.assign(phaseRecord(state, phase), { status: "completed", completed_at: at });
        objectAt(state, "active_workflow", "phase_status")[phase] = "completed";
      }
      const active = (state["active_workflow"] ?? {}) as JsonObject;
      const branch = active["git_branch"] as JsonObject | undefined;
      if (branch) Object.assign(branch, { status: status === "completed" ? "completed" : "abandoned", ended_at: at });
      pushBounded(
        state,
        "workflow_history",
        {
          ...active,
          status,
          ...(status === "completed" ? { completed_at: at } : { cancelled_at: at }),
          ended_at: at,
          ...(reason ? { cancellation_reason: reason, cancelled_at_phase: phase } : {}),
          phases_snapshot: structuredClone(state["phases"] ?? {}) as JsonObject,
        },
        50,
      );
      state["active_workflow"] = null;
      state["current_phase"] = null;
      state["pending_delegation"] = null;
    },
  );
}

export const redoCommand = 'interlock lifecycle redo --reason "..."';

const noWorkflow: CommandRefused = {
  why: "no workflow is active",
  next: "interlock lifecycle start feature (or fix, test-run, ...)",
};

export function cancelWorkflow(input: CommandInput, reason: string): CommandDone | CommandRefused {
  const held = heldBack(input, "cancelling");
  if (held) return held;
  return input.observed?.workflow ? ended(input, input.observed, "cancelled", reason) : noWorkflow;
}

/** Goes back to a phase (the current one by default). What was proved from there on has to be proved again. */
export function redoPhase(input: CommandInput, reason: string, to?: string): CommandDone | CommandRefused {
  const { observed, view, now } = input;
  const workflow = observed?.workflow;
  if (!workflow) return noWorkflow;
  const held = heldBack(input, "doing it over");
  if (held) return held;
  const phase = to === undefined ? workflow.phase : (phaseDefOf(view.catalogue, to)?.id ?? to);
  const index = workflow.phases.indexOf(phase);
  if (index < 0)
    return {
      why: `"${to}" is not a phase of this workflow`,
      next: `choose one of: ${workflow.phases.slice(0, workflow.index + 1).join(", ")}`,
    };
  if (index > workflow.index)
    return { why: `${phase} lies ahead; redo goes back`, next: "interlock lifecycle advance" };
  const next = structuredClone(observed);
  for (const later of workflow.phases.slice(index)) {
    const kept = input.person ? undefined : attemptsOf(next.phases[later]);
    delete next.phases[later];
    if (kept) next.phases[later] = kept;
  }
  next.workflow = { ...workflow, index, phase };
  next.phases[phase] = { ...next.phases[phase], status: "in_progress", agents: [] };
  return write(input, next, `back at ${phase}: ${reason}`, (state) => {
    const phases = objectAt(state, "phases");
    for (const later of workflow.phases.slice(index)) delete phases[later];
    phases[phase] = { status: "in_progress", started_at: iso(now) };
    const status = objectAt(state, "active_workflow", "phase_status");
    for (const later of workflow.phases.slice(index)) status[later] = later === phase ? "in_progress" : "pending";
    paths(state, phase, index);
    objectAt(state, "active_workflow")["recovery_action"] = {
      type: index === workflow.index ? "redo" : "rollback",
      reason,
      at: iso(now),
    };
  });
}

/** Only a person gives a phase its attempts back: what was tried stays counted, what was proved does not. */
function attemptsOf({ tests, constitution }: PhaseProgress = { agents: [] }): PhaseProgress | undefined {
  if (!tests && !constitution) return undefined;
  const kept: PhaseProgress = { agents: [] };
  if (tests) {
    const { iteration, identical, signature } = tests;
    kept.tests = { iteration, identical, completed: false, ...(signature && { signature }) };
  }
  if (constitution)
    kept.constitution = { iterations: constitution.iterations, completed: false, status: "iterating", checked: [] };
  return kept;
}

/** Records a constitutional check of the current phase: the articles checked, and a violation if one was found. */
export function checkArticles(
  input: CommandInput,
  articles: readonly string[],
  violation?: string,
): CommandDone | CommandRefused {
  const { observed, view, now } = input;
  const workflow = observed?.workflow;
  if (!workflow) return noWorkflow;
  const held = heldBack(input, "a further check");
  if (held) return held;
  const { phase } = workflow;
  const needs = needsOf(view.catalogue, workflow.type, phase) ?? {};
  const wanted = needs.constitution;
  if (!wanted) return { why: `${phase} needs no constitutional check`, next: "interlock lifecycle next" };
  const unknown = articles.filter(
    (a) => !/^(?:I|II|III|IV|V|VI|VII|VIII|IX|X|XI|XII)$/.test(a) && !wanted.articles.includes(a),
  );
  if (unknown.length)
    return { why: `no such article: ${unknown.join(", ")}`, next: `${phase} needs: ${wanted.articles.join(", ")}` };
  if (!articles.length && !violation)
    return { why: "no article is named", next: `interlock lifecycle validate --articles ${wanted.articles.join(",")}` };
  const next = structuredClone(observed);
  const before = phaseProgress(next, phase).constitution;
  // What was checked before the last change of the work has to be checked again.
  const still = before && !isCheckStale(before, phaseProgress(next, phase), needs) ? before.checked : [];
  const checked = violation ? still : [...new Set([...still, ...articles])];
  const iterations = (before?.iterations ?? 0) + 1;
  const completed = !violation && wanted.articles.every((a) => checked.includes(a));
  const status = completed ? "compliant" : iterations >= wanted.max ? "escalated" : "iterating";
  phaseProgress(next, phase).constitution = { iterations, completed, status, checked, step: nextStep(next) };
  const left = wanted.articles.filter((a) => !checked.includes(a));
  const said = completed
    ? `${phase} is compliant with articles ${wanted.articles.join(", ")}`
    : `check ${iterations} of ${wanted.max} recorded: ` +
      `${status}${left.length ? `; still to check: ${left.join(", ")}` : ""}`;
  return write(input, next, said, (state) => {
    const record = objectAt(phaseRecord(state, phase), "constitutional_validation");
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
    if (violation) pushBounded(record, "violations_found", { violation, at: iso(now) }, 50);
    pushBounded(
      record,
      "history",
      { iteration: iterations, timestamp: iso(now), articles: [...articles], result: status },
      50,
    );
  });
}

/** A person lets an escalated phase continue. */
export function approveEscalation(input: CommandInput, reason: string): CommandDone | CommandRefused {
  const { observed, now } = input;
  const workflow = observed?.workflow;
  if (!workflow) return noWorkflow;
  const next = structuredClone(observed);
  const record = phaseProgress(next, workflow.phase);
  const tests = record.tests?.escalated ? record.tests : undefined;
  const constitution = record.constitution?.status === "escalated" ? record.constitution : undefined;
  if (!tests && !constitution)
    return { why: `nothing of ${workflow.phase} is escalated`, next: "interlock lifecycle next" };
  for (const escalated of [tests, constitution]) if (escalated) escalated.approved = true;
  return write(input, next, `approved to go on from ${workflow.phase}: ${reason}`, (state) => {
    const phase = phaseRecord(state, workflow.phase);
    const approval = {
      escalation_approved: true,
      escalation_approved_at: iso(now),
      escalation_approval_reason: reason,
    };
    if (tests) Object.assign(objectAt(phase, "iteration_requirements", "test_iteration"), approval);
    if (constitution) Object.assign(objectAt(phase, "constitutional_validation"), approval);
  });
}

/** A person accepts the state file as it is. */
export function acceptStateFile({ view }: CommandInput): CommandDone | CommandRefused {
  if (!view.file)
    return { why: view.problem ?? `${view.name} does not exist`, next: "repair or restore the file first" };
  return {
    observed: adoptStateFile(view.file, view.catalogue),
    text: view.text!,
    said: `${view.name} is accepted as it is`,
  };
}
