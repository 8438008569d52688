// What a phase still needs before its gate opens, each with the one step that satisfies it.
// Invariant: pure over the observed state; an unknown phase is an unmet need (a configuration fault), never nothing.

import type { Roles } from "../../../facts/agent-roles.js";
import { gateName } from "../../../facts/phase-names.js";
import { inert } from "../../../model/text.js";
import { stepList } from "../../../model/verdict.js";
import { agentsOf, type Catalogue, needsOf, statedNeedsOf } from "./catalogue.js";
import { artifactPath } from "./lifecycle-paths.js";
import type { Needs } from "./tables.js";
import type { Constitution, PhaseProgress, WorkflowState } from "./workflow-state.js";

export interface Unmet {
  need: keyof Needs | "configuration";
  why: string;
  next: string;
  /** Only a person can go on from here. */
  person?: true;
}

export interface NeedsWorld {
  catalogue: Catalogue;
  roles: Roles | undefined;
  /** Whether the project has agents of its own. */
  hasAgents(): boolean;
  /** Whether a file the phase produces exists; of several features, that of the named one. */
  has(pattern: string, name?: string): boolean;
  plan(): { path: string; exists: boolean };
  /** The checklist of acceptance criteria. */
  checklist(): { path: string; exists: boolean };
}

export function unmetOf(observed: WorkflowState, phase: string, world: NeedsWorld): Unmet[] {
  const needs = needsOf(world.catalogue, observed.workflow?.type, phase);
  if (needs && !observed.enforced) return [];
  return needs ? missing(needs, observed, phase, world) : [unknownPhase(phase)];
}

/** What the phase would need if its workflow were not permissive. */
export function optionalNeedsOf(observed: WorkflowState, phase: string, world: NeedsWorld): Unmet[] {
  const type = observed.workflow?.type ?? "";
  const wants = world.catalogue.workflows.get(type)?.permissive
    ? statedNeedsOf(world.catalogue, type, phase)
    : undefined;
  return wants ? missing(wants, observed, phase, world) : [];
}

function missing(needs: Needs, observed: WorkflowState, phase: string, world: NeedsWorld): Unmet[] {
  const at: PhaseProgress = observed.phases[phase] ?? { agents: [] };
  const escalated = escalationUnmet(at, needs);
  if (escalated) return [escalated];
  const unmet: Unmet[] = [];
  const add = (need: Unmet["need"], found: [why: string, next: string] | undefined) => {
    if (found) unmet.push({ need, why: found[0], next: found[1] });
  };
  // In the order in which the work is done: each next step can be done when it is named.
  if (needs.plan) {
    const { path, exists } = world.plan();
    if (!exists) add("plan", ["there is no task plan", planStep(path)]);
  }
  add("delegation", delegationUnmet(at, needs, phase, world));
  add("elicitation", elicitationUnmet(at, needs));
  for (const wanted of needs.artifacts ?? []) {
    const patterns = typeof wanted === "string" ? [wanted] : wanted;
    if (patterns.some((p) => world.has(p, observed.workflow?.name))) continue;
    const places = patterns.map((p) => artifactPath(p, observed.workflow?.name));
    add("artifacts", [`${places[0]} does not exist`, `write ${places.slice(0, 2).join(" or ")}`]);
  }
  add("tests", testsUnmet(at, needs));
  if (needs.atdd?.always || observed.workflow?.atdd) add("atdd", atddUnmet(at, needs, world));
  add("constitution", constitutionUnmet(at, needs));
  return unmet;
}

export const unknownPhase = (phase: string): Unmet => ({
  need: "configuration",
  why: `the phase "${phase}" is not defined: a configuration error, not an open gate`,
  next: "run `interlock lifecycle validate`; it names the known phases",
});

function testsUnmet(at: PhaseProgress, needs: Needs): [string, string] | undefined {
  const { tests } = at;
  if (!needs.tests) return undefined;
  if (!tests?.iteration) return ["no test run was seen in this phase", "run the tests"];
  if (tests.approved) return undefined;
  if (tests.completed) return staleTests(tests.step, at);
  if (tests.last === "failed")
    return [
      `the tests fail (attempt ${tests.iteration} of ${needs.tests.max})`,
      `fix the failure and run the same tests again: ${inert(tests.command ?? "the test command", 150)}`,
    ];
  return ["the tests are not completed", "run the tests until they pass"];
}

/** A passing run proves the code it ran on, and nothing that came later. */
function staleTests(step: number | undefined, { started, edited }: PhaseProgress): [string, string] | undefined {
  if (step === undefined) return undefined;
  if (edited && edited.step > step)
    return [`${inert(edited.path, 80)} was changed after the tests passed`, "run the tests again"];
  if (started !== undefined && started > step)
    return ["the tests ran before the phase's agent began its work", "run the tests again"];
  return undefined;
}

/** What an agent can still do after an escalation, alone: the other steps come after the person's decision. */
export const askPerson =
  "tell the user what fails and ask how to go on; in their own terminal they run " +
  'interlock lifecycle approve, redo or cancel, each with --reason "..."';

