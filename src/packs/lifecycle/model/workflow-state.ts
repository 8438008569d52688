// The state of a workflow as Interlock observed it: its position, and what happened in each phase.
// Invariant: plain JSON without nulls. Gates open by what is in here, so writing the state file alone opens nothing.
import { canonicalPhase } from "../../../facts/phase-names.js";
import { isObject } from "../../../model/json.js";
import type { Catalogue } from "./catalogue.js";
import type { PhaseState, StateFile } from "./state-file.js";

export interface TestProgress {
  iteration: number;
  completed: boolean;
  last?: "passed" | "failed";
  /** How many times in a row the same failure occurred. */
  identical: number;
  signature?: string;
  failures?: number;
  /** Tests the last run skipped. */
  skipped?: number;
  command?: string;
  at?: string;
  escalated?: string;
  approved?: boolean;
  /** When it ran, in the order of what was observed. */
  step?: number;
}

export interface Elicitation {
  menus: number;
  completed: boolean;
  final?: string;
  selections: string[];
  steps: string[];
  /** The session in which the last menu was shown: only answers given there count. */
  session?: string;
}

export interface Constitution {
  iterations: number;
  completed: boolean;
  status: string;
  checked: string[];
  approved?: boolean;
  /** When it was made, in the order of what was observed. */
  step?: number;
}

export interface PhaseProgress {
  status?: string;
  tests?: TestProgress;
  elicitation?: Elicitation;
  constitution?: Constitution;
  /** Agents that worked in it. */
  agents: string[];
  /** When its leading agent was first started. */
  started?: number;
  /** The last change of code, and of any document. */
  edited?: { step: number; path: string };
  written?: { step: number; path: string };
}

export interface ActiveWorkflow {
  type: string;
  phases: string[];
  index: number;
  phase: string;
  /** The branch its commits belong on, while it is active. */
  branch?: string;
  /** The name of the feature, given at the start. */
  name?: string;
  /** Acceptance tests first (ATDD); once on, it stays on. */
  atdd?: true;
  /** What `interlock lifecycle start` made for it. */
  made?: { branch?: string; from?: string; files?: string[] };
}

/** Limits on test runs from the state file's `iteration_config`. */
export interface RunLimits {
  max?: number;
  identical?: number;
}

export interface PendingDelegation {
  skill: string;
  agent: string;
  session?: string;
  at: number;
}

/** A shell command that runs another agent: until it ends, prompts and answers may be the first agent's own words. */
export interface NestedAgent {
  call: string;
  session?: string;
  at: number;
}

export interface WorkflowState {
  workflow?: ActiveWorkflow;
  /** The current phase if there is no workflow. */
  phase?: string;
  phases: Record<string, PhaseProgress>;
  /** Counts what was observed, to tell what came before what. */
  step?: number;
  /** Agent calls that began: the step of each, by the call's id. */
  starting?: Record<string, number>;
  /** Limits on test runs that the user set in the state file. */
  limits?: RunLimits;
  /** Limits that agents wrote: they only make it stricter. */
  lowered?: RunLimits;
  /** Whether the requirements of phases are enforced at all. */
  enforced: boolean;
  /** Whether a missing skills manifest refuses delegations. */
  strict?: boolean;
  pending?: PendingDelegation;
  nested?: NestedAgent;
  /** How many entries of `skill_usage_log` each agent may have: those that were there first, and its calls since. */
  logged?: Record<string, number>;
  /** The file's claims that were accepted last. */
  claims: string;
  /** Digests of the claims that checked writes will leave in the file, newest last. */
  declared: string[];
  /** The file contains claims that nobody was seen writing. */
  foreign?: boolean;
}

export interface WorkflowStates {
  /** By the state file's path below the project's root. */
  files: Record<string, WorkflowState>;
}

const ranks: Readonly<Record<string, number>> = { pending: 0, in_progress: 1, completed: 2 };
export const statusRank = (status: string | null | undefined): number => (status ? (ranks[status] ?? 0) : 0);

export const emptyWorkflowState = (): WorkflowState => ({ phases: {}, enforced: true, claims: "", declared: [] });

