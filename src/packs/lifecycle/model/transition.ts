// Which changes of the state file are legitimate moves of a workflow, and the state they lead to.
// Invariant: pure; a change with a problem changes nothing; evidence (tests, menus, agents) never comes from the file.
import { nearest } from "../../../model/nearest.js";
import { stepList } from "../../../model/verdict.js";
import { type Catalogue, needsOf, phaseDefOf } from "./catalogue.js";
import { askPerson, type NeedsWorld, unmetOf } from "./needs.js";
import { testLimits } from "./phase-evidence.js";
import type { PhaseState, StateFile } from "./state-file.js";
import {
  type ActiveWorkflow,
  beginWorkflow,
  claimsOf,
  constitutionIn,
  enforcedIn,
  limitsIn,
  loggedIn,
  nextStep,
  type PhaseProgress,
  phaseProgress,
  statusRank,
  unseenEntries,
  type WorkflowState,
  workflowIn,
} from "./workflow-state.js";

export type StateProblemKind =
  | "fake completion"
  | "regressed phase"
  | "skipped phase"
  | "stale version"
  | "unmet requirements"
  | "ended workflow"
  | "halfway entry"
  | "enforcement off"
  | "limits loosened"
  | "unknown phase"
  | "branch left";

export interface StateProblem {
  kind: StateProblemKind;
  why: string;
  next: string;
  /** Where there are several steps; `next` says them all. */
  steps?: readonly string[];
}

export interface TransitionWorld extends NeedsWorld {
  /** Whether a constitutional check that is only written in the file counts. */
  attest: "command" | "written";
}

export interface Transition {
  next: WorkflowState;
  problems: StateProblem[];
}

const reread = "read .isdlc/state.json again and change only what you mean to change";

export function transition(
  observed: WorkflowState,
  before: StateFile | undefined,
  after: StateFile,
  world: TransitionWorld,
): Transition {
  const problems: StateProblem[] = [...fakeCompletions(before, after), ...stale(before, after)];
  const next = structuredClone(observed);
  const was = observed.workflow;
  const now = workflowIn(after, world.catalogue);
  problems.push(...loosened(observed, before, after), ...unsupported(observed, before, after, world));
  const limits = limitsIn(after);
  if (limits) next.lowered = { ...observed.lowered, ...limits };
  if (observed.enforced && !enforcedIn(after))
    problems.push({
      kind: "enforcement off",
      why: "it switches phase requirements off",
      next: "leave iteration_enforcement as it is; the user can set the gates to warn in interlock.yaml",
    });
  if (was && now) moved(next, was, now, after, world, problems);
  else if (was) ended(next, was, world, problems);
  else if (now) return started(observed, now, after, world, problems);
  if (world.attest === "written") attested(next, after, world);
  next.claims = claimsOf(after, world.catalogue);
  return { next: problems.length ? observed : next, problems };
}

function started(
  observed: WorkflowState,
  now: ActiveWorkflow,
  after: StateFile,
  { catalogue }: TransitionWorld,
  problems: StateProblem[],
): Transition {
  problems.push(...unknowns(now, catalogue));
  if (now.index > 0)
    problems.push({
      kind: "halfway entry",
      why: `a workflow starts with ${now.phases[0]}, not with ${now.phase}`,
      next: `start at the first phase: interlock lifecycle start ${now.type}`,
    });
  return { next: problems.length ? observed : beginWorkflow(observed, after, catalogue), problems };
}