/** What of the current phase waits for a person's decision. */
export function escalationIn(observed: WorkflowState | undefined): string | undefined {
  const phase = observed?.workflow?.phase;
  const { tests, constitution } = (phase && observed?.phases[phase]) || {};
  if (tests?.escalated && !tests.approved) return `testing of ${phase} is escalated (${tests.escalated})`;
  if (constitution?.status === "escalated" && !constitution.approved)
    return `the constitutional check of ${phase} is escalated`;
  return undefined;
}

function escalationUnmet({ tests, constitution }: PhaseProgress, needs: Needs): Unmet | undefined {
  if (needs.tests && tests?.escalated && !tests.approved)
    return {
      need: "tests",
      why: `testing was escalated (${tests.escalated}) and nobody approved continuing`,
      next: askPerson,
      person: true,
    };
  if (needs.constitution && constitution?.status === "escalated" && !constitution.approved)
    return {
      need: "constitution",
      why: "the constitutional check was escalated and nobody approved it",
      next: askPerson,
      person: true,
    };
  return undefined;
}

function constitutionUnmet(at: PhaseProgress, needs: Needs): [string, string] | undefined {
  const { constitution: c } = at;
  if (!needs.constitution) return undefined;
  const articles = needs.constitution.articles;
  const validate = `check the work, then run: interlock lifecycle validate --articles ${articles.join(",")}`;
  if (!c?.iterations) return [`the constitution (articles ${articles.join(", ")}) was not checked`, validate];
  if (c.approved) return undefined;
  if (!c.completed || c.status !== "compliant") {
    const left = articles.filter((a) => !c.checked.includes(a));
    return [
      left.length
        ? `articles ${left.join(", ")} are not checked`
        : `the constitutional check is ${c.status}, not compliant`,
      validate,
    ];
  }
  if (!isCheckStale(c, at, needs)) return undefined;
  const last = workOf(at, needs);
  return last && last.step > c.step!
    ? [`${inert(last.path, 80)} was changed after the constitutional check`, validate]
    : ["the constitutional check was made before the phase's agent began its work", validate];
}

/** In a phase with tests the work is code; in the others it is whatever was written. */
const workOf = (at: PhaseProgress, needs: Needs) => (needs.tests ? at.edited : at.written);

/** The work came after the check. What an older version or the framework recorded has no order and counts. */
export const isCheckStale = ({ step }: Constitution, at: PhaseProgress, needs: Needs): boolean =>
  step !== undefined && Math.max(workOf(at, needs)?.step ?? 0, at.started ?? 0) > step;

const menuLine = "[A] Adjust [R] Refine [C] Continue [S] Save [X] Exit";

function elicitationUnmet({ elicitation: e }: PhaseProgress, needs: Needs): [string, string] | undefined {
  if (!needs.elicitation) return undefined;
  const { final } = needs.elicitation;
  const ends = final.join(" or ");
  const ask =
    `show the user the result with the menu "${menuLine}" and end your turn, or ask in a dialog ` +
    `(AskUserQuestion) with these options; the user finishes with ${ends}`;
  if (!e?.menus) return ["the user was asked nothing yet", ask];
  if (!e.completed) return [`the user has not finished the questions with ${ends}`, ask];
  if (e.final && !final.includes(e.final)) return [`the user ended the questions with "${e.final}"`, ask];
  return undefined;
}

function atddUnmet({ tests }: PhaseProgress, { atdd }: Needs, world: NeedsWorld): [string, string] | undefined {
  if (!atdd) return undefined;
  const { path, exists } = atdd.checklist ? world.checklist() : { path: "", exists: true };
  if (!exists) return ["ATDD: there is no checklist of acceptance criteria", `write it to ${path}`];
  const missing = atdd.files?.find((f) => !world.has(f));
  if (missing !== undefined) return [`ATDD: ${missing} does not exist`, `write ${missing}`];
  if (atdd.noSkips && tests?.skipped && !tests.approved)
    return [
      `ATDD: the last run skipped ${tests.skipped} ${tests.skipped === 1 ? "test" : "tests"}`,
      "implement the skipped tests, take their skip marks out, and run the tests again",
    ];
  return undefined;
}

function delegationUnmet(
  at: PhaseProgress,
  needs: Needs,
  phase: string,
  world: NeedsWorld,
): [string, string] | undefined {
  if (!needs.delegation || !world.roles) return undefined;
  const [leading] = agentsOf(world.catalogue, world.roles, phase);
  if (!leading || at.agents.includes(leading)) return undefined;
  const unless = world.hasAgents() ? "" : "; if there is no such agent: interlock lifecycle init, then a new session";
  return [`${leading} has not worked in ${phase}`, `delegate ${phase} to ${leading} (Agent tool)${unless}`];
}

export const planStep = (path: string): string =>
  `write the task plan to ${path} (generate-plan skill) and show it to the user`;

/** One refusal for several needs: what is missing, and every step in the order of the work. */
export function summariseUnmet(
  phase: string,
  unmet: readonly Unmet[],
): { why: string; next: string; steps: readonly string[] } {
  const steps = unmet.map((u) => u.next);
  return { why: `${gateName(phase)} is closed: ${unmet.map((u) => u.why).join("; ")}`, next: stepList(steps), steps };
}