/** Trusts the file: the first time Interlock sees it, or when a person accepts it. */
export function adoptStateFile(file: StateFile, catalogue: Catalogue): WorkflowState {
  const observed: WorkflowState = {
    ...emptyWorkflowState(),
    claims: claimsOf(file, catalogue),
    enforced: enforcedIn(file),
    logged: loggedIn(file),
  };
  if (file.skill_enforcement?.fail_behavior === "block") observed.strict = true;
  const limits = limitsIn(file);
  if (limits) observed.limits = limits;
  const workflow = workflowIn(file, catalogue);
  if (workflow) observed.workflow = workflow;
  else if (file.current_phase) observed.phase = key(file.current_phase, catalogue);
  for (const [name, phase] of Object.entries(file.phases ?? {})) {
    if (phase) observed.phases[key(name, catalogue)] = phaseIn(phase);
  }
  for (const entry of file.skill_usage_log ?? []) {
    const at = entry.agent_phase ?? entry.current_phase;
    if (entry.agent && at) addAgent(observed, key(at, catalogue), entry.agent);
  }
  const pending = file.pending_delegation;
  if (pending?.required_agent) {
    const at = Date.parse(pending.invoked_at ?? "");
    observed.pending = { skill: pending.skill ?? "", agent: pending.required_agent, at: Number.isNaN(at) ? 0 : at };
  }
  return observed;
}

/** A new workflow: its position is the file's; what earlier workflows proved does not count. */
export function beginWorkflow(observed: WorkflowState, file: StateFile, catalogue: Catalogue): WorkflowState {
  const workflow = workflowIn(file, catalogue);
  const next: WorkflowState = {
    ...emptyWorkflowState(),
    enforced: observed.enforced,
    claims: claimsOf(file, catalogue),
    declared: [],
  };
  if (observed.pending) next.pending = observed.pending;
  next.logged = observed.logged ?? loggedIn(file);
  if (observed.strict) next.strict = true;
  if (observed.limits) next.limits = observed.limits;
  if (!workflow) return next;
  next.workflow = workflow;
  const status = file.phases?.[file.active_workflow?.current_phase ?? ""]?.status;
  next.phases[workflow.phase] = { agents: [], ...(status ? { status } : {}) };
  return next;
}

/** The entries of the log, by agent. */
export function loggedIn({ skill_usage_log }: StateFile): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { agent } of skill_usage_log ?? []) if (agent) countIn(counts, agent);
  return counts;
}

export const countIn = (counts: Record<string, number>, name: string): void =>
  void (counts[name] = (Object.hasOwn(counts, name) ? counts[name]! : 0) + 1);

/** Entries of the log for calls that nobody saw: an agent, and the phase of its last entry. */
export function unseenEntries({ logged }: WorkflowState, file: StateFile): { agent: string; phase: string }[] {
  if (!logged) return [];
  return Object.entries(loggedIn(file)).flatMap(([agent, count]) => {
    const last = file.skill_usage_log?.findLast((entry) => entry.agent === agent);
    return count > (Object.hasOwn(logged, agent) ? logged[agent]! : 0)
      ? [{ agent, phase: last?.agent_phase ?? last?.current_phase ?? "no phase" }]
      : [];
  });
}

const key = (name: string, catalogue: Catalogue) => canonicalPhase(name, catalogue.own) ?? name;

export function workflowIn(file: StateFile, catalogue: Catalogue): ActiveWorkflow | undefined {
  const active = file.active_workflow;
  if (!active) return undefined;
  const type = active.type ?? "";
  const named = active.current_phase ? key(active.current_phase, catalogue) : undefined;
  const listed = active.phases?.length
    ? active.phases.map((p) => key(p, catalogue))
    : catalogue.workflows.get(type)?.phases;
  const phases = listed ? [...listed] : named ? [named] : [];
  const index = active.current_phase_index ?? (named ? Math.max(0, phases.indexOf(named)) : 0);
  const workflow: ActiveWorkflow = { type, phases, index, phase: named ?? phases[index] ?? "" };
  const branch = active.git_branch;
  if (branch?.status === "active" && branch.name) workflow.branch = branch.name;
  if (active.atdd_mode === true || active.options?.atdd_mode === true) workflow.atdd = true;
  return workflow;
}

export const enforcedIn = ({ iteration_enforcement: e }: StateFile): boolean =>
  typeof e === "boolean" ? e : e?.enabled !== false;