function moved(
  next: WorkflowState,
  was: ActiveWorkflow,
  now: ActiveWorkflow,
  after: StateFile,
  world: TransitionWorld,
  problems: StateProblem[],
): void {
  if (now.type !== was.type || now.phases.join() !== was.phases.join())
    problems.push({
      kind: "skipped phase",
      why: `the ${was.type} workflow is active; its phases are fixed while it runs`,
      next: 'finish it, or: interlock lifecycle cancel --reason "..."',
    });
  else if (now.index < was.index)
    problems.push({
      kind: "regressed phase",
      why: `it goes back from ${was.phase} to ${now.phase}`,
      next: `go back with: interlock lifecycle redo --to ${now.phase} --reason "..."`,
    });
  else if (now.index > was.index + 1) {
    closing(next, was, world, problems);
    const held = unmetOf(next, was.phase, world).find((u) => u.person);
    problems.push({
      kind: "skipped phase",
      why: `it jumps from ${was.phase} to ${now.phase}`,
      next: held?.next ?? `go on with ${was.phases[was.index + 1]}: interlock lifecycle advance`,
    });
  } else if (now.index === was.index && now.phase !== was.phase)
    problems.push({
      kind: "skipped phase",
      why: `current_phase ${now.phase} is not phase ${now.index} of the workflow (${was.phase})`,
      next: reread,
    });
  else if (now.index > was.index) {
    closing(next, was, world, problems);
    if (now.phase !== (was.phases[now.index] ?? was.phase) && now.index < was.phases.length)
      problems.push({
        kind: "skipped phase",
        why: `current_phase ${now.phase} is not phase ${now.index} of the workflow`,
        next: reread,
      });
  }
  if (was.branch && !now.branch && !atEnd(next, was, world))
    problems.push({
      kind: "branch left",
      why: `the branch ${was.branch} is the workflow's until its last gate is passed`,
      next: `finish the workflow on ${was.branch}`,
    });
  if (was.atdd && !now.atdd)
    problems.push({
      kind: "enforcement off",
      why: "it takes the workflow out of ATDD mode",
      next: 'leave atdd_mode as it is, or end the workflow: interlock lifecycle cancel --reason "..."',
    });
  statuses(next, was, after, world, problems);
  next.workflow = { ...was, index: now.index, phase: now.phase, ...(now.atdd && { atdd: true }) };
  if (now.branch) next.workflow.branch = now.branch;
  else delete next.workflow.branch;
}

/** The gate of the phase being left must be open. */
function closing(next: WorkflowState, was: ActiveWorkflow, world: TransitionWorld, problems: StateProblem[]): void {
  const unmet = unmetOf(next, was.phase, world);
  if (!unmet.length || problems.some((p) => p.kind === "unmet requirements")) return;
  const steps = unmet.map((u) => u.next);
  const why = `${was.phase} is not finished: ${unmet.map((u) => u.why).join("; ")}`;
  problems.push({ kind: "unmet requirements", why, next: stepList(steps), steps });
}

const atEnd = (observed: WorkflowState, was: ActiveWorkflow, world: TransitionWorld): boolean =>
  was.index >= was.phases.length - 1 && !unmetOf(observed, was.phase, world).length;

function ended(next: WorkflowState, was: ActiveWorkflow, world: TransitionWorld, problems: StateProblem[]): void {
  if (was.index < was.phases.length && !atEnd(next, was, world)) {
    problems.push({
      kind: "ended workflow",
      why: `the ${was.type} workflow is at ${was.phase}; it ends after its last gate or by being cancelled`,
      next: 'go on with `interlock lifecycle next`, or: interlock lifecycle cancel --reason "..."',
    });
    return;
  }
  delete next.workflow;
  next.phases = {};
}

/** Only the current phase may be begun; only passing the gate completes it. */
function statuses(
  next: WorkflowState,
  was: ActiveWorkflow,
  after: StateFile,
  world: TransitionWorld,
  problems: StateProblem[],
): void {
  for (const [name, phase] of Object.entries(after.phases ?? {})) {
    const key = phaseDefOf(world.catalogue, name)?.id ?? name;
    const [from, to] = [statusRank(next.phases[key]?.status), statusRank(phase?.status)];
    if (!phase?.status || from === to) continue;
    if (to < from && from === 2)
      problems.push({
        kind: "regressed phase",
        why: `${key} was completed and would be ${phase.status} again`,
        next: `start it over with: interlock lifecycle redo --to ${key} --reason "..."`,
      });
    else if (to === 2 && key === was.phase) closing(next, was, world, problems);
    else if (to === 2 && was.phases.indexOf(key) > was.index)
      problems.push({
        kind: "skipped phase",
        why: `${key} is marked completed before it was begun`,
        next: `work on ${was.phase}`,
      });
    phaseProgress(next, key).status = phase.status;
  }
}

