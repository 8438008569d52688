// What Interlock remembers about each state file: the observed state, updated before any gate judges.
// Invariant: a change of the file counts only if the call that made it was seen and was a legitimate move; any other
// change is marked as foreign.
import { createHash } from "node:crypto";
import { agentNamed } from "../../../facts/agent-roles.js";
import type { Facts } from "../../../facts/index.js";
import type { Event } from "../../../model/event.js";
import { after, at, before, failed, type LearnContext, memory } from "../../../model/gate.js";
import { tableProblems } from "../layouts/loosening-report.js";
import { optionsOf } from "../lifecycle-options.js";
import { needsOf } from "./catalogue.js";
import { namesStateFile } from "./lifecycle-paths.js";
import { choiceIn } from "./menu-choices.js";
import { demandedBy } from "./pending-delegation.js";
import { answeredChoice, countAnswer, countMenu, countTestRun, testLimits } from "./phase-evidence.js";
import { type ProjectView, projectViewOf, rememberedStateFile } from "./project-view.js";
import { parseStateFile } from "./state-file.js";
import { transition } from "./transition.js";
import { workChangedBy } from "./work-changes.js";
import {
  addAgent,
  adoptStateFile,
  beginWorkflow,
  claimsOf,
  countIn,
  type Elicitation,
  emptyWorkflowState,
  limitsIn,
  loggedIn,
  type NestedAgent,
  nextStep,
  phaseProgress,
  statusRank,
  type WorkflowState,
  type WorkflowStates,
} from "./workflow-state.js";

export const workflowMemory = memory<WorkflowStates>({
  id: "lifecycle/standing",
  on: [
    ...before("agent", "skill", "shell", "write", "edit"),
    ...after("agent", "skill", "shell", "write", "edit", "notebook", "script", "mcp", "ask", "control"),
    ...failed("shell"),
    ...at("prompt", "session.start", "turn.end", "agent.end"),
  ],
  state: { scope: "project", initial: { files: {} } },
  learn(context) {
    const view = projectViewOf(context, rememberedStateFile(context.state.value, context.project));
    if (!view) return;
    const known = context.state.value.files[view.key];
    const next = observe(settledState(known && structuredClone(known), view), view, context);
    for (const { tests } of Object.values(next?.phases ?? {}))
      if (tests?.command) tests.command = context.facts.keep(tests.command);
    if (next && JSON.stringify(next) !== JSON.stringify(known))
      context.state.update((draft) => void (draft.files[view.key] = next));
    const problem = view.problem ?? tableProblems(view.catalogue)[0];
    if (problem) throw new Error(problem);
  },
});

/** Updates the observed state to what the file says, if a legitimate write announced it. */
export function settledState(
  observed: WorkflowState | undefined,
  { file, catalogue, world }: ProjectView,
): WorkflowState | undefined {
  if (!file) return observed;
  if (!observed) return adoptStateFile(file, catalogue);
  observed.logged ??= loggedIn(file);
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
    if (tool?.kind === "agent" && observed?.workflow) beginAgent(observed, event);
    if (tool?.kind === "shell" && observed?.workflow && startsAgent(context.facts))
      observed.nested = { call: callKey(event), session: event.session, at: context.now };
    return observed;
  }
  if (!observed) return undefined;
  if (observed.nested && hasEnded(observed.nested, event, context.now)) delete observed.nested;
  const phase = observed.workflow?.phase;
  if (phase && tool && tool.kind !== "agent") sawWork(observed, view, phase, context);
  if (event.kind === "tool.after" && tool?.kind === "agent") sawAgent(observed, view, context);
  if (event.kind === "tool.after" && tool?.kind === "skill") {
    const demanded = demandedBy(event);
    if (demanded) observed.pending = { ...demanded, session: event.session, at: context.now };
  }
  if (event.kind === "tool.after" && tool?.name === "TaskUpdate" && tool.input["status"] === "in_progress" && phase) {
    const record = phaseProgress(observed, phase);
    if (statusRank(record.status) === 0) record.status = "in_progress";
  }
  if (phase) sawQuestions(observed, view, phase, context);
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

