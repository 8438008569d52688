// What Interlock remembers of each state file: the standing, learned from what happens before any gate judges.
// Invariant: a change of the file counts only when the call that made it was seen and was a legitimate move; all else is noted as foreign.
import { createHash } from "node:crypto";
import { agentNamed } from "../../../facts/roles.js";
import { after, at, before, failed, type LearnContext, memory } from "../../../model/gate.js";
import { tableProblems } from "../layouts/loosening-report.js";
import { optionsOf } from "../lifecycle-options.js";
import { needsOf } from "./catalogue.js";
import { namesStateFile } from "./paths.js";
import { demandedBy } from "./pending-delegation.js";
import { afterMenu, afterTests } from "./phase-evidence.js";
import { rememberedIn, type Sight, sightOf } from "./project-view.js";
import { parseState } from "./state-file.js";
import { transition } from "./transition.js";
import {
  addAgent,
  adopt,
  begin,
  claimsOf,
  emptyStanding,
  phaseOf,
  type Remembered,
  rank,
  type Standing,
} from "./workflow-state.js";

export const standings = memory<Remembered>({
  id: "lifecycle/standing",
  on: [
    ...before("agent", "skill", "shell", "write", "edit"),
    ...after("agent", "skill", "shell", "write", "edit", "ask", "control"),
    ...failed("shell"),
    ...at("session.start", "turn.end", "agent.end"),
  ],
  state: { scope: "project", initial: { files: {} } },
  learn(context) {
    const sight = sightOf(context, rememberedIn(context.state.value, context.project));
    if (!sight) return;
    const known = context.state.value.files[sight.key];
    const next = observe(settle(known && structuredClone(known), sight), sight, context);
    if (next && JSON.stringify(next) !== JSON.stringify(known))
      context.state.update((draft) => void (draft.files[sight.key] = next));
    const problem = sight.problem ?? tableProblems(sight.catalogue)[0];
    if (problem) throw new Error(problem);
  },
});

/** Brings the standing up to what the file says, as far as that is a move that was declared. */
function settle(standing: Standing | undefined, { file, catalogue, world }: Sight): Standing | undefined {
  if (!file) return standing;
  if (!standing) return adopt(file, catalogue);
  const claims = claimsOf(file, catalogue);
  if (claims === standing.claims) {
    delete standing.foreign;
    return standing;
  }
  if (standing.declared.includes(digest(claims))) {
    const { next, problems } = transition(standing, undefined, file, world);
    if (!problems.length) {
      delete next.foreign;
      next.declared = [];
      return next;
    }
  }
  // A workflow that appears where none was closes gates; it needs no witness.
  if (!standing.workflow && file.active_workflow) return begin(standing, file, catalogue);
  standing.foreign = true;
  return standing;
}

export const digest = (claims: string): string => createHash("sha256").update(claims).digest("hex").slice(0, 16);

function observe(
  standing: Standing | undefined,
  sight: Sight,
  context: LearnContext<Remembered>,
): Standing | undefined {
  const { event } = context;
  const { tool } = event;
  if (event.kind === "tool.before") {
    if (tool?.kind === "write" || tool?.kind === "edit") return declare(standing, sight, context);
    return standing;
  }
  if (!standing) return undefined;
  const phase = standing.workflow?.phase;
  if (tool?.kind === "shell" && phase) sawTests(standing, sight, phase, context);
  if (event.kind === "tool.after" && tool?.kind === "agent") sawAgent(standing, sight, context);
  if (event.kind === "tool.after" && tool?.kind === "skill") {
    const demanded = demandedBy(event);
    if (demanded) standing.pending = { ...demanded, session: event.session, at: context.now };
  }
  if (event.kind === "tool.after" && tool?.name === "TaskUpdate" && tool.input["status"] === "in_progress" && phase) {
    const record = phaseOf(standing, phase);
    if (rank(record.status) === 0) record.status = "in_progress";
  }
  const said = event.kind === "agent.end" ? event.turn?.lastMessage : event.outcome?.text;
  if (
    phase &&
    said &&
    needsOf(sight.catalogue, standing.workflow?.type, phase)?.elicitation &&
    tool?.kind !== "shell"
  ) {
    const record = phaseOf(standing, phase);
    const next = afterMenu(record.elicitation, said);
    if (next) record.elicitation = next;
  }
  const { pending } = standing;
  if (pending && context.now - pending.at > optionsOf(context.config).delegationMinutes * 60_000)
    delete standing.pending;
  return standing;
}

/** A write that would be a legitimate move is remembered until the file says so. */
function declare(
  standing: Standing | undefined,
  sight: Sight,
  { facts }: LearnContext<Remembered>,
): Standing | undefined {
  const edit = facts.edit;
  if (!edit || !namesStateFile(edit.path) || edit.path !== sight.place.file || edit.after === undefined)
    return standing;
  const known = standing ?? emptyStanding();
  let claims: string;
  try {
    const after = parseState(edit.after);
    if (transition(known, sight.file, after, sight.world).problems.length) return known;
    claims = claimsOf(after, sight.catalogue);
  } catch {
    // What is written is no state: the validator says so, and nothing is declared by it.
    return known;
  }
  if (claims !== known.claims)
    known.declared = [...known.declared.filter((d) => d !== digest(claims)), digest(claims)].slice(-5);
  return known;
}

function sawTests(
  standing: Standing,
  sight: Sight,
  phase: string,
  { facts, event, now }: LearnContext<Remembered>,
): void {
  const limits = needsOf(sight.catalogue, standing.workflow?.type, phase)?.tests;
  const run = facts.run;
  if (!limits || run?.level !== "test" || !standing.enforced) return;
  const configured = sight.file?.iteration_config;
  const own = configured?.configured_at ? configured : undefined;
  const record = phaseOf(standing, phase);
  const next = afterTests(
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

function sawAgent(standing: Standing, sight: Sight, { facts, event }: LearnContext<Remembered>): void {
  const { delegation } = facts;
  const name = delegation.agentName ?? agentNamed(event.tool?.agent?.type, sight.world.roles);
  const phase = standing.workflow?.phase;
  if (phase && delegation.isDelegation && delegation.agentName && delegation.phases.includes(phase))
    addAgent(standing, phase, name);
  if (standing.pending && name && (name === standing.pending.agent || name.includes(standing.pending.agent)))
    delete standing.pending;
}