function attested(next: WorkflowState, after: StateFile, world: TransitionWorld): void {
  for (const [name, phase] of Object.entries(after.phases ?? {})) {
    const key = phaseDefOf(world.catalogue, name)?.id ?? name;
    if (!phase?.constitutional_validation) continue;
    const record = phaseProgress(next, key);
    const { approved: _, ...written } = constitutionIn(phase.constitutional_validation);
    // An escalation ends by a person's decision, not by what is written.
    if (record.constitution?.status === "escalated" && !record.constitution.approved) continue;
    const approved = record.constitution?.approved ? { approved: true } : {};
    record.constitution = { ...written, ...approved, step: record.constitution?.step ?? nextStep(next) };
  }
}

const limitNames = { max: "testing_max", identical: "circuit_breaker_threshold" } as const;

/** Limits on test runs may be lowered; raising or removing one is the user's decision. */
function loosened(observed: WorkflowState, before: StateFile | undefined, after: StateFile): StateProblem[] {
  const held = testLimits(usualLimits, observed, undefined);
  const wanted = limitsIn(after);
  const raised = (["max", "identical"] as const).filter((key) => (wanted?.[key] ?? 0) > held[key]);
  const gone = (["max", "identical"] as const).filter(
    (key) =>
      (observed.limits?.[key] ?? observed.lowered?.[key]) !== undefined &&
      wanted?.[key] === undefined &&
      before &&
      limitsIn(before)?.[key],
  );
  const [key] = [...raised, ...gone];
  if (!key) return [];
  return [
    {
      kind: "limits loosened",
      why: `iteration_config.${limitNames[key]} would allow more test runs than the user set`,
      next: "leave iteration_config as it is; the user sets limits with `adjust` in their own interlock.yaml",
    },
  ];
}

const usualLimits = { max: 10, identical: 3 };

function unknowns(workflow: ActiveWorkflow, catalogue: Catalogue): StateProblem[] {
  const unknown = [...new Set([...workflow.phases, workflow.phase])].filter((p) => p && !phaseDefOf(catalogue, p));
  return unknown.map((phase) => {
    const near = nearest(phase, [...catalogue.phases.keys()]);
    return {
      kind: "unknown phase" as const,
      why: `the phase "${phase}" is not defined`,
      next: near ? `did you mean ${near}?` : "run `interlock lifecycle validate`; it names the known phases",
    };
  });
}

/** A new completion in the file that no work supports. */
export function fakeCompletions(before: StateFile | undefined, after: StateFile): StateProblem[] {
  const found: StateProblem[] = [];
  for (const [name, phase] of Object.entries(after.phases ?? {})) {
    const old = before?.phases?.[name];
    for (const { what, field, part } of completions) {
      const [a, b] = [part(phase), part(old)];
      if (a?.["completed"] !== true || (Number(a[field]) || 0) >= 1) continue;
      if (b?.["completed"] === true && b[field] === a[field]) continue;
      found.push({
        kind: "fake completion",
        why: `${name}: ${what}.completed is true but ${field} is ${a[field] ?? "missing"}`,
        next: "do the work first; Interlock counts it and writes it down itself",
      });
    }
  }
  return found;
}

/**
 * What the file says was proved or approved while nobody saw it. Tests and answers are never taken from the file, so
 * this only misleads whoever reads it.
 */