/** Menus shown and choices made; what a person answers counts in the session that asked. */
function sawQuestions(
  observed: WorkflowState,
  view: ProjectView,
  phase: string,
  { event, facts }: LearnContext<WorkflowStates>,
): void {
  const wanted = needsOf(view.catalogue, observed.workflow?.type, phase)?.elicitation;
  const { tool } = event;
  if (!wanted || (tool && tool.kind !== "agent" && tool.kind !== "ask")) return;
  const record = phaseProgress(observed, phase);
  const known = record.elicitation;
  const { nested } = observed;
  let next: Elicitation | undefined;
  if (event.kind === "prompt") {
    const choice = typedByPerson(event, facts.provenance) && !nested ? choiceIn(event.prompt!.text) : undefined;
    if (choice && known?.session === event.session) next = countAnswer(known, { asked: false, choice }, wanted.final);
  } else if (tool?.kind === "ask") {
    const answer = answeredChoice(event.outcome?.response);
    next = countAnswer(known, nested ? { asked: answer.asked } : answer, wanted.final);
  } else next = countMenu(known, (tool ? event.outcome?.text : event.turn?.lastMessage) ?? "");
  if (!next) return;
  if (next.menus > (known?.menus ?? 0)) next.session = event.session;
  record.elicitation = next;
}

const typedByPerson = ({ prompt, agent }: Event, origin: Facts["provenance"]): boolean =>
  prompt?.machine === false && !agent && origin.kind !== "forged" && !/by another agent/.test(origin.why);

const startsAgent = ({ effects }: Facts): boolean => effects.some((e) => e.kind === "spawn-agent");

/** As long as the client lets a command run. */
const longestCommand = 600_000;

/** The command that started an agent is over, or was refused and the turn went on to its end. */
const hasEnded = ({ call, session, at: began }: NestedAgent, event: Event, now: number): boolean =>
  now - began > longestCommand ||
  (event.session === session && (event.kind === "turn.end" || (event.tool !== undefined && callKey(event) === call)));

const callKey = ({ tool }: Event): string => tool?.id ?? tool?.agent?.type ?? "";

function beginAgent(observed: WorkflowState, event: Event): void {
  const kept = Object.entries(observed.starting ?? {}).slice(-19);
  observed.starting = Object.fromEntries([...kept, [callKey(event), nextStep(observed)]]);
}

/** Changes of the phase's work and test runs, in the order in which they happened. */
function sawWork(
  observed: WorkflowState,
  view: ProjectView,
  phase: string,
  context: LearnContext<WorkflowStates>,
): void {
  const changed = workChangedBy(context.facts);
  const note = () => {
    if (!changed) return;
    const at = { step: nextStep(observed), path: changed.path.slice(0, 200) };
    const record = phaseProgress(observed, phase);
    record.written = at;
    if (changed.code) record.edited = at;
  };
  if (changed?.beforeTests) note();
  if (context.event.tool?.kind === "shell") sawTests(observed, view, phase, context);
  if (!changed?.beforeTests) note();
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
  const record = phaseProgress(observed, phase);
  const next = countTestRun(
    record.tests,
    {
      ok: run.ok,
      signature: facts.failure && facts.keep(facts.failure.signature),
      failures: run.counts?.failed,
      skipped: run.counts?.skipped,
      command: event.tool?.command ?? "",
      at: new Date(now).toISOString(),
    },
    testLimits(limits, observed, view.file && limitsIn(view.file)),
  );
  if (next) record.tests = { ...next, step: nextStep(observed) };
}

function sawAgent(observed: WorkflowState, view: ProjectView, { facts, event }: LearnContext<WorkflowStates>): void {
  const { delegation } = facts;
  const type = event.tool?.agent?.type;
  if (type && observed.logged) countIn(observed.logged, agentNamed(type, view.world.roles));
  const name = delegation.agentName ?? agentNamed(event.tool?.agent?.type, view.world.roles);
  const phase = observed.workflow?.phase;
  const began = observed.starting?.[callKey(event)];
  if (observed.starting) delete observed.starting[callKey(event)];
  if (phase && delegation.isDelegation && delegation.agentName && delegation.phases.includes(phase)) {
    addAgent(observed, phase, name);
    phaseProgress(observed, phase).started ??= began ?? nextStep(observed);
  }
  if (observed.pending && name && (name === observed.pending.agent || name.includes(observed.pending.agent)))
    delete observed.pending;
}
