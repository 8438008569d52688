// What Interlock remembers about each state file: the observed state, updated before any gate judges.
// Invariant: a change of the file counts only if the call that made it was seen and was a legitimate move; any other
// change is marked as foreign.
import { createHash } from "node:crypto";
import { agentNamed } from "../../../facts/agent-roles.js";
import { after, at, before, failed, type LearnContext, memory } from "../../../model/gate.js";
import { tableProblems } from "../layouts/loosening-report.js";
import { optionsOf } from "../lifecycle-options.js";
import { needsOf } from "./catalogue.js";
import { namesStateFile } from "./lifecycle-paths.js";
import { demandedBy } from "./pending-delegation.js";
import { countMenu, countTestRun } from "./phase-evidence.js";
import { type ProjectView, projectViewOf, rememberedStateFile } from "./project-view.js";
import { parseStateFile } from "./state-file.js";
import { transition } from "./transition.js";
import {
  addAgent,
  adoptStateFile,
  beginWorkflow,
  claimsOf,
  emptyWorkflowState,
  phaseProgress,
  statusRank,
  type WorkflowState,
  type WorkflowStates,
} from "./workflow-state.js";

export const workflowMemory = memory<WorkflowStates>({
  id: "lifecycle/standing",
  on: [
    ...before("agent", "skill", "shell", "write", "edit"),
    ...after("agent", "skill", "shell", "write", "edit", "ask", "control"),
    ...failed("shell"),
    ...at("session.start", "turn.end", "agent.end"),
  ],
  state: { scope: "project", initial: { files: {} } },
  learn(context) {
    const view = projectViewOf(context, rememberedStateFile(context.state.value, context.project));
    if (!view) return;
    const known = context.state.value.files[view.key];
    const next = observe(settle(known && structuredClone(known), view), view, context);
    if (next && JSON.stringify(next) !== JSON.stringify(known))
      context.state.update((draft) => void (draft.files[view.key] = next));
    const problem = view.problem ?? tableProblems(view.catalogue)[0];
    if (problem) throw new Error(problem);
  },
});

/** Updates the observed state to what the file says, if a legitimate write announced it. */
function settle(
  observed: WorkflowState | undefined,
  { file, catalogue, world }: ProjectView,
): WorkflowState | undefined {
  if (!file) return observed;
  if (!observed) return adoptStateFile(file, catalogue);
  const claims = claimsOf(file, catalogue);
  if (claims === observed.claims) {
    delete observed.foreign;
    return observed;
  }
  if (observed.declared.includes(claimsDigest(claims))) {
    const { next, problems } = transition(observed, undefined, file, world);
    if (!problems.length) {
      delete next.foreign;
      next.declared = [];
      return next;
    }
  }
  // A new workflow only closes gates, so it counts even if nobody was seen writing it.
  if (!observed.workflow && file.active_workflow) return beginWorkflow(observed, file, catalogue);
  observed.foreign = true;
  return observed;
}

export const claimsDigest = (claims: string): string => createHash("sha256").update(claims).digest("hex").slice(0, 16);

function observe(
  observed: WorkflowState | undefined,
  view: ProjectView,
  context: LearnContext<WorkflowStates>,
): WorkflowState | undefined {
  const { event } = context;
  const { tool } = event;
  if (event.kind === "tool.before") {
    if (tool?.kind === "write" || tool?.kind === "edit") return declare(observed, view, context);
    return observed;
  }
  if (!observed) return undefined;
  const phase = observed.workflow?.phase;
  if (tool?.kind === "shell" && phase) sawTests(observed, view, phase, context);
  if (event.kind === "tool.after" && tool?.kind === "agent") sawAgent(observed, view, context);
  if (event.kind === "tool.after" && tool?.kind === "skill") {
    const demanded = demandedBy(event);
    if (demanded) observed.pending = { ...demanded, session: event.session, at: context.now };
  }
  if (event.kind === "tool.after" && tool?.name === "TaskUpdate" && tool.input["status"] === "in_progress" && phase) {
    const record = phaseProgress(observed, phase);
    if (statusRank(record.status) === 0) record.status = "in_progress";
  }
  const said = event.kind === "agent.end" ? event.turn?.lastMessage : event.outcome?.text;
  if (phase && said && needsOf(view.catalogue, observed.workflow?.type, phase)?.elicitation && tool?.kind !== "shell") {
    const record = phaseProgress(observed, phase);
    const next = countMenu(record.elicitation, said);
    if (next) record.elicitation = next;
  }
  const { pending } = observed;
  if (pending && context.now - pending.at > optionsOf(context.config).delegationMinutes * 60_000)
    delete observed.pending;
  return observed;
}

/** Remembers a legitimate write until the file contains it. */
function declare(
  observed: WorkflowState | undefined,
  view: ProjectView,
  { facts }: LearnContext<WorkflowStates>,
): WorkflowState | undefined {
  const edit = facts.edit;
  if (!edit || !namesStateFile(edit.path) || edit.path !== view.paths.file || edit.after === undefined) return observed;
  const known = observed ?? emptyWorkflowState();
  let claims: string;
  try {
    const after = parseStateFile(edit.after);
    if (transition(known, view.file, after, view.world).problems.length) return known;
    claims = claimsOf(after, view.catalogue);
  } catch {
    // Not a state: state-write-validator refuses it, and nothing is remembered.
    return known;
  }
  if (claims !== known.claims)
    known.declared = [...known.declared.filter((d) => d !== claimsDigest(claims)), claimsDigest(claims)].slice(-5);
  return known;
}

function sawTests(
  observed: WorkflowState,
  view: ProjectView,
  phase: string,
  { facts, event, now }: LearnContext<WorkflowStates>,
): void {
  const limits = needsOf(view.catalogue, observed.workflow?.type, phase)?.tests;
  const run = facts.run;
  if (!limits || run?.level !== "test" || !observed.enforced) return;
  const configured = view.file?.iteration_config;
  const own = configured?.configured_at ? configured : undefined;
  const record = phaseProgress(observed, phase);
  const next = countTestRun(
    record.tests,
    {
      ok: run.ok,
      signature: facts.failure?.signature,
      failures: run.counts?.failed,
      skipped: run.counts?.skipped,
      command: event.tool?.command ?? "",
      at: new Date(now).toISOString(),
    },
    { max: own?.testing_max ?? limits.max, identical: own?.circuit_breaker_threshold ?? limits.identical },
  );
  if (next) record.tests = next;
}

function sawAgent(observed: WorkflowState, view: ProjectView, { facts, event }: LearnContext<WorkflowStates>): void {
  const { delegation } = facts;
  const name = delegation.agentName ?? agentNamed(event.tool?.agent?.type, view.world.roles);
  const phase = observed.workflow?.phase;
  if (phase && delegation.isDelegation && delegation.agentName && delegation.phases.includes(phase))
    addAgent(observed, phase, name);
  if (observed.pending && name && (name === observed.pending.agent || name.includes(observed.pending.agent)))
    delete observed.pending;
}