export function unsupported(
  observed: WorkflowState,
  before: StateFile | undefined,
  after: StateFile,
  world: NeedsWorld,
): StateProblem[] {
  const { workflow, enforced } = observed;
  if (!workflow || !enforced) return [];
  const found: StateProblem[] = [];
  const add = (why: string, next: string) => found.push({ kind: "fake completion", why, next });
  for (const [name, phase] of Object.entries(after.phases ?? {})) {
    const key = phaseDefOf(world.catalogue, name)?.id ?? name;
    const needs = needsOf(world.catalogue, workflow.type, key) ?? {};
    const seen = observed.phases[key];
    const [now, old] = [phase?.iteration_requirements, before?.phases?.[name]?.iteration_requirements];
    const [tests, menus] = [now?.test_iteration, now?.interactive_elicitation];
    const proved = seen?.tests?.approved || (seen?.tests?.completed && !seen.tests.escalated);
    if (needs.tests && saysPassed(tests) && !saysPassed(old?.test_iteration) && !proved)
      add(
        `${name}: test_iteration.completed is true, but no passing run was seen`,
        "run the tests; Interlock counts them",
      );
    const held = escalationGone(seen, phase, before?.phases?.[name]);
    if (held) add(`${name}: ${held} is escalated, and the file no longer says so`, askPerson);
    if (
      needs.elicitation &&
      menus?.completed &&
      !old?.interactive_elicitation?.completed &&
      !seen?.elicitation?.completed
    )
      add(
        `${name}: interactive_elicitation.completed is true, but the user was not seen to finish it`,
        `let the user answer: ${needs.elicitation.final.join(" or ")}; Interlock writes it down`,
      );
    const approvals = [
      [tests, old?.test_iteration, seen?.tests],
      [phase?.constitutional_validation, before?.phases?.[name]?.constitutional_validation, seen?.constitution],
    ] as const;
    if (approvals.some(([a, b, s]) => a?.escalation_approved && !b?.escalation_approved && !s?.approved))
      add(
        `${name}: escalation_approved is true, but no person approved it`,
        'ask the user; in their own terminal they run: interlock lifecycle approve --reason "..."',
      );
  }
  const before_ = before && loggedIn(before);
  for (const { agent, phase } of unseenEntries(observed, after))
    if ((before_?.[agent] ?? 0) < loggedIn(after)[agent]!)
      add(
        `skill_usage_log says that ${agent} worked in ${phase}, but no such call was seen`,
        "leave skill_usage_log to Interlock; delegate the work with the Agent tool",
      );
  return found;
}

/** What of a phase waits for a person while the file says otherwise; where it said so already, this is no news. */
function escalationGone(
  seen: PhaseProgress | undefined,
  now: PhaseState | null | undefined,
  old: PhaseState | null | undefined,
): string | undefined {
  const parts = [
    [
      "testing",
      seen?.tests?.escalated && !seen.tests.approved,
      (p: typeof now) => p?.iteration_requirements?.test_iteration,
    ],
    [
      "the constitutional check",
      seen?.constitution?.status === "escalated" && !seen.constitution.approved,
      (p: typeof now) => p?.constitutional_validation,
    ],
  ] as const;
  const gone = parts.find(
    ([, open, part]) => open && part(now)?.status !== "escalated" && (!old || part(old)?.status === "escalated"),
  );
  return gone?.[0];
}

const saysPassed = (tests: { completed?: boolean | null; status?: string | null } | null | undefined): boolean =>
  tests?.completed === true && tests.status !== "escalated";

type Part = Record<string, unknown> | null | undefined;
export const completions: readonly { what: string; field: string; part(phase: PhaseState | null | undefined): Part }[] =
  [
    { what: "constitutional_validation", field: "iterations_used", part: (p) => p?.constitutional_validation },
    {
      what: "interactive_elicitation",
      field: "menu_interactions",
      part: (p) => p?.iteration_requirements?.interactive_elicitation,
    },
    { what: "test_iteration", field: "current_iteration", part: (p) => p?.iteration_requirements?.test_iteration },
  ];

function stale(before: StateFile | undefined, after: StateFile): StateProblem[] {
  const [from, to] = [before?.state_version, after.state_version];
  if (typeof from !== "number" || (typeof to === "number" && to >= from)) return [];
  const said = typeof to === "number" ? `version ${to}` : "no version";
  return [
    {
      kind: "stale version",
      why: `it would write ${said} over version ${from}: the file changed since you read it`,
      next: reread,
    },
  ];
}