/** undefined: the file sets none. */
export function limitsIn({ iteration_config: c }: StateFile): RunLimits | undefined {
  if (!c?.configured_at) return undefined;
  const limits: RunLimits = {};
  if (isCount(c.testing_max)) limits.max = c.testing_max;
  if (isCount(c.circuit_breaker_threshold)) limits.identical = c.circuit_breaker_threshold;
  return Object.keys(limits).length ? limits : undefined;
}

const isCount = (n: number | null | undefined): n is number => Number.isInteger(n) && n! >= 1;

/** The next number in the order of what was observed. */
export function nextStep(observed: WorkflowState): number {
  observed.step = (observed.step ?? 0) + 1;
  return observed.step;
}

/** The parts of the file that matter to gates, as text: equal claims mean nothing relevant changed. */
export function claimsOf(file: StateFile, catalogue: Catalogue): string {
  const statuses = Object.entries(file.phases ?? {})
    .map(([name, phase]) => [key(name, catalogue), statusRank(phase?.status), constitutionClaim(phase)] as const)
    .filter(([, status, claim]) => status || claim)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const workflow = workflowIn(file, catalogue);
  const phase = workflow ? undefined : file.current_phase;
  const limits = limitsIn(file);
  return JSON.stringify([workflow ?? 0, phase ?? 0, statuses, enforcedIn(file), ...(limits ? [limits] : [])]);
}

function constitutionClaim(phase: PhaseState | null | undefined): string {
  const c = phase?.constitutional_validation;
  return c?.completed ? `${c.status ?? ""} ${c.iterations_used ?? 0} ${(c.articles_checked ?? []).join(" ")}` : "";
}

/** One phase as the file describes it; a completion without any iteration does not count. */
function phaseIn(phase: PhaseState): PhaseProgress {
  const observed: PhaseProgress = { agents: [] };
  if (phase.status) observed.status = phase.status;
  const c = phase.constitutional_validation;
  if (c) {
    observed.constitution = constitutionIn(c);
  }
  const e = phase.iteration_requirements?.interactive_elicitation;
  if (e) {
    observed.elicitation = {
      menus: e.menu_interactions ?? 0,
      completed: e.completed === true && (e.menu_interactions ?? 0) >= 1,
      selections: strings(e.selections?.map((s) => (isObject(s) ? s["selection"] : s))),
      steps: strings(e.steps_completed),
    };
    if (e.final_selection) observed.elicitation.final = e.final_selection;
  }
  const t = phase.iteration_requirements?.test_iteration;
  if (t) {
    observed.tests = {
      iteration: t.current_iteration ?? 0,
      completed: t.completed === true && (t.current_iteration ?? 0) >= 1,
      identical: t.identical_failure_count ?? 0,
    };
    const last = t.last_test_result?.toLowerCase();
    if (last === "passed" || last === "failed") observed.tests.last = last;
    if (t.status === "escalated") observed.tests.escalated = t.escalation_reason ?? "escalated";
    if (t.escalation_approved) observed.tests.approved = true;
    if (t.failures_count) observed.tests.failures = t.failures_count;
    const skipped = phase.atdd_validation?.orphan_skips_detected;
    if (skipped) observed.tests.skipped = skipped;
    if (t.last_test_command) observed.tests.command = t.last_test_command;
  }
  return observed;
}

export function constitutionIn(c: NonNullable<PhaseState["constitutional_validation"]>): Constitution {
  const made: Constitution = {
    iterations: c.iterations_used ?? 0,
    completed: c.completed === true && (c.iterations_used ?? 0) >= 1,
    status: c.status ?? (c.completed ? "compliant" : "pending"),
    checked: c.articles_checked ?? [],
  };
  if (c.escalation_approved) made.approved = true;
  return made;
}

const strings = (list: readonly unknown[] | null | undefined): string[] =>
  (list ?? []).filter((x): x is string => typeof x === "string").slice(0, 50);

/** The record of a phase, created if missing. */
export function phaseProgress(observed: WorkflowState, phase: string): PhaseProgress {
  return (observed.phases[phase] ??= { agents: [] });
}

export function addAgent(observed: WorkflowState, phase: string, agent: string): void {
  const { agents } = phaseProgress(observed, phase);
  if (!agents.includes(agent)) agents.push(agent);
}
